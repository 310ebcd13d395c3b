"""Plays one part of one round of a sequential test, on whichever machine it is started.

Before it plays it compares the SHA-256 of the programs with those that the driver expects, and times
the bench command once a machine. Its result is one JSON line:

    {"part": 3, "machine": "hostA", "bench_seconds": 2.1, "seconds": 63.0, "error": null, "fatal": false}

It needs only Python's standard library and `shard.py` beside it.
"""

import argparse
import base64
import fcntl
import hashlib
import json
import os
import pathlib
import shlex
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import shard

# Seconds that a bench command may take.
BENCH_DEADLINE = 600


def sha256(path):
    """The SHA-256 of a file in hexadecimal digits."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def wrong_file(pins, cwd):
    """What is wrong with the first file that is not the expected one, or None."""
    for path, expected in pins.items():
        try:
            found = sha256(pathlib.Path(cwd, path))
        except OSError as error:
            return f"{path}: {error.strerror}"
        if found != expected:
            return f"{path} has the SHA-256 {found}, expected {expected}"
    return None


def bench(command, pins, machine, cwd):
    """Seconds of the bench command, or None if there is none or it fails; measured once a machine."""
    if not command:
        return None
    key = json.dumps([command, pins, machine, os.getuid()])
    name = f"agon-bench-{os.getuid()}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    with open(pathlib.Path(tempfile.gettempdir()) / name, "a+") as file:
        # A second part that starts on this machine waits for the first one's measurement.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        known = file.read()
        if not known:
            known = json.dumps(measure(shlex.split(command), cwd))
            file.write(known)
        return json.loads(known)


def measure(command, cwd):
    begun = time.monotonic()
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=BENCH_DEADLINE, cwd=cwd)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return None if done.returncode else round(time.monotonic() - begun, 3)


def play(unit, machine):
    """Plays a unit in the driver's working directory, which is the same on all machines: the result."""
    begun = time.monotonic()
    result = {"part": unit["part"], "machine": machine, "bench_seconds": None, "error": None, "fatal": False}
    cwd = unit["cwd"]
    if not os.path.isdir(cwd):
        return {**result, "error": f"{cwd}: there is no such folder", "fatal": True}
    if error := wrong_file(unit["pins"], cwd):
        return {**result, "error": error, "fatal": True}
    result["bench_seconds"] = bench(unit["bench"], unit["pins"], machine, cwd)
    try:
        extend(pathlib.Path(unit["log"]), unit, machine)
    except (shard.ShardError, OSError) as error:
        result["error"] = str(error)
    return {**result, "seconds": round(time.monotonic() - begun, 3)}


def extend(log, unit, machine):
    """Plays the log's part of the schedule further, in the name of a machine. If the log is on another machine it is brought here
    before and sent back after, also when not all games could be played."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if unit["ssh"]:
        shard.fetch(log, unit["ssh"])
    errors = pathlib.Path(f"{log}.stderr")
    words = [*unit["command"], "--shard", f"{unit['part']}/{unit['of']}", "--through",
             str(unit["through"]), "--log", str(log), "--quiet", "--worker", machine]
    try:
        shard.execute(words, unit["deadline"], errors, unit["cwd"])
        if not log.exists():
            raise shard.ShardError("it ended well but wrote no log")
    finally:
        if unit["ssh"] and log.exists():
            shard.send(log, unit["ssh"])
    errors.unlink(missing_ok=True)


def main():
    parser = argparse.ArgumentParser(description="Play a part of a round of a sequential test.")
    parser.add_argument("--part", type=int, required=True)
    parser.add_argument("--result", help="a file for the result, instead of standard output")
    parser.add_argument("unit", help="the unit as JSON in base64")
    flags = parser.parse_args()
    unit = json.loads(base64.b64decode(flags.unit))
    unit |= {"part": flags.part, "log": unit["log"].replace("{part}", str(flags.part))}
    line = json.dumps(play(unit, socket.gethostname())) + "\n"
    if not flags.result:
        print(line, end="", flush=True)
        return
    try:
        pathlib.Path(flags.result).parent.mkdir(parents=True, exist_ok=True)
        shard.write(flags.result, line.encode())
        if unit["ssh"]:
            shard.send(flags.result, unit["ssh"])
    except (shard.ShardError, OSError) as error:
        sys.exit(f"the result cannot be written: {error}")


if __name__ == "__main__":
    main()
