"""Distributes the parts of a round of a sequential test: processes on this machine, or HyperQueue.

Each scheduler has `run(unit, parts)`, which yields a result of `work.py` for every part as it ends,
in any order, and `stop()`, which ends everything that still runs. A part whose worker was killed may
have no result.
"""

import base64
import concurrent.futures
import contextlib
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
# The exit status if the chosen scheduler is not installed.
SKIPPED = 77
# Seconds that HyperQueue's server may be away before the driver gives up.
SERVER_SECONDS = 600
# Seconds that a command of HyperQueue may take.
ANSWER_SECONDS = 60
# Seconds after which a cancelled task has ended: its worker kills it after one.
CANCEL_SECONDS = 3


def results(lines):
    """The results among lines of text."""
    for line in lines:
        try:
            result = json.loads(line)
        except ValueError:
            continue
        if isinstance(result, dict) and {"part", "error", "fatal"} <= result.keys():
            yield result


def encode(unit):
    """A unit as a word that no shell and no scheduler changes."""
    return base64.b64encode(json.dumps(unit).encode()).decode()


class Local:
    """Processes on this machine."""

    def __init__(self, given):
        self.given = given
        self.pool = concurrent.futures.ThreadPoolExecutor(given.workers)
        self.processes = set()
        self.stopped = False

    def run(self, unit, parts):
        jobs = [self.pool.submit(self.play, unit, part) for part in parts]
        for job in concurrent.futures.as_completed(jobs):
            yield from results(job.result().splitlines())

    def play(self, unit, part):
        if self.stopped:
            return ""
        words = [sys.executable, str(HERE / "work.py"), "--part", str(part), encode(unit)]
        process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.processes.add(process)
        if self.stopped:
            self.stop()
        output, _ = process.communicate()
        self.processes.discard(process)
        return output

    def stop(self):
        self.stopped = True
        for process in list(self.processes):
            # The worker's command ends with it: see GUARD in shard.py.
            if process.poll() is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
        self.pool.shutdown(wait=False, cancel_futures=True)


def call(*words):
    """(what `hq` prints as JSON, None), or (None, why there is nothing)."""
    try:
        done = subprocess.run(["hq", "--output-mode=json", *words], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=ANSWER_SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {ANSWER_SECONDS} s"
    if done.returncode == 0:
        return json.loads(done.stdout or "{}"), None
    try:
        error = json.loads(done.stdout)["error"]
    except (ValueError, KeyError, TypeError):
        error = done.stderr or f"exit status {done.returncode}"
    return None, " ".join(error.split())


class HyperQueue:
    """An array job of HyperQueue for each round. Its results and the logs of the parts are files in
    --out, which the workers share or reach through --ssh."""

    def __init__(self, given):
        if shutil.which("hq") is None:
            print("SKIPPED: there is no `hq` of HyperQueue", file=sys.stderr)
            sys.exit(SKIPPED)
        self.given = given
        self.out = given.out.resolve()
        # The jobs of one --out have one name: those of a driver that was killed are found by it.
        self.name = f"agon-{hashlib.sha256(str(self.out).encode()).hexdigest()[:16]}"
        if error := call("server", "info")[1]:
            sys.exit(f"no server of HyperQueue answers: {error}\nStart one with `hq server start --journal FILE`; "
                     "HQ_SERVER_DIR names its folder")
        self.stop()

    def run(self, unit, parts):
        """Plays the parts; a server that vanishes is waited for."""
        stem = f"result-{time.time_ns()}-"
        # What the worker says before it fails becomes the error of the task.
        script = 'exec python3 "$0" --part "$HQ_TASK_ID" --result "$1$HQ_TASK_ID" "$2" 2>"$HQ_ERROR_FILENAME"'
        task = ["sh", "-c", script, str(HERE / "work.py"), str(self.out / stem), encode(unit)]
        job = self.ask("submit", f"--name={self.name}", f"--array={','.join(map(str, parts))}", "--task-dir",
                       f"--cwd={os.getcwd()}", "--stdout=none", "--stderr=none",
                       *shlex.split(self.given.hq), "--", *task)["id"]
        # A server that vanished while it took the job may have it twice.
        self.cancel(self.jobs() - {job})
        waiting = {f"{stem}{part}": part for part in parts}
        while waiting:
            running = job in self.jobs()
            # A listing, as network file systems remember that a file was not there.
            for name in sorted(waiting.keys() & set(os.listdir(self.out))):
                yield from results((self.out / name).read_text().splitlines())
                (self.out / name).unlink()
                del waiting[name]
            if not running:
                break
            time.sleep(1)
        yield from self.failures(job, set(waiting.values()))
        self.cancel(self.jobs())

    def failures(self, job, parts):
        """The parts whose tasks ended without a result."""
        tasks = self.ask("task", "list", str(job)).get(str(job)) if parts else []
        if tasks is None:
            print(f"the server no longer knows job {job}: was it started without its --journal?", file=sys.stderr)
        for task in tasks or []:
            if task["id"] in parts and task.get("error"):
                yield {"part": task["id"], "machine": f"of worker {task.get('worker', '?')}",
                       "error": task["error"], "fatal": False}

    def jobs(self):
        """The numbers of the jobs of this --out that wait or run."""
        listed = self.ask("job", "list", "--filter=waiting,running")
        return {job["id"] for job in listed if job["name"] == self.name}

    def ask(self, *words):
        """What `hq` says. A server that does not answer is named and waited for."""
        end, refused = None, 0
        while True:
            answer, error = call(*words)
            if error is None:
                if end:
                    print("the server of HyperQueue answers again", file=sys.stderr)
                return answer
            if call("server", "info")[1] is None:
                # It may have come back just now.
                refused += 1
                if refused > 1:
                    sys.exit(f"`hq {words[0]}` fails: {error}")
            elif end is None:
                end = time.monotonic() + SERVER_SECONDS
                print(f"the server of HyperQueue does not answer: {error}\nNo game in {self.given.out} is lost. Start "
                      f"the server again with its --journal, and the workers, within {SERVER_SECONDS} s", file=sys.stderr)
            elif time.monotonic() > end:
                sys.exit(f"the server of HyperQueue did not come back within {SERVER_SECONDS} s; run the same command "
                         "to resume")
            time.sleep(2)

    def cancel(self, jobs):
        for job in sorted(jobs):
            self.ask("job", "cancel", str(job))
        if jobs:
            time.sleep(CANCEL_SECONDS)

    def stop(self):
        """Ends the jobs of this --out, unless the server is away, with which its workers end."""
        if call("server", "info")[1] is None:
            self.cancel(self.jobs())
        for file in self.out.glob("result-*"):
            file.unlink()


SCHEDULERS = {"hq": HyperQueue, "local": Local}
