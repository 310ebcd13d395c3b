"""What the tests of running shards share: the commands that they run, and what they look at."""

import contextlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import shard

# A faulty worker: the first attempt of a shard kills itself, hangs with a child process, or drops a row
# and reports success, as the first argument says for the shard.
FAULTY = '''#!/usr/bin/env python3
import os, pathlib, signal, subprocess, sys, time
faults, folder, always, shard, out, *command = sys.argv[1:]
part = shard.split("/")[0]
fault = dict(word.split(":") for word in faults.split(",") if word).get(part)
marker = pathlib.Path(folder) / f"tried-{part}"
first = not marker.exists()
with open(marker, "a") as file:
    file.write(f"{os.getpid()}\\n")
fault = fault if first or always == "always" else None
if fault == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if fault == "hangs":
    subprocess.Popen(["sleep", "987654"])
    time.sleep(987654)
status = subprocess.run(command).returncode
if fault == "lies":
    lines = pathlib.Path(out).read_text().splitlines(True)
    pathlib.Path(out).write_text("".join(lines[:-1]))
if fault == "fails":
    sys.exit("failing on purpose")
sys.exit(status)
'''


class Skip(Exception):
    """Why a kind of tests cannot run here."""


class Bench:
    """A folder with a faulty worker, and the commands that are run in it."""

    def __init__(self, programs, folder):
        self.programs = programs
        self.folder = pathlib.Path(folder)
        self.worker = self.script("worker", FAULTY)
        self.runs = 0

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def classes(self, *more):
        return [str(self.programs / "lab"), "darkchess", "classes", "--method", "pattern", *more]

    def sharded(self):
        return self.classes("--shard", "{shard}", "--out", "{out}")

    def faulty(self, faults, always=False):
        """The classes command behind the faulty worker, with a new memory of what was tried."""
        self.runs += 1
        self.tried = self.folder / f"run-{self.runs}"
        self.tried.mkdir()
        words = [str(self.worker), faults, str(self.tried), "always" if always else "once",
                 "{shard}", "{out}"]
        return words + self.sharded()

    def match(self, games, *more):
        """A sharded match between random players."""
        amazons = self.programs / "amazons"
        return [str(self.programs / "referee"), "match", "--game", "amazons", "--games", str(games),
                "--engine", f"name=a,cmd={amazons},option.Algorithm=random",
                "--engine", f"name=b,cmd={amazons},option.Algorithm=random,option.Seed=2",
                *more, "--quiet", "--seed", "1", "--shard", "{shard}", "--log", "{out}"]

    def sprt(self, *more):
        """A sequential test that H1 wins after some twenty pairs."""
        return [str(self.programs / "referee"), "sprt", "--game", "amazons", "--depth", "1", "--elo1",
                "60", "--seed", "1", "--new", f"cmd={self.programs / 'trivial'} 1", "--base",
                f"cmd={self.programs / 'rogue'} illegal", *more]

    def plain_test(self):
        """The verdict and the games that decide the test in one process."""
        log = self.folder / "one.jsonl"
        done = subprocess.run(self.sprt("--log", str(log), "--quiet"), capture_output=True, text=True)
        last = 2 * int(re.search(r"after (\d+) pairs", done.stdout)[1])
        return verdict(done.stdout), {game: text for game, text in moves(log).items() if game < last}

    def sequential(self, on, *flags, within=()):
        """The test over several workers, started."""
        words = [*(within or [sys.executable, str(HERE / "sequential")]), "--on", on, "--out",
                 str(self.folder / on), *flags, "--", *self.sprt()]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def attempts(self, part):
        """The process numbers of a shard's attempts."""
        file = self.tried / f"tried-{part}"
        return [int(n) for n in file.read_text().split()] if file.exists() else []

    def runner(self, part, of, out, command, *flags):
        return [sys.executable, str(HERE / "shard.py"), "--shard", f"{part}/{of}", "--out", str(out),
                *flags, "--", *command]

    def spark(self, command, out, *flags):
        """Runs a command on Spark: the finished process."""
        words = [sys.executable, str(HERE / "spark"), "--out", str(self.folder / out), *flags, "--"]
        done = subprocess.run(words + command, capture_output=True, text=True, timeout=600)
        if done.returncode == 77:
            raise Skip(done.stderr.strip().removeprefix("SKIPPED: "))
        return done

    def expected(self):
        """The rows of an unsharded run, without times."""
        out = self.folder / "whole"
        if not out.exists():
            subprocess.run(self.classes("--json", "--out", str(out)), check=True,
                           stdout=subprocess.DEVNULL)
        return rows(out)

    def merged(self, out):
        """The rows that the shards' files in a folder make."""
        whole = self.folder / f"{out}.jsonl"
        subprocess.run([str(self.programs / "lab"), "darkchess", "classes", "merge", "--out", str(whole),
                        *files_of(self.folder / out)], check=True, stdout=subprocess.DEVNULL)
        return rows(whole)


def files_of(folder):
    return sorted(str(file) for file in folder.glob("*-of-*.jsonl"))


def rows(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    kept = [{k: v for k, v in row.items() if "microseconds" not in k}
            for row in lines if row.get("table") == "classes"]
    assert len(kept) == 6, f"{path}: {len(kept)} rows"
    return kept


def verdict(text):
    """The line of the verdict."""
    return next((line for line in text.splitlines() if line.startswith("SPRT")), text)


def workers(folder, on="local"):
    """The processes that play a part of a test in a folder."""
    found = []
    for line in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            words = line.read_bytes().split(b"\0")
            if b"--through" in words and any(str(folder / on).encode() in word for word in words):
                # The referee descends from the process that plays the part.
                stat = (line.parent / "stat").read_text()
                found.append(int(stat.rpartition(")")[2].split()[1]))
    return found


def whole_lines(path):
    """The complete lines of a file."""
    return path.read_text().split("\n")[:-1] if path.exists() else []


def played(lines):
    """The moves and times of each game among the lines of a log."""
    games = [row for row in map(json.loads, lines) if "game" in row and "moves" in row]
    return {row["game"]: (row["moves"], json.dumps(row.get("stats"))) for row in games}


def moves(log):
    """The moves of each game of a log."""
    return {game: moves for game, (moves, _) in played(whole_lines(log)).items()}


def alive(group):
    """Whether a process of the group is left, dead ones that nobody has asked after not counted."""
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, _, number = stat.read_text().rpartition(")")[2].split()[:3]
            if int(number) == group and state != "Z":
                return True
    return False


def wait(ready, what, seconds=120):
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"{what}: not within {seconds} s"
        time.sleep(0.05)


def refused(bench, command, deadline=60):
    """Why the runner refuses the first of two shards."""
    try:
        shard.run(command, 1, 2, deadline, bench.folder / "refused.jsonl")
    except shard.ShardError as error:
        return str(error)
    raise AssertionError(f"{command} was accepted")
