"""Building the engine module of a game: `malecon engine build`. Needs the package `ziglang`.

Each export is a small function in LLVM's assembly that takes 32-bit numbers. It hands the kernel of the same name all
arrays of the state, whose places are constants or a number times the nodes of the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numba

from malecon.bots.engine import kernels
from malecon.bots.engine.state import (
    CONSTANT,
    FIXED,
    LEAST_NODES,
    NODES,
    PLAYERS,
    Field,
    Layout,
    Size,
    assemble,
    constants_of,
    layout_of,
    new_state,
    own_net,
)
from malecon.bots.network import check_net
from malecon.kernel.game import Game
from malecon.kernel.machine_code import webassembly
from malecon.kernel.machine_code.webassembly import PAGE_BYTES, Lowered

#: 1 GB: more than the largest tree that the searcher makes.
MOST_PAGES = 16_384
#: What an export returns if its kernel raised an exception, which none does.
FAILED = -99
_STATE, _HEAP = "@state", "@__heap_base"


def build(game: Game) -> bytes:
    """Return the module of a game. The same sources, versions and hash seed give the same bytes."""
    check_net(game, own_net(game))
    layout = layout_of(game)
    state = numba.typeof(new_state(game, game.most_players, LEAST_NODES))
    lowered = {
        name: webassembly.lower(kernel, state, *[numba.types.int64] * len(arguments))
        for name, (kernel, arguments) in kernels.EXPORTS.items()
    }
    lowered["start"] = webassembly.lower(kernels.start, state, numba.types.int64, numba.types.int64)
    own = "\n".join(_assembly(game, layout, lowered))
    exports = [*lowered, "state"]
    return webassembly.link(webassembly.assemble(lowered.values(), own, exports), [*exports, "__heap_base"])


def _assembly(game: Game, layout: Layout, lowered: dict[str, Lowered]) -> Iterator[str]:
    yield f"{_STATE} = global [{layout.fixed_bytes} x i8] zeroinitializer, align 16"
    yield f"{_HEAP} = external global i8"
    for name, array in constants_of(game)._asdict().items():
        text = "".join(f"\\{byte:02x}" for byte in array.tobytes())
        yield f'@constants.{name} = internal constant [{array.nbytes} x i8] c"{text}", align 16'
    yield "declare i32 @llvm.wasm.memory.size.i32(i32)"
    yield "declare i32 @llvm.wasm.memory.grow.i32(i32, i32)"
    yield "declare i32 @llvm.ctlz.i32(i32, i1)"
    for name, kernel in lowered.items():
        declared = ", ".join(("ptr", "ptr", *kernel.arguments))
        yield f'declare i32 @"{kernel.name}"({declared})'
        parameters = ("nodes", "seed") if name == "start" else kernels.EXPORTS[name][1]
        yield from _export(game, layout, name, kernel, parameters)


def _export(game: Game, layout: Layout, name: str, kernel: Lowered, parameters: tuple[str, ...]) -> Iterator[str]:
    yield f"define i32 @{name}({', '.join(f'i32 %{parameter}' for parameter in parameters)}) {{"
    if name == "start":
        yield from _reserve(layout)
    integers = layout.field("integers").offset.fixed
    for number, index in (("players", PLAYERS), ("tree_nodes", NODES)):
        yield f"  %{number}_at = getelementptr i8, ptr {_STATE}, i32 {integers + 4 * index}"
        yield f"  %{number}_32 = load i32, ptr %{number}_at"
        yield f"  %{number} = zext i32 %{number}_32 to i64"
    values: list[str] = []
    fields = {field.name: field for field in layout.fields}
    for place, field in enumerate(_in_order(assemble(fields))):
        lines, arguments = _array(f"%a{place}", field)
        yield from lines
        values += arguments
    if name == "start":
        values += ["i64 %seed_64", f"i64 {int(game.conceals is not None)}"]
        parameters = ("seed",)
    else:
        values += [f"i64 %{parameter}_64" for parameter in parameters]
    for parameter in parameters:
        yield f"  %{parameter}_64 = sext i32 %{parameter} to i64"
    types = tuple(value.split()[0] for value in values)
    if types != kernel.arguments:
        raise TypeError(f"Numba passes the arguments of {name} in another way: {kernel.arguments}")
    yield "  %result = alloca i64"
    yield "  %exception = alloca ptr"
    yield f'  %status = call i32 @"{kernel.name}"(ptr %result, ptr %exception, {", ".join(values)})'
    yield "  %value = load i64, ptr %result"
    yield "  %value_32 = trunc i64 %value to i32"
    yield "  %good = icmp eq i32 %status, 0"
    yield f"  %answer = select i1 %good, i32 %value_32, i32 {FAILED}"
    yield "  ret i32 %answer"
    yield "}"


def _reserve(layout: Layout) -> Iterator[str]:
    """Return the lines that round the nodes up to a power of two and make room for their tree, or return 0."""
    nodes = f"getelementptr (i8, ptr {_STATE}, i32 {layout.field('integers').offset.fixed + 4 * NODES})"
    return iter(
        f"""
  %few = icmp slt i32 %nodes, {LEAST_NODES}
  %enough = select i1 %few, i32 {LEAST_NODES}, i32 %nodes
  %one_less = sub i32 %enough, 1
  %zeros = call i32 @llvm.ctlz.i32(i32 %one_less, i1 false)
  %bits = sub i32 32, %zeros
  %rounded = shl i32 1, %bits
  %rounded_64 = zext i32 %rounded to i64
  %tree_bytes = mul i64 %rounded_64, {layout.bytes_a_node}
  %heap = ptrtoint ptr {_HEAP} to i64
  %end = add i64 %tree_bytes, %heap
  %end_up = add i64 %end, {PAGE_BYTES - 1}
  %pages = udiv i64 %end_up, {PAGE_BYTES}
  %too_large = icmp ugt i64 %pages, {MOST_PAGES}
  br i1 %too_large, label %failed, label %measured
