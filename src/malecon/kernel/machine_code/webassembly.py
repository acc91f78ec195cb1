"""WebAssembly from kernels: the lowered functions, linked and optimised for wasm32 instead of this machine.

Needs what Numba brings (llvmlite has the target) and `ziglang` from PyPI, whose `wasm-ld` is LLVM's linker. Kernels
allocate nothing and count no references, so nothing of Numba's runtime is in the module, and it imports nothing.
"""

from __future__ import annotations

import functools
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding  # type: ignore[import-untyped]

from malecon.kernel.machine_code.linking import module_of, reach

TRIPLE = "wasm32-unknown-unknown"
#: What every current browser, Node and wasmtime have.
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
STACK_BYTES = 65_536
PAGE_BYTES = 65_536
#: Exports return that many bits of what a kernel returns.
RESULT_BITS = 32


class Lowered(NamedTuple):
    """A kernel as LLVM's assembly calls it, with everything it reaches."""

    name: str
    library: Any
    arguments: tuple[str, ...]  # their types, after the pointers to the result and the exception


def lower(kernel: Any, *types: Any) -> Lowered:
    """Lower a kernel for arguments of these types; raise TypeError if its result is too small."""
    kernel.callee.compile(types)
    result = kernel.callee.overloads[types]
    name = result.fndesc.llvm_func_name
    returned = result.signature.return_type
    if getattr(returned, "bitwidth", 0) < RESULT_BITS:
        raise TypeError(
            f"{result.fndesc.qualname} must return an integer of {RESULT_BITS} bits or more, not {returned}"
        )
    function = result.library.own_module().get_function(name)
    return Lowered(name, result.library, tuple(str(argument.type) for argument in function.arguments)[2:])


def assemble(lowered: Iterable[Lowered], own: str, exports: Sequence[str]) -> bytes:
    """Return an object file of these kernels and of assembly that calls them. All but the exports is internal to it."""
    target = _target()
    whole = binding.parse_assembly(f'target triple = "{TRIPLE}"\n{own}')
    libraries = dict.fromkeys(library for kernel in lowered for library in reach(kernel.library))
    for library in libraries:
        whole.link_in(binding.parse_assembly(_retarget(str(module_of(library)))))
    whole.data_layout = str(target.target_data)
    for function in whole.functions:
        if not function.is_declaration:
            function.linkage = "external" if function.name in exports else "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration and variable.name not in exports:
            variable.linkage = "internal"
    options = binding.create_pipeline_tuning_options(speed_level=3)
    builder = binding.create_pass_builder(target, options)
    builder.getModulePassManager().run(whole, builder)
    whole.verify()
    return bytes(target.emit_object(whole))


@functools.cache
def _target() -> Any:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(TRIPLE)
    return target.create_target_machine(opt=3, features=FEATURES, reloc="static", codemodel="default")


def _retarget(assembly: str) -> str:
    """Return assembly without what ties it to this machine. WebAssembly has no common symbols either."""
    assembly = re.sub(r"^target (triple|datalayout) = .*$", "", assembly, flags=re.MULTILINE)
    assembly = re.sub(r'"target-(cpu|features)"="[^"]*"', "", assembly)
    assembly = re.sub(r"= common (local_unnamed_addr |unnamed_addr )?global", r"= internal global", assembly)
    return f'target triple = "{TRIPLE}"\n{assembly}'


def link(objects: bytes, exports: Sequence[str]) -> bytes:
    """Return the module of an object file; raise RuntimeError if something is missing in it."""
    with tempfile.TemporaryDirectory() as folder:
        source, module = Path(folder) / "engine.o", Path(folder) / "engine.wasm"
        source.write_bytes(objects)
        command = [sys.executable, "-m", "ziglang", "wasm-ld", "--no-entry", "--stack-first", "-O2", "--strip-all"]
        command += ["--gc-sections", f"-zstack-size={STACK_BYTES}", *(f"--export={name}" for name in exports)]
        done = subprocess.run([*command, str(source), "-o", str(module)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"the module cannot be linked (pip install ziglang): {done.stderr.strip()}")
        return module.read_bytes()


def array_arguments(data: str, itemsize: int, shape: Sequence[str], strides: Sequence[int], items: str) -> list[str]:
    """Return the values that Numba passes for an array: owners, number and size of items, data, shape and strides."""
    return ["ptr null", "ptr null", f"i64 {items}", f"i64 {itemsize}", f"ptr {data}",
            *(f"i64 {size}" for size in shape), *(f"i64 {stride}" for stride in strides)]  # fmt: skip
