"""Runs one shard of a sharded command and checks its result.

A command is a list of words with two placeholders: `{shard}` becomes K/N and `{out}` the file that it
must write. The command runs in its own process group. It fails if its exit status is not 0, if it
exceeds its deadline, or if its file is missing or has a wrong number of rows. The whole group is
killed when the command ends, and when the process that started it is killed, so that no engine or
hung worker stays behind.

The command writes beside the final file (FILE.run), under the same name at every attempt. A command
that can resume its own output, such as a match, therefore continues after a kill, a deadline or a
power cut. Output that it refuses to resume twice is removed: once may mean that a killed referee still
holds its lock.

It needs only Python's standard library, so any scheduler can use this file by itself:

    python3 shard.py --shard 3/8 --out 3.jsonl --deadline 600 -- COMMAND ... {shard} ... {out}
"""

import argparse
import collections
import contextlib
import fcntl
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import time

# Bytes of the command's standard error that are kept.
TAIL = 2000
# Seconds that copying a file to or from another machine may take.
COPY_SECONDS = 600
# Seconds between two attempts.
PAUSE_SECONDS = 1
# The first half of the eight bytes with which a file of games of `tune play` begins.
GAMES = b"AGON"

# The shell waits for the end of file on descriptor 3, whose only writer is our process: it comes when
# we close it or are killed. Process 0 of kill is the shell's own group, which is the command's.
GUARD = '(read -r _ <&3; kill -KILL 0) >/dev/null 2>&1 & exec 3<&-; exec "$@"'

Result = collections.namedtuple("Result", "part seconds")


class ShardError(Exception):
    """Why the result of a shard is wrong."""

    # Whether the command itself ended with an error, which may be due to output of an earlier attempt.
    refused = False


def words(command, part, of, out):
    """The command with its placeholders filled in."""
    return [w.replace("{shard}", f"{part}/{of}").replace("{out}", str(out)) for w in command]


def execute(command, deadline, errors, cwd=None):
    """Runs the command in the folder `cwd`, with standard error to the file `errors`. Raises
    ShardError unless it succeeds within `deadline` seconds."""
    alive, lifeline = os.pipe()
    try:
        with open(errors, "wb") as stderr:
            child = subprocess.Popen(
                ["/bin/sh", "-c", f"exec 3<&{alive}; {GUARD}", "shard", *command],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                start_new_session=True,
                pass_fds=[alive],
                cwd=cwd,
            )
        try:
            status = child.wait(deadline)
        except subprocess.TimeoutExpired:
            raise ShardError(f"not done after {deadline:g} s; killed")
        finally:
            end_group(child)
    finally:
        os.close(alive)
        os.close(lifeline)
    if status:
        text = errors.read_bytes()[-TAIL:].decode(errors="replace").strip()
        how = f"killed by signal {-status}" if status < 0 else f"exit status {status}"
        error = ShardError(f"{how}: {text or 'no output on standard error'}")
        error.refused = status > 0
        raise error


def end_group(child):
    """Kills what is left of the child's process group, the child included."""
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()


def check_rows(text, part, of):
    """Raises ShardError unless the file has the rows that its first line promises."""
    lines = text.splitlines()
    try:
        header = json.loads(lines[0])
    except (IndexError, ValueError):
        raise ShardError("its first line is no JSON header")
    if not isinstance(header, dict):
        raise ShardError("its first line is no JSON header")
    claimed = header.get("shard") or {}
    if (claimed.get("part"), claimed.get("of")) != (part, of):
        raise ShardError(f"its header says shard {claimed}, not {part}/{of}")
    if "agon_match_log" in header:
        rows = [json.loads(line) for line in lines[1:]]
        for row in rows:
            if "continue" in row:
                header["schedule"]["pairings"][0]["games"] = row["continue"]["to"]
        wanted = set(games(header["schedule"], part, of))
        found = [row["game"] for row in rows if "game" in row]
        if len(found) != len(set(found)) or set(found) != wanted:
            raise ShardError(f"{len(set(found))} different games of {len(wanted)}")
    elif isinstance(header.get("rows"), int):
        if len(lines) - 1 != header["rows"]:
            raise ShardError(f"{len(lines) - 1} rows of {header['rows']}")
    else:
        raise ShardError("its header says neither `rows` nor a schedule: rows cannot be counted")


def check_games(content):
    """Raises ShardError unless a file of games that `tune play` wrote ends with a whole game. It does
    not say how many there are, nor which shard it is."""
    at = len(GAMES) + 4
    while at < len(content):
        # The number of plies, the result, and four bytes per ply.
        at += 3 + 4 * int.from_bytes(content[at:at + 2], "little")
    if at != len(content):
        raise ShardError("its last game is incomplete")


def check(content, part, of):
    """Raises ShardError if the contents of a file are no whole shard."""
    if content.startswith(GAMES):
        check_games(content)
    else:
        check_rows(content.decode(errors="replace"), part, of)


def games(schedule, part, of):
    """The games of a match's shard: pairs are dealt to the shards in turn."""
    first_game = first_pair = 0
    for pairing in schedule["pairings"]:
        low, high = sorted(pairing["games"])
        count = low + high
        for i in range(count):
            pair = i // 2 if i < 2 * low else i - low
            if (first_pair + pair) % of == part - 1:
                yield first_game + i
        first_game += count
        first_pair += high


def outputs(path):
    """What an attempt may leave: its output, and the incomplete output of a match."""
    return [pathlib.Path(f"{path}.run"), pathlib.Path(f"{path}.run.part")]


