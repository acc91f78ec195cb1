"""`make bench`: our engine, environments and search beside the peers', in one run; figures as ratios, too.

Every side is a process that waits while another is measured. Figures are taken in turns, so that a busy moment hits all
of them alike, and medians are told. What is measured is in `measures`; the last figures are in docs/performance.md.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console

from chart import Bar, draw
from measures import ENGINE, GROUPS, PLAIN_C, SEARCH, SIDES, STEPPED, TABLES, VECTOR
from plain_c import GOAL
from report import DOCS, circumstances, insert, markdown

ROUNDS = 5
HERE = Path(__file__).parent
PEERS = [str(HERE.parent / ".venv" / folder) for folder in ("rivals", "peers")]
OURS = "Malecón"

#: For each group: its heading, what its figures count, and the line of ours that the others are compared with.
TITLES = {
    ENGINE: ("Random games on one core", "decisions/s", "Santiago de Cuba, 3 players"),
    VECTOR: (f"{TABLES:,} games in one array, on all cores", "steps/s", "Santiago de Cuba, 3 players"),
    PLAIN_C: ("Random games beside plain C", "decisions/s", "Santiago de Cuba, 3 players"),
    STEPPED: ("One game at a time, from Python", "steps/s", "Santiago de Cuba, Match"),
    SEARCH: ("Search on one core", "simulations/s", "Santiago de Cuba, random playouts to the end"),
}


@dataclass
class Side:
    """A process that measures, and what it has found so far."""

    name: str
    process: subprocess.Popen[str]
    versions: Mapping[str, str] = field(default_factory=dict)
    measures: list[tuple[str, str]] = field(default_factory=list)
    missing: str = ""
    figures: list[list[float]] = field(default_factory=list)

    def read(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def meet(self) -> None:
        hello = json.loads(self.read() or '{"missing": "its process ended without a word"}')
        self.versions, self.missing = hello.get("versions", {}), hello.get("missing", "")
        self.measures = [(group, title) for group, title in hello.get("measures", ())]
        self.figures = [[] for _ in self.measures]

    def take(self, number: int) -> None:
        assert self.process.stdin is not None
        print(number, file=self.process.stdin, flush=True)
        self.figures[number].append(float(self.read()))


def start(key: str) -> Side:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(PEERS), "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    process = subprocess.Popen(
        [sys.executable, str(HERE / "measures.py"), key],
        env=environment, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return Side(SIDES[key][0], process)


def measure(console: Console) -> list[Side]:
    sides = []
    for key in SIDES:  # one after the other: compilers would fight for the cores
        side = start(key)
        side.meet()
        sides.append(side)
        for number in range(len(side.measures)):
            side.take(number)
        console.print(f"{key}: {side.missing or f'{len(side.measures)} measures'}")
    for turn in range(ROUNDS):
        for side in sides:
            for number in range(len(side.measures)):
                side.take(number)
        console.print(f"round {turn + 1} of {ROUNDS}")
    for side in sides:
        side.process.communicate()
    return sides


def collect(sides: list[Side]) -> dict[str, list[Bar]]:
    """The medians by group, ours first; the first figure of each was for warming up."""
    bars: dict[str, list[Bar]] = {group: [] for group in GROUPS}
    for side in sorted(sides, key=lambda side: side.name != OURS):
        for (group, title), figures in zip(side.measures, side.figures, strict=True):
            bars[group].append(Bar(side.name, title, statistics.median(figures[1:])))
    return bars


def beside_c(sides: list[Side]) -> str:
    """How near we come to plain C, in the measurements taken beside each other."""
    ours, theirs = (
        [
            figures[1:]
            for side in sides
            for (group, _), figures in zip(side.measures, side.figures, strict=True)
            if group == PLAIN_C and (side.name == OURS) is own
        ]
        for own in (True, False)
    )
    if not ours or not theirs:
        return "There was nothing to compare with: the C port could not be compiled."
    ratio = statistics.median(own / other for own, other in zip(ours[0], theirs[0], strict=True))
    verdict = "reached" if ratio >= GOAL else "MISSED"
    return f"That is {ratio:.2f} of the speed of plain C; the goal, {GOAL}, is {verdict}."


def rounded(value: float) -> str:
    """Three digits: more would promise what the next run does not keep."""
    return f"{float(f'{value:.3g}'):,.0f}"


def ratio(value: float) -> str:
    return rounded(value) if value >= 10 else f"{value:.1f}" if value > 0.95 else f"1/{1 / value:.1f}"


def main() -> None:
    console = Console()
    load = os.getloadavg()
    began = time.perf_counter()
    sides = measure(console)
    results = collect(sides)
    versions = {name: version for side in sides for name, version in side.versions.items()}
    lines = [circumstances(load, versions)]
    missing = [f"{side.name} ({side.missing})" for side in sides if side.missing]
    if missing:
        lines.append(f"**Missing in this run:** {'; '.join(missing)}.")
    lines.append("![The figures of this run as a chart](images/bench.svg)")
    for group in GROUPS:
        heading, unit, reference = TITLES[group]
        against = next(bar.value for bar in results[group] if bar.side == OURS and bar.title == reference)
        rows = [(bar.side, bar.title, rounded(bar.value), ratio(against / bar.value)) for bar in results[group]]
        lines += [
            f"### {heading}",
            markdown(["", "", unit, f"{reference.split(',')[0]} is faster by a factor of"], rows, 2),
        ]
        if group == PLAIN_C:
            lines.append(beside_c(sides))
            console.print(f"\n{lines[-1]}")
        console.print(f"\n{heading}, {unit}")
        for row in rows:
            console.print(f"  {row[0]:<12}{row[1]:<72}{row[2]:>12}{row[3]:>10}")
    insert("figures of make bench", "\n\n".join(lines))
    (DOCS / "images" / "bench.svg").write_text(draw([(*TITLES[group][:2], results[group]) for group in GROUPS], OURS))
    console.print(f"\n{lines[0]}\nWritten into docs/performance.md after {time.perf_counter() - began:.0f} s.")


if __name__ == "__main__":
    main()
