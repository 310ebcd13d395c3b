"""A killed referee takes its engines with it, and an interrupted one ends in order; both matches resume
from their logs."""

import os
import pty

from stage import games

COUNT = 60


def words(log):
    engines = [f"--engine=name={name},cmd=../bin/trivial {seed}" for seed, name in enumerate("ab")]
    return ["match", "--game", "amazons", "--depth", "1", "--games", str(COUNT), "--seed", "1", "--quiet",
            "--margin", "20000", "--ready-time", "60", *engines, "--log", log]


def some_games(stage, log):
    """Waits for the first games."""
    path = stage.folder / log
    return stage.until("a game", lambda: path.exists() and path.read_bytes().count(b"\n") > 3)


def resume(stage, log, expected):
    before = len(games(stage.folder / log))
    assert 2 < before < COUNT, f"{before} games before the match resumes"
    stage.command("referee", *words(log))
    assert [g["moves"] for g in games(stage.folder / log)] == expected
    stage.command("referee", "verify", log)
    return before


def run(stage):
    stage.command("referee", *words("whole.jsonl"))
    expected = [g["moves"] for g in games(stage.folder / "whole.jsonl")]
    assert len(expected) == COUNT

    referee = stage.start("referee", *words("killed.jsonl"))
    some_games(stage, "killed.jsonl")
    code, _, told = stage.end(stage.start("referee", *words("killed.jsonl")))
    assert code == 1 and "another referee" in told, told
    assert stage.running("trivial")
    referee.kill()
    referee.wait()
    stage.until("an end of the engines", lambda: not stage.running("trivial"))
    killed = resume(stage, "killed.jsonl", expected)

    ours, theirs = pty.openpty()
    referee = stage.start("referee", *words("interrupted.jsonl"), stdin=theirs, stdout=theirs, stderr=theirs,
                          start_new_session=True)
    os.close(theirs)
    some_games(stage, "interrupted.jsonl")
    os.write(ours, b"\x03")
    code = stage.until("an end after Ctrl-C", lambda: referee.poll() is not None and [referee.returncode])[0]
    os.close(ours)
    assert code == 130, f"status {code} after Ctrl-C"
    assert not stage.running("trivial")
    interrupted = resume(stage, "interrupted.jsonl", expected)
    return f"resumed after {killed} games and a kill, after {interrupted} games and Ctrl-C"
