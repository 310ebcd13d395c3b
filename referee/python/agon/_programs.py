"""Where the programs of this package are."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from ._errors import EngineStartError

PROGRAMS = Path(__file__).parent / "bin"
ENDING = ".exe" if os.name == "nt" else ""


def find(name: str) -> str:
    """The path of a program of this package; a name that it has not is left to the search path."""
    path = PROGRAMS / (name + ENDING)
    return str(path) if path.is_file() else name


def referee() -> Path:
    """The program that guards engines and plays matches."""
    found = shutil.which(find("referee"))
    if found is None:
        raise EngineStartError(
            f"{PROGRAMS} has no program `referee`, and neither has PATH: this package was built without programs"
        )
    return Path(found)
