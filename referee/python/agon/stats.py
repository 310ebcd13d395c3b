"""The statistics of `agon stats`, from counts, from results in their order, and from logs: the same numbers.

>>> import agon
>>> found = agon.stats.of_pairs([3, 20, 50, 25, 2], elo1=20)
>>> found.elo
Interval(value=5.21..., low=-22.2..., high=32.7..., method='fixed_sample')
>>> found.sprt.verdict, round(found.sprt.llr, 2)
('undecided', -0.49)
>>> agon.stats.of_scores([1, 1, 0.5, 1, 0, 1, 1, 0.5] * 20, elo1=40).test("betting").verdict
'accepted'
>>> round(agon.stats.elo(0.75), 1), agon.stats.score(0)
(190.8, 0.5)
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import inf
from typing import Any, Optional, Union

from . import _agon
from ._checks import whole
from ._errors import OutOfRange

FilePath = Union[str, "os.PathLike[str]"]

__all__ = ["Interval", "Sequential", "Sprt", "Statistics", "elo", "of_games", "of_logs", "of_pairs", "of_scores", "score"]


@dataclass(frozen=True)
class Interval:
    """An Elo difference with its 95% interval, and how it was computed; ends may be infinite."""

    value: float
    low: float
    high: float
    method: str

    def __str__(self) -> str:
        return f"{self.value:+.1f} [{self.low:+.1f}, {self.high:+.1f}]"


@dataclass(frozen=True)
class Sprt:
    """The log-likelihood ratio after all complete pairs, its bounds, and the verdict: accepted, rejected or undecided."""

    llr: float
    lower: float
    upper: float
    verdict: str


@dataclass(frozen=True)
class Sequential:
    """A test in the order of the schedule: "sprt", "betting" or "width", up to the sample that decided it.

    `evidence` is the log-likelihood ratio, the log wealth or the width in Elo; `e_values` are those of a test by betting
    against H0 and H1; `path` has the evidence by the number of samples.
    """

    test: str
    verdict: str
    evidence: Optional[float]
    lower: Optional[float]
    upper: Optional[float]
    unit: str
    samples: int
    e_values: Optional[tuple[float, float]]
    path: list[tuple[int, Optional[float]]]


@dataclass(frozen=True)
class Statistics:
    """The games between two engines by all methods, for the first of them.

    `elo` holds for a number of games that was fixed in advance, `confidence_sequence` however often one looks,
    `after_stopping` if an SPRT ends here; `estimate` is the right one for the match of a log. `e_values` are the wealth
    of bets of fixed size against H0 and H1. `str` is the table of `agon stats`.
    """

    engines: Optional[tuple[str, str]]
    wins: Optional[int]
    draws: Optional[int]
    losses: Optional[int]
    pentanomial: list[int]
    games_outside_pairs: int
    elo: Optional[Interval]
    normalised_elo: Optional[Interval]
    los: Optional[float]
    confidence_sequence: tuple[float, float]
    sprt: Sprt
    e_values: tuple[float, float]
    estimate: Optional[Interval]
    after_stopping: Optional[Interval]
    tests: list[Sequential]
    text: str

    def test(self, name: str) -> Sequential:
        """The test "sprt" or "betting" in the order of the games."""
        for test in self.tests:
            if test.test == name:
                return test
        known = ", ".join(test.test for test in self.tests) or "none, as the order of the games is unknown"
        raise OutOfRange(f"no test {name!r}; there are: {known}")

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        head = f"{self.engines[0]} against {self.engines[1]}\n" if self.engines else ""
        return f"<pre>{escape(head + self.text)}</pre>"


@dataclass(frozen=True)
class _Tests:
    """The tests that are wanted; the module reads the attributes."""

    elo0: Optional[float]
    elo1: Optional[float]
    alpha: Optional[float]
    beta: Optional[float]
    model: Optional[str]


def _interval(found: Optional[dict[str, Any]]) -> Optional[Interval]:
    """An estimate; JSON has no infinite numbers, so an end that is absent is one."""
    if found is None:
        return None
    low, high = found["low"], found["high"]
    value = found["elo"] if found["elo"] is not None else (inf if low is not None else -inf)
    return Interval(value, -inf if low is None else low, inf if high is None else high, found["method"])


def _sequential(found: dict[str, Any]) -> Sequential:
    evidence = next((found[key] for key in ("llr", "log_wealth", "width") if key in found), None)
    e_values = found.get("e_values")
    return Sequential(
        test=found["test"],
        verdict=found["verdict"],
        evidence=evidence,
        lower=found["lower"],
        upper=found["upper"],
        unit=found["unit"],
        samples=found["samples"],
        e_values=None if e_values is None else _both(e_values),
        path=[(samples, value) for samples, value in found["path"]],
    )


def _both(found: list[Optional[float]]) -> tuple[float, float]:
    """Two wealths; JSON has no infinite numbers."""
    first, second = (inf if value is None else value for value in found)
    return first, second


def _counts(counts: Sequence[int]) -> list[int]:
    return [whole("counts", count, 0, 2**40) for count in counts]


def _statistics(shown: tuple[str, str], engines: Optional[tuple[str, str]] = None) -> Statistics:
    found, text = json.loads(shown[0]), shown[1]
    ends = found["confidence_sequence"]
    return Statistics(
        engines=engines,
        wins=found.get("wins"),
        draws=found.get("draws"),
        losses=found.get("losses"),
        pentanomial=found["pentanomial"],
        games_outside_pairs=found["games_outside_pairs"],
        elo=_interval(found["elo"]),
        normalised_elo=_interval(found["normalised_elo"]),
        los=found["los"],
        confidence_sequence=(-inf if ends["low"] is None else ends["low"], inf if ends["high"] is None else ends["high"]),
        sprt=Sprt(**found["sprt"]),
        e_values=_both(found["e_values"]),
        estimate=_interval(found["estimate"]),
        after_stopping=_interval(found["after_stopping"]),
        tests=[_sequential(test) for test in found["tests"] if test["test"] != "none"],
        text=text,
    )


def of_pairs(
    counts: Sequence[int],
    *,
    elo0: Optional[float] = None,
    elo1: Optional[float] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
    model: Optional[str] = None,
) -> Statistics:
    """The statistics of pairs with 0, 1/2, 1, 3/2 and 2 points, whose order is unknown.

    The hypotheses are 0 and 10 Elo, the error probabilities 0.05, and the scale "logistic" (or "normalised").
    """
    if len(counts) != 5:
        raise OutOfRange(f"counts: there are {len(counts)}: expected five, of pairs with 0, 1/2, 1, 3/2 and 2 points")
    return _statistics(_agon.statistics_of_pairs(_counts(counts), _Tests(elo0, elo1, alpha, beta, model)))


def of_games(
    wins: int,
    draws: int,
    losses: int,
    *,
    elo0: Optional[float] = None,
    elo1: Optional[float] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
    model: Optional[str] = None,
) -> Statistics:
    """The statistics of single games that belong to no pairs: Elo and LOS for a fixed number of games.

    >>> import agon
    >>> print(agon.stats.of_games(14, 0, 10).elo)
    +58.5 [-80.6, +220.4]
    """
    return _statistics(_agon.statistics_of_games(_counts([wins, draws, losses]), _Tests(elo0, elo1, alpha, beta, model)))


def of_scores(
    scores: Iterable[float],
    *,
    elo0: Optional[float] = None,
    elo1: Optional[float] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
    model: Optional[str] = None,
) -> Statistics:
    """The statistics of games in their order, 1, 0.5 or 0 points each; every two are a pair with swapped sides."""
    return _statistics(_agon.statistics_of_scores(list(scores), _Tests(elo0, elo1, alpha, beta, model)))


def of_logs(
    *logs: FilePath,
    elo0: Optional[float] = None,
    elo1: Optional[float] = None,
    alpha: Optional[float] = None,
    beta: Optional[float] = None,
    model: Optional[str] = None,
) -> list[Statistics]:
    """The statistics of logs that are the parts of one match: one for each two engines that met.

    What is not given is that of the match's own test.
    """
    found = _agon.statistics_of_logs([os.fspath(log) for log in logs], _Tests(elo0, elo1, alpha, beta, model))
    return [_statistics(shown, names) for names, shown in found]


def elo(score: float) -> float:
    """The Elo difference that makes a score, from 0 to 1, the expected one; infinite at the ends."""
    return _agon.elo_of_score(score)


def score(elo: float) -> float:
    """The expected score, from 0 to 1, at an Elo difference."""
    return _agon.score_of_elo(elo)