def discard(path):
    for left in outputs(path):
        left.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(path):
    """Only one attempt at a time works on a file. The lock of a killed attempt ends with it."""
    with open(f"{path}.lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ShardError(f"another process works on {path}") from None
        try:
            yield
        finally:
            pathlib.Path(lock.name).unlink(missing_ok=True)


def run(command, part, of, deadline, path, remove=False):
    """Makes shard `part` of `of` in the file `path`; returns the part and the seconds that it took.

    An attempt continues the output that an earlier one left. It raises ShardError if it fails, and with
    `remove` removes the output if the command refuses to continue it.
    """
    begun = time.monotonic()
    path = pathlib.Path(path)
    out = outputs(path)[0]
    errors = pathlib.Path(f"{path}.stderr")
    with locked(path):
        resumed = any(left.exists() for left in outputs(path))
        try:
            execute(words(command, part, of, out), deadline, errors)
            if not out.exists():
                raise ShardError("it ended well but wrote no file")
            try:
                check(out.read_bytes(), part, of)
            except ShardError:
                discard(path)
                raise
        except ShardError as error:
            error.refused &= resumed
            if remove and error.refused:
                discard(path)
            raise
        finally:
            errors.unlink(missing_ok=True)
        out.rename(path)
    return Result(part, time.monotonic() - begun)


def insist(command, part, of, deadline, path, attempts, told):
    """Tries a shard up to `attempts` times, and tells why an attempt failed; its Result, or None."""
    refused = False
    for attempt in range(1, attempts + 1):
        try:
            return run(command, part, of, deadline, path, refused)
        except (ShardError, OSError) as error:
            told(f"shard {part}/{of}, attempt {attempt}: {error}")
            refused = getattr(error, "refused", False)
            time.sleep(PAUSE_SECONDS if attempt < attempts else 0)
    return None


def prepare(path):
    """Makes the folder of a file and checks that the file can be written."""
    aside = pathlib.Path(f"{path}.new")
    aside.parent.mkdir(parents=True, exist_ok=True)
    aside.open("wb").close()
    aside.unlink()


def write(path, content):
    """Writes a file under a temporary name and renames it when it is complete and on the disk."""
    aside = pathlib.Path(f"{path}.new")
    with open(aside, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    aside.rename(path)


def there(ssh, script, path, content=None):
    """The output of a shell script on the other machine, where `$f` is the file at the same path as here."""
    words = [*shlex.split(ssh), f"f={shlex.quote(os.path.abspath(path))}; {script}"]
    stdin = {"stdin": subprocess.DEVNULL} if content is None else {"input": content}
    try:
        done = subprocess.run(words, capture_output=True, timeout=COPY_SECONDS, **stdin)
    except subprocess.TimeoutExpired:
        raise ShardError(f"`{ssh}`: {path} is not copied after {COPY_SECONDS} s") from None
    if done.returncode:
        said = done.stderr[-TAIL:].decode(errors="replace").strip()
        raise ShardError(f"`{ssh}`: {path} cannot be copied: {said or f'exit status {done.returncode}'}")
    return done.stdout


def send(path, ssh):
    """Copies a file to the same path on another machine. A broken connection leaves no incomplete file."""
    content = pathlib.Path(path).read_bytes()
    # The shell does not see that a connection breaks, but it can count.
    script = (f'mkdir -p "${{f%/*}}" && cat >"$f.$$" && if [ $(wc -c <"$f.$$") = {len(content)} ]; '
              'then mv "$f.$$" "$f"; else rm "$f.$$"; echo "the copy is incomplete" >&2; exit 1; fi')
    there(ssh, script, path, content)


def fetch(path, ssh):
    """Copies a file from the same path on another machine; if there is none, there is none here either."""
    # The first byte says whether there is a file.
    content = there(ssh, 'if [ -e "$f" ]; then echo && cat "$f"; fi', path)
    if content:
        write(path, content[1:])
    else:
        pathlib.Path(path).unlink(missing_ok=True)


def parse_shard(text):
    """(K, N) of K/N."""
    part, _, of = os.path.expandvars(text).partition("/")
    if not (part.isdigit() and of.isdigit() and 1 <= int(part) <= int(of)):
        raise argparse.ArgumentTypeError(f"`{text}`: expected K/N with K from 1 to N, such as 1/4 or $HQ_TASK_ID/4")
    return int(part), int(of)


def main():
    parser = argparse.ArgumentParser(description="Run one shard of a command under a deadline.")
    parser.add_argument("--shard", type=parse_shard, required=True, metavar="K/N",
                        help="may name environment variables, such as $HQ_TASK_ID/64")
    parser.add_argument("--out", type=os.path.expandvars, required=True, metavar="FILE",
                        help="kept if it is there already; may name environment variables")
    parser.add_argument("--ssh", metavar="COMMAND",
                        help="a machine to which the complete file is sent, to the same path, such as 'ssh HOST'")
    parser.add_argument("--deadline", type=float, default=3600, metavar="SECONDS")
    parser.add_argument("--attempts", type=int, default=4, metavar="N")
    parser.add_argument("command", nargs="+", help="with {shard} and {out} in it")
    flags = parser.parse_args()
    part, of = flags.shard
    say = lambda text: print(text, file=sys.stderr, flush=True)
    path = pathlib.Path(flags.out)
    try:
        if not path.exists():
            # Checked before the work starts.
            prepare(path)
            if flags.ssh:
                fetch(path, flags.ssh)
        if not path.exists() and not insist(flags.command, part, of, flags.deadline, path, flags.attempts, say):
            return 1
        if flags.ssh:
            send(path, flags.ssh)
    except (ShardError, OSError) as error:
        say(f"shard {part}/{of}: --out {path} cannot be written: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
