"""Where benchmarks leave their figures: between marks in docs/performance.md. Nothing is measured here."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"
PAGE = DOCS / "performance.md"


def circumstances(load: tuple[float, float, float], versions: Mapping[str, str]) -> str:
    """When and on what it was measured; `load` is the machine's load average before the run."""
    used = ", ".join(f"{name} {version}" for name, version in versions.items())
    today = date.today()
    return (
        f"Measured on {today.day} {today:%B %Y}, on {os.cpu_count()} cores ({platform.machine()}), with a load "
        f"average of {load[0]:.1f} before the run. Python {platform.python_version()}{used and ', ' + used}."
    )


def markdown(titles: Sequence[str], rows: Iterable[Sequence[str]], numbers_from: int = 1) -> str:
    """A table; columns from `numbers_from` on are aligned to the right."""
    marks = ["---" if i < numbers_from else "---:" for i in range(len(titles))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [titles, marks, *rows])


def insert(mark: str, text: str) -> None:
    """Put the text in place of what stands between the page's two marks of that name."""
    page = PAGE.read_text()
    head, opening, rest = page.partition(f"<!-- {mark} -->\n")
    _, closing, tail = rest.partition(f"<!-- end of {mark} -->\n")
    if not opening or not closing:
        raise SystemExit(f"{PAGE.name} has no marks <!-- {mark} --> and <!-- end of {mark} -->, each on its own line")
    PAGE.write_text(f"{head}{opening}\n{text.strip()}\n\n{closing}{tail}")
