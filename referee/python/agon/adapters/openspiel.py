"""The games as games of OpenSpiel: `agon_amazons`, `agon_connect6` and so on, registered by the import of this module.

>>> import pyspiel, agon.adapters.openspiel
>>> game = pyspiel.load_game("agon_connect6(board_size=7)")
>>> state = game.new_initial_state()
>>> state.apply_action(24)
>>> state.current_player(), state.legal_actions()[:3], str(state)
(1, [0, 1, 2], '7/7/7/3X3/7/7/7 o')

The parameters are the rule options in small letters, `fen`, and `max_turns`: a game of so many turns of both sides is
drawn, 0 leaves its length to the rules. An action is one choice of a turn, as in `agon.Game`; dice and the pieces of dark
chess are explicit chance nodes. EinStein is a game of imperfect information, as the second player must not see the first
one's set-up before its own, unless it starts from a FEN after the set-ups. In dark chess nobody knows what lies face
down, so it is chance at the flip. `str` of a state is its FEN with the choices of the turn; it has no repetitions.
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from .._agon import CHANCE, OVER, Game, games, rule_options
from .._errors import BadPosition, BadRule, OutOfRange
from ._episode import missing

try:
    import pyspiel
except ImportError as error:
    raise missing("OpenSpiel", "open_spiel", error) from error

# The choices of the longest turn, but for the set-up of EinStein.
CHOICES = {"amazons": 3, "connect6": 2, "darkchess": 1, "einstein": 1, "nogo": 1, "xiangqi": 2}
SET_UP = "set-up"
# The steps of six stones to the corner, and the pieces that can be captured before the game ends.
STEPS, CAPTURES, FLIPS = 6 * 8, {"darkchess": 31, "xiangqi": 30}, 32


def parameters(name: str) -> dict[str, Any]:
    """The parameters of a game and their defaults."""
    options = {re.sub(r"(?<=[a-z])(?=[A-Z])", "_", o.name).lower(): o.default for o in rule_options(name)}
    return {"fen": "", "max_turns": 0, **options}


def longest(start: Game, max_turns: int) -> int:
    """The most choices that players can make in a game."""
    name, rules = start.name, start.rules
    set_ups = 2 * 6 if start.stage == SET_UP else 0
    if name in ("amazons", "connect6", "nogo"):
        taken = int(start.observation(0)[: 3 if name == "amazons" else 2].sum())
        most = (start.num_actions - taken) * (3 if name == "amazons" else 1)
    elif name == "einstein":
        most = 2 * STEPS
    elif rules["DrawPlies"]:
        events = CAPTURES[name] + (FLIPS if name == "darkchess" else 0)
        most = (events + 1) * int(rules["DrawPlies"]) * CHOICES[name]
    elif max_turns:
        most = max_turns * CHOICES[name]
    else:
        raise BadRule("draw_plies=0: a game could go on for ever: expected draw_plies or max_turns of at least 1")
    return min(most, max_turns * CHOICES[name] if max_turns else most) + set_ups


def game_type(name: str, hides: bool) -> Any:
    """What OpenSpiel knows of a game before it is loaded."""
    kind = pyspiel.GameType
    chance = kind.ChanceMode.EXPLICIT_STOCHASTIC if Game(name).num_outcomes else kind.ChanceMode.DETERMINISTIC
    known = kind.Information.IMPERFECT_INFORMATION if hides else kind.Information.PERFECT_INFORMATION
    return kind(
        short_name=f"agon_{name}",
        long_name=f"Agon {name}",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=known,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(name),
    )


class AgonGame(pyspiel.Game):
    """A game with its parameters."""

    def __init__(self, name: str, params: Any = None) -> None:
        given = dict(params or {})
        rules = {**parameters(name), **given}
        fen, self.max_turns = rules.pop("fen") or None, rules.pop("max_turns")
        if self.max_turns < 0:
            raise OutOfRange(f"max_turns={self.max_turns}: expected at least 1, or 0 for no limit")
        self.start = Game(name, fen, **rules)
        if self.start.is_over:
            raise BadPosition(f"the game is over in `{self.start.fen}`: expected a position with a legal turn")
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=self.start.num_outcomes,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest(self.start, self.max_turns),
        )
        super().__init__(game_type(name, self.start.stage == SET_UP), info, given)

    def new_initial_state(self) -> AgonState:
        """The start."""
        return AgonState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> AgonObserver:
        """What observes states: planes and text of the position, or with perfect recall the history as text."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if params or not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise ValueError("expected an observation of the public information and of one player, without parameters")
        return AgonObserver(self.start, kind.perfect_recall)

    def max_chance_nodes_in_history(self) -> int:
        """One for each choice, and one before the first: a die, or a piece that is flipped."""
        return self.max_game_length() + 1 if self.start.num_outcomes else 0


class AgonState(pyspiel.State):
    """A position with its history; OpenSpiel copies what is in it."""

    def __init__(self, game: AgonGame) -> None:
        super().__init__(game)
        self.position = game.start.clone()
        self.turns, self.max_turns = 0, game.max_turns

    def current_player(self) -> int:
        """0, 1, or OpenSpiel's number for chance or the end, which is ours."""
        return OVER if self.is_terminal() else self.position.turn

    def is_terminal(self) -> bool:
        """Whether the rules or the limit of turns have ended the game."""
        return self.position.is_over or 0 < self.max_turns <= self.turns

    def returns(self) -> list[float]:
        """1 for a win, -1 for a loss, 0 for a draw or before the end."""
        return list(self.position.returns())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes with their probabilities."""
        return self.position.chance_outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal_actions())

    def _apply_action(self, action: int) -> None:
        chance = self.position.turn == CHANCE
        self.position.play(action)
        self.turns += not chance and not self.position.chosen

    def _action_to_string(self, player: int, action: int) -> str:
        # Some algorithms name actions after they are played.
        return self.position.action_text(action) if action in self.position.legal_actions() else str(action)

    def __str__(self) -> str:
        chosen = [f" +{action}" for action in self.position.chosen]
        limit = f" turn {self.turns + 1} of {self.max_turns}" if self.max_turns else ""
        return self.position.fen + "".join(chosen) + limit


class AgonObserver:
    """Sees a state as a player does: without the other one's set-up before its own is complete."""

    def __init__(self, start: Game, perfect_recall: bool) -> None:
        self.perfect_recall = perfect_recall
        self.tensor, self.dict = None, {}
        if not perfect_recall:
            self.planes = np.empty(start.observation_shape, np.uint8)
            self.tensor = np.zeros(math.prod(start.observation_shape), np.float32)
            self.dict = {"observation": self.tensor.reshape(start.observation_shape)}

    def set_from(self, state: AgonState, player: int) -> None:
        """Writes the planes."""
        if not self.perfect_recall:
            state.position.observation(player, out=self.planes)
            self.dict["observation"][:] = self.planes

    def string_from(self, state: AgonState, player: int) -> str:
        """The actions and outcomes that the player has seen, or what it sees now."""
        hides = state.position.stage == SET_UP
        if not self.perfect_recall and not hides:
            return str(state)
        past = [(step.player, step.action) for step in state.full_history()]
        seen = [str(action) if actor in (player, CHANCE) or not hides else "?" for actor, action in past]
        return f"player {player}: {' '.join(seen)}"


def register(name: str) -> None:
    """Makes a game known to OpenSpiel."""

    class Named(AgonGame):
        def __init__(self, params: Any = None) -> None:
            super().__init__(name, params)

    pyspiel.register_game(game_type(name, Game(name).stage == SET_UP), Named)


for _name in games():
    register(_name)
