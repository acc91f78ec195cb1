"""Machine code made beforehand for every processor of a kind, in one archive: for container images, clusters, wheels.

An archive fits if its sources, Python, Numba and kind of processor are the same; any other is as good as absent.
"""

from __future__ import annotations

import functools
import os
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

#: The processor that every one of its family can stand in for, as Numba's settings name it.
GENERIC = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
#: What an archive is called inside the package, and beside the cache.
NAME = "prebuilt.zip"


def generic(magic: tuple[str, str, str]) -> tuple[str, str, str]:
    """What Numba would say of the processor here if it were any one of its family."""
    return magic[0], GENERIC["NUMBA_CPU_NAME"], GENERIC["NUMBA_CPU_FEATURES"]


def pack(folder: Path, file: Path) -> None:
    """Put everything in a cache folder into one archive."""
    part = file.with_name(file.name + ".part")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            for code in sorted((*folder.glob("*/*.code"), *folder.glob("*/*.ready"))):
                archive.write(code, code.relative_to(folder).as_posix())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def places(folder: Path) -> Iterator[Path]:
    """Where archives are looked for: at `MALECON_PREBUILT`, else in the package and in the cache folder."""
    chosen = os.environ.get("MALECON_PREBUILT")
    if chosen is None:
        yield Path(__file__).parents[2] / NAME
        yield folder / NAME
    elif chosen:
        yield Path(chosen)


def read(folder: Path, name: str) -> bytes | None:
    """A file from the first archive that has it; None if none has, or it is damaged. `folder` is the cache's."""
    for place in places(folder):
        if name in _names(place):
            with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(place) as archive:
                return archive.read(name)
    return None


@functools.cache
def _names(archive: Path) -> frozenset[str]:
    with suppress(OSError, zipfile.BadZipFile), zipfile.ZipFile(archive) as opened:
        return frozenset(opened.namelist())
    return frozenset()
