"""Match logs as plain objects."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Optional, Union

from . import _agon, stats
from ._agon import Game
from ._errors import MissingPackage
from .stats import FilePath

PlyScore = Union[int, str, None]


@dataclass(frozen=True)
class Decision:
    """A player's turn in a log; `score` is in hundredths, or "#n" for a forced end in n plies, for the player to move."""

    ply: int
    side: int
    move: str
    seconds: float
    depth: Optional[int]
    nodes: Optional[int]
    score: PlyScore
    expected: Optional[float]


@dataclass(frozen=True)
class LoggedGame:
    """A finished game of a log.

    `number` and `pair` count from 1; `players` are names, the first player's first; `moves` are turns and chance
    outcomes after the `opening`; `winner` is 0, 1 or None; `reason` is why the game ended and `ending` the rule that
    ended it.
    """

    number: int
    pair: int
    players: tuple[str, str]
    opening: str
    moves: list[str]
    by: str
    winner: Optional[int]
    reason: str
    ending: Optional[str]
    detail: Optional[str]
    fen: str
    start: Optional[str]
    end: Optional[str]
    decisions: list[Decision]
    stderr: Optional[str]
    rules: dict[str, str]
    game: str

    def replay(self, plies: Optional[int] = None) -> Game:
        """The game after so many of its moves and chance outcomes, by default all."""
        place, _, moves = self.opening.partition(" moves ")
        place = place.strip().removeprefix("fen ")
        played = [*moves.split(), *(self.moves if plies is None else self.moves[:plies])]
        return Game(self.game, None if place == "startpos" else place, moves=played, **self.rules)


def _game(found: dict[str, Any], header: dict[str, Any]) -> LoggedGame:
    moves, by = found["moves"].split(), found["by"]
    plies = [ply for ply, who in enumerate(by) if who != "c"]
    columns = found["stats"]
    missing: list[None] = [None] * len(columns["us"])
    expected = columns.get("expected", missing)
    decisions = [
        Decision(
            ply=ply,
            side="12".index(by[ply]),
            move=moves[ply],
            seconds=columns["us"][i] / 1e6,
            depth=columns["depth"][i],
            nodes=columns["nodes"][i],
            score=columns["score"][i],
            expected=None if expected[i] is None else expected[i] / 1000,
        )
        for i, ply in enumerate(plies)
    ]
    first, second = (header["engines"][i]["name"] for i in found["players"])
    return LoggedGame(
        number=found["game"] + 1,
        pair=found["pair"] + 1,
        players=(first, second),
        opening=found["opening"],
        moves=moves,
        by=by,
        winner={"first": 0, "second": 1}.get(found["result"]),
        reason=found["reason"],
        ending=None if found.get("ending") is None else found["ending"].replace("_", " "),
        detail=found.get("detail"),
        fen=found["fen"],
        start=found.get("start"),
        end=found.get("end"),
        decisions=decisions,
        stderr=found.get("stderr"),
        rules={rule["name"]: rule["value"] for rule in header["rules"]},
        game=header["game"],
    )


