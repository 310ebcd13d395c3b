"""Distributes the parts of a round of a sequential test: processes on this machine, GNU parallel with
its ssh hosts, Slurm or Apache Spark.

Each scheduler has `run(unit, parts)`, which yields a result of `work.py` for every part as it ends,
in any order, and `stop()`, which ends everything that still runs. A part whose worker was killed has
no result.
"""

import base64
import concurrent.futures
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
sys.path.insert(0, str(HERE))
import environment
import shard


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


def end_session(process):
    """Kills a process that leads its own group, and the group."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


class Local:
    """Processes on this machine."""

    def __init__(self, given):
        self.given = given
        self.pool = concurrent.futures.ThreadPoolExecutor(given.workers)
        self.processes = set()
        self.stopped = False

    def run(self, unit, parts):
        jobs = [self.pool.submit(self.play, {**unit, "part": part}) for part in parts]
        for job in concurrent.futures.as_completed(jobs):
            yield from results(job.result().splitlines())

    def play(self, unit):
        if self.stopped:
            return ""
        words = [sys.executable, str(HERE / "work.py"), "--folder", str(self.given.out)]
        process = subprocess.Popen([*words, encode(unit)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, text=True, start_new_session=True)
        self.processes.add(process)
        output, _ = process.communicate()
        self.processes.discard(process)
        return output

    def stop(self):
        self.stopped = True
        for process in list(self.processes):
            # The worker's command ends with it: see GUARD in shard.py.
            end_session(process)
        self.pool.shutdown(wait=False, cancel_futures=True)


# Parallel sends nothing to `:`, which is this machine: there the worker is in this folder.
ON_HOST = '''case "$PARALLEL_SSHLOGIN" in :|*/:|"") ;; *) set -- . . "$3" "$4" ;; esac
exec python3 "$1/work.py" --machine "$PARALLEL_SSHLOGIN" --folder "$2" --part "$3" "$4"'''


class Parallel:
    """GNU parallel, on this machine or on the hosts of --sshlogin."""

    def __init__(self, given):
        if shutil.which("parallel") is None:
            environment.skip("there is no GNU `parallel`")
        self.given = given
        self.process = None

    def run(self, unit, parts):
        # A log that does not exist yet cannot be sent.
        old = [part for part in parts if (self.given.out / name_of(unit, part)).exists()]
        for group in (old, [part for part in parts if part not in old]):
            if group:
                yield from self.play(unit, group, send=group is old)

    def play(self, unit, parts, send):
        words = ["parallel", "--will-cite", "--line-buffer", "--quote"]
        if self.given.sshlogin:
            # The log travels to a temporary folder of the machine that plays, and back.
            log = f"{self.given.out.resolve()}/./{name_of(unit, '{}')}"
            words += ["--sshlogin", self.given.sshlogin, "--workdir", "...", "--cleanup",
                      "--transferfile", f"{HERE}/./work.py", "--transferfile", f"{HERE}/./shard.py",
                      "--return", log, *(["--transferfile", log] if send else [])]
            if self.given.ssh:
                words += ["--ssh", self.given.ssh]
        else:
            words += ["--jobs", str(self.given.workers)]
        words += ["sh", "-c", ON_HOST, "sh", str(HERE), str(self.given.out.resolve()),
                  "{}", encode(unit), ":::", *map(str, parts)]
        # Parallel quotes the words for this shell; without it and SHELL nothing runs.
        environ = {**os.environ, "PARALLEL_SHELL": "/bin/sh"}
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        text=True, start_new_session=True, env=environ)
        yield from results(self.process.stdout)
        self.process.wait()

    def stop(self):
        if self.process:
            end_session(self.process)


# Seconds until a cancelled job must have ended.
STOP_SECONDS = 90


class Slurm:
    """An array job of Slurm, with --out on a file system that the nodes share."""

    def __init__(self, given):
        if shutil.which("sbatch") is None:
            environment.skip("there is no `sbatch` of Slurm")
        self.given = given
        # The jobs of one --out have one name: those of a driver that was killed are found by it.
        out = str(given.out.resolve()).encode()
        self.jobs = [f"--user={os.getuid()}", f"--name=agon-{hashlib.sha256(out).hexdigest()[:16]}"]
        self.stop()

    def run(self, unit, parts):
        result = self.given.out.resolve() / "result-{part}.json"
        files = {part: pathlib.Path(str(result).replace("{part}", str(part))) for part in parts}
        for file in files.values():
            file.unlink(missing_ok=True)
        words = [sys.executable, str(HERE / "work.py"), "--folder", str(self.given.out.resolve()),
                 "--result", str(result), encode(unit)]
        # The shell of the job replaces the task's number.
        command = f'{shlex.join(words)} --part "$SLURM_ARRAY_TASK_ID"'
        array = f"--array={','.join(map(str, parts))}%{self.given.workers}"
        submit = ["sbatch", array, "--output=/dev/null", f"--chdir={os.getcwd()}",
                  f"--job-{self.jobs[1][2:]}", *shlex.split(self.given.slurm), f"--wrap={command}"]
        done = subprocess.run(submit, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"sbatch refuses the job: {done.stderr.strip()}")
        while files:
            ended = not self.queued()
            for part, file in list(files.items()):
                if file.exists():
                    yield from results(file.read_text().splitlines())
                    file.unlink()
                    del files[part]
            if ended:
                break
            time.sleep(1)

    def queued(self):
        """Whether a job of this test waits or runs; an error of squeue says nothing of that."""
        done = subprocess.run(["squeue", "--noheader", *self.jobs], capture_output=True, text=True)
        return done.returncode != 0 or bool(done.stdout.strip())

    def stop(self):
        """Ends the jobs of this test and waits for their end, so that their logs are free."""
        end = time.monotonic() + STOP_SECONDS
        while self.queued():
            if time.monotonic() > end:
                sys.exit(f"slurm: a job of {self.given.out} does not end: see `squeue {' '.join(self.jobs)}`")
            subprocess.run(["scancel", *self.jobs], capture_output=True)
            time.sleep(1)
        for file in self.given.out.glob("result-*.json"):
            file.unlink()


class Spark:
    """A Spark job for each part; the log travels with it."""

    def __init__(self, given):
        environment.enter()
        self.given = given
        self.log = environment.quiet(given.out / "spark.log")
        self.session = environment.session(given.master, 1, given.driver_host)
        for name in ("shard.py", "work.py", "environment.py", "schedulers.py"):
            self.session.sparkContext.addPyFile(str(HERE / name))
        self.pool = concurrent.futures.ThreadPoolExecutor(256)

    def run(self, unit, parts):
        jobs = {self.pool.submit(self.play, {**unit, "part": part}): part for part in parts}
        for job in concurrent.futures.as_completed(jobs):
            try:
                result, content = job.result()
            except Exception as error:  # an executor that was lost; py4j's errors have no common type
                reason = environment.reason(error)
                result, content = {"part": jobs[job], "error": reason, "fatal": False}, None
            if content is not None:
                shard.write(self.given.out / name_of(unit, jobs[job]), bytes(content))
            yield result

    def play(self, unit):
        unit["log"] = name_of(unit, unit["part"])
        log = self.given.out / unit["log"]
        before = log.read_bytes() if log.exists() else None
        [result] = self.session.sparkContext.parallelize([(unit, before)], 1).map(on_executor).collect()
        return result

    def stop(self):
        self.pool.shutdown(wait=False, cancel_futures=True)
        self.session.sparkContext.cancelAllJobs()
        self.session.stop()


def name_of(unit, part):
    return unit["log"].replace("{part}", str(part))


def on_executor(argument):
    """Plays a unit in the executor's temporary folder; returns the result and the log."""
    import socket
    import tempfile
    import work

    unit, before = argument
    unit["machine"] = socket.gethostname()
    with tempfile.TemporaryDirectory(prefix="agon-part-") as folder:
        log = pathlib.Path(folder) / unit["log"]
        if before is not None:
            log.write_bytes(before)
        result = work.play(unit, folder)
        return result, None if result["error"] else log.read_bytes()


SCHEDULERS = {"local": Local, "parallel": Parallel, "slurm": Slurm, "spark": Spark}