measured:
  %pages_32 = trunc i64 %pages to i32
  %now = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %missing = sub i32 %pages_32, %now
  %is_missing = icmp sgt i32 %missing, 0
  br i1 %is_missing, label %grow, label %reserved
grow:
  %before = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %missing)
  %refused = icmp eq i32 %before, -1
  br i1 %refused, label %failed, label %reserved
failed:
  ret i32 0
reserved:
  store i32 %rounded, ptr {nodes}
""".splitlines()
    )


def _in_order(part: Any) -> Iterator[Field]:
    """Return the fields in the order in which their arrays are passed."""
    if isinstance(part, Field):
        yield part
    else:
        for inner in part:
            yield from _in_order(inner)


def _array(name: str, field: Field) -> tuple[list[str], list[str]]:
    """Return the lines that compute where an array is and how large, and the arguments that stand for it."""
    lines: list[str] = []

    def number(size: Size, what: str) -> str:
        value = str(size.fixed)
        for factor, variable in ((size.a_player, "%players"), (size.a_node, "%tree_nodes")):
            if factor:
                lines.append(f"  {name}.{what}.{variable[1:]} = mul nuw i64 {variable}, {factor}")
                lines.append(f"  {name}.{what} = add nuw i64 {name}.{what}.{variable[1:]}, {value}")
                value = f"{name}.{what}"
        return value

    shape = [number(size, f"size{i}") for i, size in enumerate(field.shape)]
    items = shape[0]
    for i, size in enumerate(shape[1:]):
        lines.append(f"  {name}.items{i} = mul nuw i64 {items}, {size}")
        items = f"{name}.items{i}"
    base = {FIXED: _STATE, CONSTANT: f"@{field.name}"}.get(field.section, _HEAP)
    lines.append(f"  {name} = getelementptr i8, ptr {base}, i64 {number(field.offset, 'offset')}")
    return lines, webassembly.array_arguments(name, field.dtype.itemsize, shape, field.strides, items)
