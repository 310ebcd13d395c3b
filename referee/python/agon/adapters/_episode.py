"""What the adapters share: a game whose chance is drawn, with a limit of turns, and the error for a missing library."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Optional, Union

from .._agon import CHANCE, Game
from .._errors import BadPosition, OutOfRange

Action = Union[int, str]


def missing(library: str, package: str, error: ImportError) -> ImportError:
    """What to raise if a library cannot be imported."""
    return ImportError(f"{library} cannot be imported ({error}): pip install {package}")


class Episode:
    """A game from its start to its end or to a limit of turns.

    `unit` draws chance: it returns numbers from 0 to less than 1. A turn counts when it is complete; a set-up is a turn, a
    chance outcome is none.
    """

    def __init__(self, game: str, fen: Optional[str], max_turns: Optional[int], rules: dict[str, Any]) -> None:
        self.start = Game(game, fen, **rules)
        if self.start.is_over:
            raise BadPosition(f"the game is over in `{self.start.fen}`: expected a position with a legal turn")
        if max_turns is not None and max_turns < 1:
            raise OutOfRange(f"max_turns={max_turns}: expected at least 1, or None for no limit")
        self.max_turns = max_turns
        self.game = self.start.clone()
        self.turns = 0

    @property
    def truncated(self) -> bool:
        """Whether the limit has stopped a game that the rules would continue."""
        return self.max_turns is not None and self.turns >= self.max_turns and not self.game.is_over

    @property
    def ended(self) -> bool:
        """Whether nothing more can be played."""
        return self.game.is_over or self.truncated

    def begin(self, unit: Callable[[], float]) -> None:
        """Goes back to the start."""
        self.game, self.turns = self.start.clone(), 0
        self._draw(unit)

    def play(self, action: Action, unit: Callable[[], float]) -> None:
        """Plays an action or a whole turn as text, and draws the chance outcomes that follow."""
        self.game.play(action)
        self.turns += not self.game.chosen
        self._draw(unit)

    def _draw(self, unit: Callable[[], float]) -> None:
        while self.game.turn == CHANCE:
            self.game.play(self.game.pick(unit()))
