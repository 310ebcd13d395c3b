"""The games as environments of Gymnasium: one player learns, an opponent answers, which may be an engine.

>>> import gymnasium, agon.adapters.gymnasium       # registers agon/amazons-v0, agon/connect6-v0 and so on
>>> env = gymnasium.make("agon/nogo-v0", opponent="random", player=0)
>>> observation, info = env.reset(seed=1)
>>> over = False
>>> while not over:
...     action = env.action_space.sample(info["action_mask"])
...     observation, reward, terminated, truncated, info = env.step(action)
...     over = terminated or truncated
>>> reward in (1.0, -1.0), info["outcome"].rule
(True, 'no move')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from .._agon import Game, games
from .._errors import IllegalAction, OutOfRange
from ..engine import Engine
from ._episode import Action, Episode, missing
from ._opponent import Answer, Ask, Opponent, of_engine, of_object, started

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise missing("Gymnasium", "gymnasium", error) from error

Observation = npt.NDArray[np.uint8]


class AgonEnv(gymnasium.Env):
    """One player of a game; the opponent and chance are part of the environment.

    An action is one choice of a turn, as in `agon.Game`. The observation is `Game.observation` of the player, without
    what the rules hide from it. `info["action_mask"]` has 1 for each legal action, `info["player"]` is 0 or 1, and
    `info["outcome"]` comes with the end. The reward is 1 for a win and -1 for a loss, at the end, else 0.

    `opponent` is "random"; an engine by its name ("nogo"), by its command ("cmd=./mine --fast"), by the arguments of
    `agon.Engine` in a dictionary, or an `agon.Engine`; a function that gets a copy of the game and returns an action, a
    list of actions or a whole turn as text; or an object with such a method `choose(game, clock)` (the clock is None) or
    `play(game)`. `limits` are those of `Engine.analyse` for an engine, by default `{"movetime": 0.1}`. An engine that is
    started here ends with `close`; one that resigns loses (`info["resigned"]`). `player` is 0, 1, or None: drawn at each
    `reset`. A game of `max_turns` turns of both sides is truncated. An illegal action loses (`info["illegal"]` says
    why), or raises `agon.IllegalAction` with `illegal="raise"`. If the opponent begins and ends the game before the
    player's first action, the first `step` ignores its action and returns the result.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        *,
        opponent: Opponent = "random",
        limits: Optional[Mapping[str, Any]] = None,
        player: Optional[int] = 0,
        fen: Optional[str] = None,
        max_turns: Optional[int] = None,
        illegal: str = "lose",
        render_mode: Optional[str] = None,
        **rules: Union[int, str],
    ) -> None:
        if player not in (0, 1, None):
            raise OutOfRange(f"player={player!r}: expected 0, 1, or None to draw it at each reset")
        if illegal not in ("lose", "raise"):
            raise ValueError(f"illegal={illegal!r}: expected 'lose' or 'raise'")
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: expected 'ansi' or None")
        self._episode = Episode(game, fen, max_turns, rules)
        self._engine: Optional[Engine] = None
        self._own_engine: Optional[Engine] = None
        self._answer: Optional[Ask] = None
        self._choose_opponent(opponent, limits)
        self._given_player, self._player = player, player or 0
        self._illegal = illegal
        self._over, self._resigned = True, False
        self.render_mode = render_mode
        start = self._episode.start
        self.action_space = spaces.Discrete(start.num_actions)
        self.observation_space = spaces.Box(0, 255, start.observation_shape, np.uint8)

    def _choose_opponent(self, opponent: Any, limits: Optional[Mapping[str, Any]]) -> None:
        by_chance = isinstance(opponent, str) and opponent == "random"
        self._engine = None if by_chance else started(opponent, self._episode.start.name)
        self._own_engine = None if self._engine is opponent else self._engine
        if self._engine is not None:
            self._answer = of_engine(self._engine, {"movetime": 0.1} if limits is None else limits)
        elif limits is not None:
            raise ValueError(f"limits={limits!r}: they are those of an engine, and opponent={opponent!r} is none")
        elif not by_chance:
            self._answer = of_object(opponent)

    @property
    def game(self) -> Game:
        """A copy of the game as it is now."""
        return self._episode.game.clone()

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """A flag for each action, whether it is legal; the name is that of sb3-contrib."""
        game = self._episode.game
        if self._over or game.turn != self._player:
            return np.zeros(game.num_actions, np.bool_)
        return game.legal_mask()

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts a new game, and plays the opponent's first turn if it begins."""
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(2))
        self._player = drawn if self._given_player is None else self._given_player
        self._over = self._resigned = False
        if self._engine is not None:
            self._engine.new_game()
        self._episode.begin(self.np_random.random)
        self._opponents_turn()
        return self._episode.game.observation(self._player), self._info()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Plays an action and, if it completes the turn, the opponent's answer."""
        if self._over:
            raise gymnasium.error.ResetNeeded("there is no game: call reset first")
        refusal: Optional[IllegalAction] = None
        if not (self._episode.ended or self._resigned):
            try:
                self._episode.play(action, self.np_random.random)
            except IllegalAction as error:
                if self._illegal == "raise":
                    raise
                refusal = error
            else:
                self._opponents_turn()
        game = self._episode.game
        self._over = self._episode.ended or self._resigned or refusal is not None
        info = self._info()
        if refusal is not None:
            info["illegal"] = str(refusal)
        reward = -1.0 if refusal else 1.0 if self._resigned else game.returns()[self._player]
        terminated = game.is_over or self._resigned or refusal is not None
        return game.observation(self._player), reward, terminated, self._episode.truncated, info

    def render(self) -> Optional[str]:
        """The board as text, with what is hidden from the players."""
        return str(self._episode.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Ends the engine that was started for this environment."""
        if self._own_engine is not None:
            self._own_engine.close()

    def _info(self) -> dict[str, Any]:
        info = {"action_mask": self.action_masks().view(np.int8), "player": self._player}
        if self._episode.game.is_over:
            info["outcome"] = self._episode.game.outcome
        if self._resigned:
            info["resigned"] = True
        return info

    def _opponents_turn(self) -> None:
        episode, unit = self._episode, self.np_random.random
        while not (episode.ended or self._resigned) and episode.game.turn != self._player:
            if self._answer is None:
                episode.play(episode.game.pick(unit()), unit)
                continue
            answer = self._answer(episode.game.clone())
            if answer is None and self._engine is not None:
                self._resigned = True
                break
            try:
                self._play_answer(answer)
            except (IllegalAction, TypeError) as error:
                raise type(error)(f"the opponent's answer {answer!r}: {error}") from error

    def _play_answer(self, answer: Optional[Answer]) -> None:
        actions: Sequence[Action] = answer if isinstance(answer, (list, tuple)) else [answer]  # type: ignore[list-item]
        if not actions:
            raise IllegalAction("expected at least one action")
        for action in actions:
            if self._episode.ended or self._episode.game.turn == self._player:
                raise IllegalAction(f"the turn is complete before the action {action}")
            self._episode.play(action, self.np_random.random)


for _game in games():
    gymnasium.register(id=f"agon/{_game}-v0", entry_point=f"{__name__}:AgonEnv", kwargs={"game": _game})
