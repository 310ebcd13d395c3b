"""Matches, tournaments and sequential tests between engines, played by the referee of this package."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Optional, Union

from . import _programs
from ._programs import PROGRAMS
from ._errors import LogError, MatchError
from .logs import Match, read_log
from .stats import FilePath

EngineFields = Union[str, Mapping[str, Any]]
Flag = Union[str, int, float, bool, Sequence[str], None]

# Complete, games lost by faults, and the verdicts of tests.
COMPLETE = (0, 3, 4, 5)
# How long the referee may take to end after Ctrl-C; its engines have a second each.
END = 60.0
BAR = 24


def match(
    first: EngineFields,
    second: EngineFields,
    *,
    game: str,
    games: int = 100,
    log: FilePath = "match.jsonl",
    progress: Optional[bool] = None,
    **flags: Any,
) -> Match:
    """Plays a match of two engines in pairs of games with swapped sides, and returns what its log says.

    An engine is one of this package by its name, the fields of `--engine` as text ("cmd=./mine,option.Hash=64"), or a
    dictionary: cmd, name, dialect, options, and so on. `movetime` and `margin` are in seconds; `rules` is a dictionary;
    the other arguments are flags of `agon match`, such as tc="10+0.1", concurrency=4 or random_plies=4. Every finished
    game is in the log at once: after Ctrl-C the same call plays the rest.

    >>> import agon, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     played = agon.match(
    ...         {"cmd": "nogo", "name": "search"},
    ...         {"cmd": "nogo", "name": "random", "options": {"Algorithm": "random"}},
    ...         game="nogo", games=2, nodes=2000, seed=1, log=folder + "/match.jsonl")
    ...     sound = agon.verify(played.path)
    >>> played
    <agon.Match of nogo: search - random, 2 games>
    >>> [game.players[game.winner] for game in played.games], sound.verdict
    (['search', 'search'], 'no defect')
    """
    words = ["match", "--game", game, "--games", str(games)]
    words += [word for engine in (first, second) for word in ("--engine", fields(engine))]
    return _play([*words, *_flags(flags)], Path(log), games, progress)


def tournament(
    *engines: EngineFields,
    game: str,
    games: int = 2,
    log: FilePath = "tournament.jsonl",
    progress: Optional[bool] = None,
    **flags: Any,
) -> Match:
    """Plays a tournament, in which each encounter has so many games; the arguments are those of `match`.

    `form` is "round-robin", "gauntlet", "knockout" or "swiss"; other flags are those of `agon tournament`.
    """
    words = ["tournament", "--game", game, "--games", str(games)]
    words += [word for engine in engines for word in ("--engine", fields(engine))]
    return _play([*words, *_flags(flags)], Path(log), None, progress)


def sprt(
    new: EngineFields,
    base: EngineFields,
    *,
    game: str,
    elo0: float = 0.0,
    elo1: float = 10.0,
    log: FilePath = "sprt.jsonl",
    progress: Optional[bool] = None,
    **flags: Any,
) -> Match:
    """Plays until a sequential test decides whether `new` is stronger than `base`; `Match.verdict` says it.

    H0 is a difference of `elo0`, H1 one of `elo1`. Other flags are those of `agon sprt`, such as test="betting",
    alpha=0.05, model="normalised" or games=1000; the rest is as in `match`.
    """
    words = ["sprt", "--game", game, f"--elo0={elo0}", f"--elo1={elo1}", "--new", fields(new), "--base", fields(base)]
    return _play([*words, *_flags(flags)], Path(log), None, progress)


def fields(engine: EngineFields) -> str:
    """An engine as the referee reads it."""
    if isinstance(engine, str):
        return engine
    parts: list[tuple[str, Any]] = []
    for key, value in engine.items():
        if key == "cmd":
            program, *arguments = _words(value)
            parts += [("cmd", program), *(("arg", argument) for argument in arguments)]
        elif key in ("options", "env"):
            prefix = "option" if key == "options" else "env"
            parts += [(f"{prefix}.{name}", one) for name, one in value.items()]
        elif key in ("movetime", "margin"):
            parts.append((key, _milliseconds(value)))
        elif value is not None:
            parts.append((key, value))
    return ",".join(f"{key}={_quoted(_text(value))}" for key, value in parts)


def _words(cmd: Union[str, Sequence[str]]) -> list[str]:
    if not isinstance(cmd, str):
        return [os.fspath(word) for word in cmd] or [""]
    if Path(cmd).is_file():
        return [cmd]
    try:
        return shlex.split(cmd, posix=os.name != "nt") or [""]
    except ValueError as error:
        raise MatchError(f"cmd={cmd!r}: {error}") from None


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quoted(text: str) -> str:
    """A value that may have commas, for the referee."""
    for quote in ('"', "'"):
        if quote not in text:
            return f"{quote}{text}{quote}"
    raise MatchError(f"{text!r}: a value cannot have quotes of both kinds")


def _milliseconds(seconds: Union[str, float]) -> str:
    """A time as the referee reads it; a text is its own."""
    return seconds if isinstance(seconds, str) else f"{max(round(1000 * seconds), 1)}ms"


def _flags(given: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as flags."""
    words: list[str] = []
    for name, value in given.items():
        flag = f"--{name.rstrip('_').replace('_', '-')}"
        if name == "rules":
            words += [word for rule, one in value.items() for word in ("--rule", f"{rule}={_text(one)}")]
        elif value is True:
            words.append(flag)
        elif value is None or value is False:
            continue
        elif name in ("movetime", "margin"):
            words.append(f"{flag}={_milliseconds(value)}")
        elif isinstance(value, (list, tuple)):
            words += [f"{flag}={one}" for one in value]
        else:
            words.append(f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return words


class _Bar:
    """The progress of a match in one line on standard error."""

    def __init__(self, done: int, total: Optional[int], shown: Optional[bool]) -> None:
        in_notebook = "ipykernel" in sys.modules
        self._shown = (sys.stderr.isatty() or in_notebook) if shown is None else shown
        self._done, self._total, self._begin = done, total, time.monotonic()
        self._before = done
        self._score = [0, 0, 0]
        self._draw()

    def game(self, event: Mapping[str, Any]) -> None:
        self._done += 1
        winner = {"first": 0, "second": 1}.get(event["result"])
        if winner is None:
            self._score[1] += 1
        else:
            self._score[0 if event["players"][winner] == 0 else 2] += 1
        self._draw()

    def _draw(self) -> None:
        if not self._shown:
            return
        elapsed = time.monotonic() - self._begin
        text = f"{self._done} games"
        if self._total:
            filled = "=" * min(BAR * self._done // self._total, BAR)
            text = f"{self._done}/{self._total} games [{filled:<{BAR}}]"
            played = self._done - self._before
            if played:
                text += f" ETA {elapsed * (self._total - self._done) / played:.0f} s,"
        wins, draws, losses = self._score
        print(f"\r{text} {wins}-{draws}-{losses}, {elapsed:.0f} s ", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if self._shown:
            print(file=sys.stderr, flush=True)


def _in_log(log: Path) -> int:
    """The number of games that a log has before the match goes on."""
    try:
        return len(read_log(log).games)
    except LogError:
        return 0


def _play(words: list[str], log: Path, total: Optional[int], progress: Optional[bool]) -> Match:
    path = os.pathsep.join([str(PROGRAMS), os.environ.get("PATH", os.defpath)])
    command = [str(_programs.referee()), *words, "--log", str(log), "--json"]
    new_group: Any = {"start_new_session": True}
    if sys.platform == "win32":
        new_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    bar = _Bar(_in_log(log), total, progress)
    # Ctrl-C reaches the referee once only, from here.
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, encoding="utf-8",
            env={**os.environ, "PATH": path}, **new_group,
        ) as referee:
            try:
                for line in referee.stdout or ():
                    event = json.loads(line)
                    if event["event"] == "game":
                        bar.game(event)
                status = referee.wait()
            except BaseException:
                _interrupt(referee)
                raise
            finally:
                bar.end()
        said = _said(errors)
    if status not in COMPLETE:
        raise MatchError(said or f"the referee ended with exit status {status}")
    if said:
        print(said, file=sys.stderr)
    return read_log(log)


def _said(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode(errors="replace").strip().removeprefix("referee: ")


def _interrupt(referee: subprocess.Popen[str]) -> None:
    """Ends the referee as Ctrl-C does: the log has all finished games."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            referee.send_signal(signal.CTRL_BREAK_EVENT)
        else:
            referee.send_signal(signal.SIGINT)
    if referee.stdout:
        # It may have more to say.
        referee.stdout.close()
    try:
        referee.wait(END)
    except BaseException:
        referee.kill()
        raise
