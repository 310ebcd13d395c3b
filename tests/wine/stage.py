"""What scenarios share: a Windows in a folder of its own, and its programs."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

GAMES = ["amazons", "connect6", "darkchess", "einstein", "nogo", "xiangqi"]
# Wine on a busy machine is slow to start a program; nothing waits this long otherwise.
TIMEOUT = 90


class Stage:
    """Starts programs for Windows; ends all of them."""

    def __init__(self, wine, programs):
        self.wine = wine
        self.source = programs
        self.processes = []

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="agon-wine-", ignore_cleanup_errors=True)
        self.root = pathlib.Path(self.temporary.name)
        self.prefix = self.root / "prefix"
        self.bin = self.root / "bin"
        self.bin.mkdir()
        for name in ["referee", *GAMES, "rogue", "trivial"]:
            found = self.source / f"{name}.exe"
            # One program holds all others, and runs the one by whose name it is started.
            shutil.copy2(found if found.exists() else self.source / "programs.exe", self.bin / f"{name}.exe")
        self.environment = os.environ | {"WINEPREFIX": str(self.prefix), "LC_ALL": "C.UTF-8"}
        began = time.monotonic()
        # The first program makes the prefix.
        subprocess.run([self.wine, "cmd", "/c", "ver"], env=self.environment, check=True,
                       capture_output=True, timeout=4 * TIMEOUT)
        self.started = time.monotonic() - began
        return self

    def __exit__(self, *_):
        self.clear()
        subprocess.run([self.wine, "wineboot", "--kill"], env=self.environment, capture_output=True,
                       timeout=TIMEOUT)
        self.temporary.cleanup()

    def enter(self, name):
        """Gives a scenario a folder of its own, beside that of the programs."""
        self.folder = self.root / name
        self.folder.mkdir()

    def clear(self):
        """Ends the programs of a scenario, whether it passed or failed."""
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait(TIMEOUT)
        self.processes.clear()

    def start(self, program, *arguments, folder=None, **more):
        """Starts a program; its output goes to files."""
        number = len(list(self.root.glob("*.out")))
        out, err = (open(self.root / f"{number}.{end}", "w+b") for end in ("out", "err"))
        more = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err} | more
        path = program if "/" in str(program) else self.bin / f"{program}.exe"
        process = subprocess.Popen([self.wine, str(path), *map(str, arguments)],
                                   env=self.environment, cwd=folder or self.folder, **more)
        process.files = (pathlib.Path(out.name), pathlib.Path(err.name))
        self.processes.append(process)
        return process

    def end(self, process):
        """Waits for a program: its status and its two outputs."""
        code = process.wait(TIMEOUT)
        return code, *(path.read_text(errors="replace") for path in process.files)

    def command(self, program, *arguments, status=0, folder=None):
        """Runs a program to its end; returns what it printed."""
        code, out, err = self.end(self.start(program, *arguments, folder=folder))
        told = f"{program} {' '.join(map(str, arguments))}: status {code}: {out[-1500:]}{err[-1500:]}"
        assert code == status, told
        return out + err

    def until(self, what, condition):
        """Waits for a value that is true."""
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            if value := condition():
                return value
            time.sleep(0.02)
        raise AssertionError(f"never {what}")

    def running(self, program):
        """The ids of the running processes of a program of this Windows."""
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            try:
                words = (folder / "cmdline").read_bytes()
                if f"{program}.exe".encode() in words:
                    if f"WINEPREFIX={self.prefix}".encode() in (folder / "environ").read_bytes():
                        found.append(int(folder.name))
            except (OSError, ValueError):
                pass  # not a process, or one that has ended
        return found


def games(log):
    """The games in a log."""
    lines = pathlib.Path(log).read_text(encoding="utf-8").splitlines()
    return [game for game in map(json.loads, lines[1:]) if "game" in game]
