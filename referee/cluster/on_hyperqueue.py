"""Tests on HyperQueue. Each machine is a worker in namespaces of its own, with another host name and other mounts."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

from bench import HERE, Skip, files_of, moves, played, verdict, wait, whole_lines, workers
import shard
import work

# Runs a script on what looks like another machine.
MACHINE = ["unshare", "--uts", "--mount", "sh", "-ec"]


def hq(*words):
    """What a command of HyperQueue prints as JSON."""
    done = subprocess.run(["hq", "--output-mode=json", *words], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"hq {words}: {done.stdout}{done.stderr}"
    return json.loads(done.stdout or "{}")


def submit(shards, runner):
    """The job whose tasks are the shards of a command of `shard.py`."""
    return hq("submit", f"--array=1-{shards}", "--stdout=none", "--stderr=none", "--", *runner)["id"]


class Queue:
    """A server of HyperQueue on the loopback address, and its workers, each on a machine of its own: it has
    its own host name and mounts. As on other machines a worker is started again until the server is stopped."""

    def __init__(self, bench):
        if shutil.which("hq") is None:
            raise Skip("there is no `hq` of HyperQueue")
        if subprocess.run([*MACHINE, "hostname other; mount -t tmpfs none /mnt"], capture_output=True).returncode:
            raise Skip("workers of HyperQueue cannot have a host name and mounts of their own here")
        self.folder = bench.folder / "queue"
        (self.folder / "worker").mkdir(parents=True)
        self.machines = []
        os.environ["HQ_SERVER_DIR"] = str(self.folder)
        with socket.socket() as one, socket.socket() as two:
            ports = []
            for s in (one, two):
                s.bind(("127.0.0.1", 0))
                ports.append(s.getsockname()[1])
        hq("server", "generate-access", str(self.folder / "full"), "--host=127.0.0.1",
           f"--client-port={ports[0]}", f"--worker-port={ports[1]}", f"--worker-file={self.folder}/worker/access.json")

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        for process in [*self.machines, self.server]:
            self.kill(process)

    def begin(self, words):
        with open(self.folder / "log", "ab") as log:
            return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)

    def start(self):
        self.server = self.begin(["hq", "server", "start", f"--access-file={self.folder}/full",
                                  f"--journal={self.folder}/journal"])
        info = ["hq", "server", "info"]
        wait(lambda: subprocess.run(info, capture_output=True).returncode == 0, "the server's start", 30)

    def machine(self, name, *mounts):
        """A worker with one processor where these mounts were made."""
        script = [f"hostname {name}", *mounts, f"export HQ_SERVER_DIR={self.folder}/worker",
                  "until hq worker start --cpus 1; do sleep 1; done"]
        self.machines.append(self.begin([*MACHINE, "\n".join(script)]))
        return self.machines[-1]

    def kill(self, process):
        """Ends a server, or a machine, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def shards_of_a_match_outlive_a_killed_machine_and_a_killed_server(bench):
    command, whole = bench.match(80, "--movetime", "20"), bench.folder / "whole.jsonl"
    subprocess.run(shard.words(command, 1, 1, whole), check=True)
    runner = bench.runner("$HQ_TASK_ID", 4, bench.folder / "match" / "$HQ_TASK_ID-of-4.jsonl", command)
    unfinished = lambda: list((bench.folder / "match").glob("*.run.part"))
    lines = lambda: {file: whole_lines(file) for file in unfinished()}
    with Queue(bench) as queue:
        first = queue.machine("first")
        queue.machine("second")
        job = submit(4, runner)
        wait(lambda: sum(len(text) > 2 for text in lines().values()) > 1, "the first games of two shards")
        queue.kill(first)
        before = lines()
        wait(lambda: sum(map(len, lines().values())) > sum(map(len, before.values())), "games after that")
        queue.kill(queue.server)
        before |= lines()
        queue.start()
        hq("job", "wait", str(job))
    assert before and not unfinished(), "nothing was interrupted"
    for file, text in before.items():
        kept, all_games = played(text), played(whole_lines(file.with_name(file.name.removesuffix(".run.part"))))
        assert kept.items() <= all_games.items() and len(all_games) == 20, f"{file}: games were played again"
    merged = bench.folder / "merged.jsonl"
    subprocess.run([bench.programs / "referee", "merge", "--out", merged, *files_of(bench.folder / "match")],
                   check=True, stdout=subprocess.DEVNULL)
    assert moves(merged) == moves(whole)


def a_slow_machine_and_faulty_workers_end_in_the_right_answer(bench):
    slow = ["sh", "-c", '[ "$(hostname)" = slow ] && sleep 3; exec "$@"', "sh"]
    command = slow + bench.faulty("1:killed,2:hangs,3:lies,4:fails")
    out = bench.folder / "shards" / "$HQ_TASK_ID-of-8.jsonl"
    runner = bench.runner("$HQ_TASK_ID", 8, out, command, "--deadline", "10")
    with Queue(bench) as queue:
        queue.machine("slow"), queue.machine("quick")
        job = submit(8, runner)
        hq("job", "wait", str(job))
        tasks = hq("task", "list", str(job))[str(job)]
    assert bench.merged("shards") == bench.expected()
    assert [len(bench.attempts(part)) for part in range(1, 9)] == [2, 2, 2, 2, 1, 1, 1, 1]
    assert len({task["worker"] for task in tasks}) == 2, tasks


