"""The games as environments of PettingZoo, in its AEC form: the agents `player_0` and `player_1` act in turn.

>>> from agon.adapters import pettingzoo
>>> env = pettingzoo.env("connect6", board_size=9)
>>> env.reset(seed=1)
>>> for agent in env.agent_iter():
...     observation, reward, terminated, truncated, info = env.last()
...     over = terminated or truncated
...     env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
>>> info["outcome"].rule in ("line", "full board"), env.agents
(True, [])
"""

from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from .._agon import Game
from ._episode import Episode, missing

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ImportError as error:
    raise missing("PettingZoo", "pettingzoo", error) from error

Observation = dict[str, npt.NDArray[Any]]


class AgonAEC(AECEnv):
    """Both players of a game; chance is part of the environment.

    An action is one choice of a turn, as in `agon.Game`, so an agent may act several times before the other one. An
    observation has the planes `observation`, as the agent sees the game, and `action_mask`, all zeros unless the agent is
    to act. The rewards are 1 and -1 at the end, else 0, and `infos` then have the `outcome`. A game of `max_turns` turns
    of both sides is truncated. An illegal action raises `agon.IllegalAction`; PettingZoo's `TerminateIllegalWrapper` makes
    a loss of it.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1, "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        *,
        fen: Optional[str] = None,
        max_turns: Optional[int] = None,
        render_mode: Optional[str] = None,
        **rules: Union[int, str],
    ) -> None:
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode={render_mode!r}: expected 'ansi' or None")
        self._episode = Episode(game, fen, max_turns, rules)
        self._generator: Optional[np.random.Generator] = None
        self.metadata = {**self.metadata, "name": f"agon_{self._episode.start.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        actions, shape = self._episode.start.num_actions, self._episode.start.observation_shape
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict({
                "observation": spaces.Box(0, 255, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            })
            for agent in self.possible_agents
        }

    @property
    def game(self) -> Game:
        """A copy of the game as it is now."""
        return self._episode.game.clone()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[dict[str, Any]] = None) -> None:
        """Starts a new game; the same seed draws the same chance outcomes."""
        if seed is not None or self._generator is None:
            self._generator = np.random.default_rng(seed)
        self._episode.begin(self._generator.random)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._episode.game.turn]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and its legal actions."""
        game, player = self._episode.game, self.possible_agents.index(agent)
        mask = np.zeros(game.num_actions, np.bool_)
        if game.turn == player and not self._episode.ended:
            game.legal_mask(out=mask)
        return {"observation": game.observation(player), "action_mask": mask.view(np.int8)}

    def step(self, action: Optional[int]) -> None:
        """Plays an action of the agent that is to act; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        episode = self._episode
        if self._generator is None or action is None:
            raise TypeError(f"expected an action of {agent}, not {action!r}")
        episode.play(action, self._generator.random)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if episode.game.is_over:
            self.rewards = dict(zip(self.possible_agents, episode.game.returns()))
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {agent: {"outcome": episode.game.outcome} for agent in self.agents}
            self.agent_selection = self.possible_agents[1 - self.possible_agents.index(agent)]
        else:
            self.truncations = dict.fromkeys(self.agents, episode.truncated)
            self.agent_selection = self.possible_agents[episode.game.turn]
        self._accumulate_rewards()

    def render(self) -> Optional[str]:
        """The board as text, with what is hidden from the agents."""
        return str(self._episode.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to close."""


def env(game: str, **options: Any) -> Any:
    """An environment that refuses calls in a wrong order; the options are those of `AgonAEC`."""
    return OrderEnforcingWrapper(AgonAEC(game, **options))
