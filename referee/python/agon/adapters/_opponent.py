"""Who answers in the environments of Gymnasium: a function, an object, or an engine."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Optional, Protocol, Union

from .._agon import Game
from .._errors import EngineStartError
from ..engine import Engine
from ._episode import Action

Answer = Union[Action, Sequence[int]]
# None: the opponent resigns.
Ask = Callable[[Game], Optional[Answer]]


class Chooser(Protocol):
    """An opponent with a method for its move, such as an engine written in Python; it gets no clock."""

    def choose(self, game: Game, clock: Any, /) -> Answer: ...


class Player(Protocol):
    """An opponent with a method that answers a game."""

    def play(self, game: Game, /) -> Answer: ...


Opponent = Union[str, Mapping[str, Any], Engine, Callable[[Game], Answer], Chooser, Player]
WANTED = (
    "'random', an engine by its name, 'cmd=...' or a dictionary of the arguments of agon.Engine, an agon.Engine, "
    "a function of a game, or an object with a method `choose` or `play`"
)


def started(opponent: Any, game: str) -> Optional[Engine]:
    """The engine that an opponent is or names; None if it is none."""
    if isinstance(opponent, Engine):
        if opponent.game != game:
            raise EngineStartError(f"opponent={opponent!r}: expected an engine for {game}")
        return opponent
    if isinstance(opponent, str):
        key, equals, command = opponent.partition("=")
        return Engine(cmd=command, game=game) if equals and key == "cmd" else Engine(opponent, game=game)
    if isinstance(opponent, Mapping):
        return Engine(**{"game": game, **opponent})
    return None


def of_engine(engine: Engine, limits: Mapping[str, Any]) -> Ask:
    """Asks an engine for a whole turn."""

    def ask(game: Game) -> Optional[Answer]:
        found = engine.analyse(game, **limits)
        return None if found.resigns else found.move

    return ask


def of_object(opponent: Any) -> Ask:
    """How an opponent in Python is asked: its method `choose`, else `play`, else the opponent itself is called."""
    if hasattr(opponent, "choose"):
        return lambda game: opponent.choose(game, None)
    found = getattr(opponent, "play", opponent)
    if not callable(found):
        raise TypeError(f"opponent={opponent!r}: expected {WANTED}")
    return found  # type: ignore[no-any-return]