def a_test_on_hyperqueue_outlives_a_killed_machine_and_a_killed_server(bench):
    expected, games = bench.plain_test()
    with Queue(bench) as queue:
        first = queue.machine("first")
        flags = ["--parts", "3", "--round", "2", "--bench", ""]
        driver = bench.sequential("hq", *flags)
        wait(lambda: workers(bench.folder, "hq"), "a worker")
        driver.kill()
        driver.communicate()
        test = bench.sequential("hq", *flags)
        wait(lambda: workers(bench.folder, "hq"), "a worker")
        queue.kill(first)
        queue.machine("second")
        wait(lambda: files_of(bench.folder / "hq"), "the first games")
        queue.kill(queue.server)
        time.sleep(4)
        queue.start()
        out, errors = test.communicate(timeout=240)
        assert test.returncode == 0 and verdict(out) == expected, out + errors
        assert "does not answer" in errors and "answers again" in errors, errors
        assert not [job for job in hq("job", "list") if job["name"].startswith("agon-")]
    assert games.items() <= moves(bench.folder / "hq" / "test.jsonl").items()
    wait(lambda: not workers(bench.folder, "hq"), "the end of all workers", 20)


def a_test_needs_no_shared_folder_and_the_slow_machine_is_named(bench):
    expected, games = bench.plain_test()
    (bench.folder / "hq").mkdir()
    # Takes the place of ssh: runs the command where the driver is.
    ssh = bench.script("ssh", f'#!/bin/sh\nshift\nexec nsenter --target {os.getpid()} --mount sh -c "$*"\n')
    speed = bench.script("speed", '#!/bin/sh\n[ "$(hostname)" = slow ] && sleep 3\nsleep 0.5\n')
    with Queue(bench) as queue:
        for name in ("slow", "quick"):
            queue.machine(name, f"mount -t tmpfs none {bench.folder}/hq")
        # Their names are part of the key under which their speed is remembered.
        test = bench.sequential("hq", "--parts", "4", "--round", "6", "--bench", f"{speed} {bench.folder}",
                                "--ssh", f"{ssh} driver")
        out, errors = test.communicate(timeout=240)
    assert test.returncode == 0 and verdict(out) == expected, out + errors
    assert "machine slow is slow: bench takes" in errors and "quick is slow" not in errors, errors
    assert games.items() <= moves(bench.folder / "hq" / "test.jsonl").items()
    assert not list((bench.folder / "hq").glob("*-of-4.jsonl.*")), "the folder was shared"


def a_machine_with_another_program_is_refused_by_name(bench):
    other, program = bench.folder / "other", bench.programs / "trivial"
    other.write_bytes(program.read_bytes() + b"\0")
    other.chmod(0o755)
    with Queue(bench) as queue:
        queue.machine("like-the-driver")
        queue.machine("strange", f"mount --bind {other} {program}")
        test = bench.sequential("hq", "--parts", "4", "--round", "2", "--bench", "")
        errors = test.communicate(timeout=240)[1]
    assert test.returncode == 1, errors
    assert f"machine strange, part" in errors and f"{program} has the SHA-256 {work.sha256(other)}" in errors, errors


def a_machine_that_cannot_play_is_named(bench):
    with Queue(bench) as queue:
        queue.machine("empty", f"mount -t tmpfs none {HERE}")
        test = bench.sequential("hq", "--parts", "2", "--attempts", "2", "--bench", "")
        errors = test.communicate(timeout=240)[1]
    assert test.returncode == 1 and "part 1/2 failed 2 times" in errors, errors
    assert "machine of worker 1, part 1/2: python3: can't open file" in errors, errors


def a_server_that_stays_away_is_named_and_the_test_resumes(bench):
    expected, games = bench.plain_test()
    flags = ["--parts", "3", "--round", "2", "--bench", ""]
    sequential = str(HERE / "sequential")
    impatient = [sys.executable, "-c", "import runpy, sys; sys.argv[0] = sys.argv.pop(1); sys.path.insert(0, sys.argv.pop(1))\n"
                 "import schedulers; schedulers.SERVER_SECONDS = 2; runpy.run_path(sys.argv[0], run_name='__main__')",
                 sequential, str(HERE)]
    with Queue(bench) as queue:
        queue.machine("first")
        test = bench.sequential("hq", *flags, within=impatient)
        wait(lambda: files_of(bench.folder / "hq"), "the first games")
        queue.kill(queue.server)
        errors = test.communicate(timeout=60)[1]
        assert test.returncode == 1 and "did not come back within 2 s; run the same command" in errors, errors
        assert "Traceback" not in errors, errors
        test = bench.sequential("hq", *flags)
        errors = test.communicate(timeout=60)[1]
        assert test.returncode == 1 and "no server of HyperQueue answers" in errors, errors
        queue.start()
        test = bench.sequential("hq", *flags)
        out, errors = test.communicate(timeout=240)
    assert test.returncode == 0 and verdict(out) == expected, out + errors
    assert games.items() <= moves(bench.folder / "hq" / "test.jsonl").items()


TESTS = [
    shards_of_a_match_outlive_a_killed_machine_and_a_killed_server,
    a_slow_machine_and_faulty_workers_end_in_the_right_answer,
    a_test_on_hyperqueue_outlives_a_killed_machine_and_a_killed_server,
    a_test_needs_no_shared_folder_and_the_slow_machine_is_named,
    a_machine_with_another_program_is_refused_by_name,
    a_machine_that_cannot_play_is_named,
    a_server_that_stays_away_is_named_and_the_test_resumes,
]
