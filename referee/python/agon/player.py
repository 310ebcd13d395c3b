"""Engines that are written in Python: `choose` finds a move, the rest is here."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Optional, Union

from ._agon import Clock, Conversation, Game, games
from ._errors import BadRule, IllegalAction, UnknownGame

Choice = Union[str, int, Iterable[int]]
OptionDefault = Union[bool, int, str, None]


@dataclass(frozen=True)
class Option:
    """An option that a manager can set: its default decides its type.

    True or False, a number with `min` and `max`, one of `choices`, any other text, or None for a button.
    """

    default: OptionDefault
    min: int = 0
    max: int = 0
    choices: tuple[str, ...] = ()
    help: str = ""


@dataclass(frozen=True)
class _Described:
    """An option as the module reads it."""

    name: str
    kind: str
    default: str
    min: int
    max: int
    choices: list[str]
    help: str


def _described(name: str, option: Option) -> _Described:
    default = option.default
    if isinstance(default, bool):
        kind = "check"
    elif isinstance(default, int):
        kind = "spin"
        if not -(2**63) <= option.min <= default <= option.max < 2**63:
            raise BadRule(f"option {name}: the default {default} is not from min={option.min} to max={option.max}")
    elif default is None:
        kind = "button"
    else:
        kind = "combo" if option.choices else "string"
        if option.choices and default not in option.choices:
            raise BadRule(f"option {name}: the default {default!r} is none of its choices: {', '.join(option.choices)}")
    return _Described(name, kind, str(default), option.min, option.max, list(option.choices), option.help)


def _turn(game: Game, choice: Choice) -> str:
    """The whole turn of a choice, as text."""
    if isinstance(choice, str):
        game.actions(choice)
        return choice
    copy = game.clone()
    actions = [int(action) for action in choice] if isinstance(choice, Iterable) else [int(choice)]
    for action in actions:
        copy.play(action)
    if copy.chosen:
        raise IllegalAction(f"choose: the actions {actions} are a part of a turn: the next is `{copy.stage}`")
    if len(copy.moves) != len(game.moves) + 1:
        raise IllegalAction(f"choose: the actions {actions} are not one turn")
    return copy.moves[-1]


class Player:
    """An engine in Python. A subclass says which `game` it plays and chooses moves; `run` serves it to a manager.

    >>> import agon, random
    >>> class Mine(agon.Player):
    ...     game = "nogo"
    ...     options = {"Seed": agon.Option(1, min=0, max=10**6, help="of the random moves")}
    ...     def choose(self, game, clock):
    ...         generator = random.Random(self.settings["Seed"] + len(game.moves))
    ...         return generator.choice(game.legal_moves())
    >>> player = Mine()
    >>> game = agon.Game("nogo")
    >>> game.play(player.choose(game, clock=None))

    A file that ends with `Mine().run()` is an engine in UGI and every other dialect of the game, with options, clocks and
    `stop`: `agon check --game nogo "python mine.py"`. What it prints goes to standard error. An exception in `choose` is
    reported, and the first legal move is played.
    """

    game: ClassVar[str]
    name: ClassVar[str] = ""
    author: ClassVar[str] = ""
    options: ClassVar[dict[str, Option]] = {}

    @property
    def settings(self) -> dict[str, Any]:
        """The values of the options by name; a button has None."""
        if not hasattr(self, "_settings"):
            self._settings: dict[str, Any] = {name: option.default for name, option in self.options.items()}
        return self._settings

    def choose(self, game: Game, clock: Clock) -> Choice:
        """The turn to play in the position of `game`, where a player is to move: as text, or as its actions.

        `game` is the player's own to play with. `clock` has the limits; a long search asks `clock.stopped` again and
        again and then returns at once. `clock.report` tells what it has found so far.
        """
        raise NotImplementedError("choose(game, clock) returns the turn to play")

    def new_game(self) -> None:
        """Called before a game that has nothing to do with those before it."""

    def option_set(self, name: str, value: Any) -> None:
        """Called after an option was set, or a button was pressed; `settings` has the value."""

    def prepare(self) -> None:
        """Called before the answer to `isready`, when no clock runs: the place for work that takes long."""

    def run(self) -> None:
        """Serves the player on standard input and output until `quit` or the end of the input."""
        if not hasattr(self, "game"):
            raise UnknownGame(f"{type(self).__name__} has no `game`: expected one of {', '.join(games())}")
        described = [_described(name, option) for name, option in self.options.items()]
        name = self.name or type(self).__name__
        sys.stdout.flush()
        with _interruptible(), contextlib.redirect_stdout(sys.stderr):
            conversation = Conversation(self.game, name, self.author or "its author", described)
            self._serve(conversation)

    def _serve(self, conversation: Conversation) -> None:
        watched = _Watch(conversation)
        try:
            self._answer(conversation, watched)
        finally:
            watched.close()
        sys.stderr.flush()

    def _answer(self, conversation: Conversation, watched: _Watch) -> None:
        while (request := conversation.next()) is not None:
            kind, *rest = request
            try:
                if kind == "choose":
                    game, clock = rest
                    copy = game.clone()
                    with watched:
                        conversation.answer(_turn(game, self.choose(copy, clock)))
                elif kind == "option":
                    self.settings[rest[0]] = rest[1]
                    self.option_set(rest[0], rest[1])
                elif kind == "new_game":
                    self.new_game()
                else:
                    self.prepare()
                    conversation.answer("")
            except Exception as error:
                traceback.print_exc()
                conversation.fail(f"{type(error).__name__}: {error}")


class _Watch:
    """Ends the process if the conversation is over and `choose` does not return."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation
        self._thinks = False
        self._thread = threading.Thread(target=self._wait, daemon=True)
        self._thread.start()

    def _wait(self) -> None:
        self._conversation.wait_end()
        if self._thinks:
            sys.stderr.flush()
            os._exit(0)

    def close(self) -> None:
        """Lets the thread end before Python does: one that wakes up after that is killed in the middle of its call."""
        self._thread.join(timeout=1)

    def __enter__(self) -> None:
        self._thinks = True

    def __exit__(self, *_: object) -> None:
        self._thinks = False


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Lets Ctrl-C end the process at once, which may wait for the manager; only the main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before: Any = signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
