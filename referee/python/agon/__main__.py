"""The referee: `agon` and `python -m agon` are the program `referee` of this package."""

from __future__ import annotations

import os
import subprocess
import sys

from ._programs import ENDING, PROGRAMS


def main() -> int:
    """Starts the referee with the arguments of this process; its engines are found by their names."""
    program = PROGRAMS / f"referee{ENDING}"
    if not program.is_file():
        print(f"agon: {program} is missing: this package was built without programs", file=sys.stderr)
        return 1
    os.environ["PATH"] = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)])
    words = [str(program), *sys.argv[1:]]
    if os.name == "nt":
        return subprocess.call(words)
    os.execv(program, words)


if __name__ == "__main__":
    sys.exit(main())