@dataclass(frozen=True)
class Match:
    """A match as its log has it: `games` in the order of the schedule, `score` with a row for each engine.

    `str` is the table of the referee, and in a notebook a match shows itself as a table. `header` is the first line of
    the log: engines, options, limits, schedule.
    """

    path: Path
    header: dict[str, Any]
    games: list[LoggedGame]
    score: dict[str, Any]
    text: str

    @property
    def game(self) -> str:
        """The name of the game."""
        return str(self.header["game"])

    @property
    def verdict(self) -> Optional[str]:
        """What the sequential test says: accepted (H1), rejected (H0) or undecided; None if the match has no test."""
        if self.header.get("sprt") is None:
            return None
        return self.statistics()[0].tests[-1].verdict

    @property
    def engines(self) -> list[str]:
        """The names of the engines."""
        return [engine["name"] for engine in self.header["engines"]]

    def statistics(self, **tests: Any) -> list[stats.Statistics]:
        """As `agon.stats.of_logs`."""
        return stats.of_logs(self.path, **tests)

    def to_pandas(self, rows: str = "games") -> Any:
        """A data frame of pandas, with a row for each of the "games" or of the "decisions"."""
        if rows not in ("games", "decisions"):
            raise ValueError(f"rows={rows!r}: expected 'games' or 'decisions'")
        try:
            pandas = importlib.import_module("pandas")
        except ImportError:
            raise MissingPackage("to_pandas needs pandas: pip install pandas") from None
        if rows == "games":
            keys = ("number", "pair", "opening", "winner", "reason", "ending", "detail", "start", "end", "fen")
            found = [
                {**{key: getattr(game, key) for key in keys}, "first": game.players[0], "second": game.players[1],
                 "plies": len(game.moves)}
                for game in self.games
            ]
        else:
            found = [
                {"game": game.number, "engine": game.players[decision.side], **vars(decision)}
                for game in self.games for decision in game.decisions
            ]
        return pandas.DataFrame(found)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<agon.Match of {self.game}: {' - '.join(self.engines)}, {len(self.games)} games>"

    def _repr_html_(self) -> str:
        heads = ("Engine", "Games", "Won", "Drawn", "Lost", "Score", "Elo [95%]", "LOS")
        rows = "".join(f"<tr>{_cells(_row(engine))}</tr>" for engine in self.score["engines"])
        head = "".join(f"<th>{name}</th>" for name in heads)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table><details><pre>{escape(self.text)}</pre></details>"


def _row(engine: dict[str, Any]) -> Sequence[str]:
    wins, draws, losses = engine["wins"], engine["draws"], engine["losses"]
    games = wins + draws + losses
    score = f"{100 * (wins + draws / 2) / games:.2f}%" if games else "-"
    elo = "-"
    if engine["elo_method"] is not None:
        interval = stats._interval({"elo": engine["elo"], "low": engine["elo_low"], "high": engine["elo_high"], "method": ""})
        elo = str(interval)
    los = "-" if engine["los"] is None else f"{100 * engine['los']:.1f}%"
    return [engine["name"], str(games), str(wins), str(draws), str(losses), score, elo, los]


def _cells(texts: Sequence[str]) -> str:
    return "".join(f"<td>{escape(text)}</td>" for text in texts)


def read_log(path: FilePath) -> Match:
    """Reads a match log. A line that is wrong, or a broken chain, is refused; `verify` replays the games."""
    header, games, score, text = _agon.read_log(os.fspath(path))
    head = json.loads(header)
    return Match(
        path=Path(path),
        header=head,
        games=[_game(json.loads(game), head) for game in games],
        score=json.loads(score),
        text=text,
    )


@dataclass(frozen=True)
class Verification:
    """What a check of a log found; it is true if the log has no defect and could be checked.

    `defects` are lines by their numbers and what is wrong with them. `unchecked`, `cannot_be_checked` and `unknown` say
    what was left out and what no file can show; `head` is the hash of the last line.
    """

    verdict: str
    defects: list[tuple[int, str]]
    games: int
    plies: int
    seconds: float
    head: Optional[str]
    unchecked: list[str]
    cannot_be_checked: list[str]
    unknown: list[str]
    remarks: list[str]

    def __bool__(self) -> bool:
        return not self.defects and not self.cannot_be_checked


def verify(
    path: FilePath,
    *,
    openings: Optional[FilePath] = None,
    secret: Optional[FilePath] = None,
    partial: bool = False,
    heads: Sequence[str] = (),
) -> Verification:
    """Replays every game of a log by the rules and checks every line, as `agon verify` does.

    `openings` is the file of the match, `secret` the file of a secret that the log does not reveal, `partial` accepts a
    match that is not finished, and each of `heads`, hashes that somebody wrote down, must be that of a line.
    """
    found = _agon.verify(
        os.fspath(path),
        None if openings is None else os.fspath(openings),
        None if secret is None else os.fspath(secret),
        partial,
        list(heads),
    )
    return Verification(**found)
