"""The games as OpenSpiel's: its own simulation tests, and its algorithms against exact values."""

from typing import Any

import agon
import numpy as np
import pytest

pyspiel: Any = pytest.importorskip("pyspiel")
import agon.adapters.openspiel  # noqa: E402, F401
from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts, minimax, tabular_qlearner  # noqa: E402

# Small ends of games: a few free squares; each stone two steps from its goal; a stone that makes six.
AMAZONS = {"fen": "Q1*1/1*q*/*Q1*/*1*q w"}
EINSTEIN = {"fen": "2f2/5/5/2A2/5 u 6"}
CONNECT6 = {"fen": "8/8/8/8/8/8/8/1XXXXX2 x"}


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"agon_{name}", parameters)


def exact(game: agon.Game) -> float:
    """The value for the first player."""
    if game.is_over:
        return game.returns()[0]
    values = []
    for action in game.legal_actions():
        game.play(action)
        values.append(exact(game))
        game.undo()
    if game.is_chance:
        return sum(p * v for (_, p), v in zip(game.chance_outcomes(), values))
    return max(values) if game.turn == 0 else min(values)


def best(game: agon.Game) -> set[int]:
    """The first player's actions that keep the value."""
    value, found = exact(game), set()
    for action in game.legal_actions():
        game.play(action)
        if exact(game) == value:
            found.add(action)
        game.undo()
    return found


@pytest.mark.parametrize("name,parameters", [
    *((name, {}) for name in agon.games()),
    ("connect6", {"board_size": 6}),
    ("darkchess", {"board": "2x4", "draw_plies": 12, "repetition_count": 0}),
    ("xiangqi", {"draw_plies": 0, "max_turns": 9, "repetition": "check"}),
    ("einstein", EINSTEIN),
    ("einstein", {"missing_die": "nearest", "max_turns": 9}),
    ("amazons", AMAZONS),
])
def test_its_own_simulations(name: str, parameters: dict[str, Any]) -> None:
    game = load(name, **parameters)
    pyspiel.random_sim_test(game, 2, True, False)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) and str(again.new_initial_state()) == str(game.new_initial_state())


def test_they_are_registered() -> None:
    known = pyspiel.registered_names()
    assert {f"agon_{name}" for name in agon.games()} <= set(known)


@pytest.mark.parametrize("name", agon.games())
def test_a_state_is_the_game(name: str) -> None:
    game, ours = load(name), agon.Game(name)
    state, generator = game.new_initial_state(), np.random.default_rng(4)
    decisions = 0
    while not state.is_terminal():
        assert state.current_player() == ours.turn and state.legal_actions() == list(ours.legal_actions())
        if state.is_chance_node():
            assert state.chance_outcomes() == ours.chance_outcomes()
        else:
            decisions += 1
            assert state.observation_tensor(1) == ours.observation(1).ravel().tolist()
        action = ours.pick(generator.random())
        state.apply_action(action)
        ours.play(action)
    assert ours.is_over and state.returns() == list(ours.returns()) and decisions <= game.max_game_length()


def test_chance_is_explicit() -> None:
    state = load("darkchess").new_initial_state()
    state.apply_action(0)
    assert state.is_chance_node()
    assert dict(state.chance_outcomes()) == pytest.approx({i: n / 32 for i, n in enumerate(2 * [1, 2, 2, 2, 2, 2, 5])})
    kinds = {name: load(name).get_type().chance_mode for name in ("darkchess", "einstein", "nogo")}
    explicit = pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kinds == {"darkchess": explicit, "einstein": explicit, "nogo": pyspiel.GameType.ChanceMode.DETERMINISTIC}


def test_a_set_up_is_hidden_until_both_are_complete() -> None:
    game = load("einstein")
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert load("einstein", **EINSTEIN).get_type().information == pyspiel.GameType.Information.PERFECT_INFORMATION
    orders = ([18, 19, 20, 21, 22, 23], [23, 22, 21, 20, 19, 18])
    states = [game.new_initial_state() for _ in orders]
    for state, order in zip(states, orders):
        for action in order:
            state.apply_action(action)

    def seen(player: int) -> bool:
        """Whether a player can tell the states apart."""
        first, second = ([s.information_state_string(player), s.observation_string(player), s.observation_tensor(player)]
                         for s in states)
        differs = {bool(a != b) for a, b in zip(first, second)}
        assert len(differs) == 1
        return differs.pop()

    assert not seen(1) and seen(0)
    for action in orders[0]:
        assert not seen(1)
        for state in states:
            state.apply_action(action)
    assert seen(1) and states[0].is_chance_node()


@pytest.mark.parametrize("name,parameters", [("amazons", AMAZONS), ("einstein", EINSTEIN), ("connect6", CONNECT6)])
def test_mcts_finds_the_best_action(name: str, parameters: dict[str, Any]) -> None:
    game, ours = load(name, **parameters), agon.Game(name, parameters["fen"])
    generator = np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 300, mcts.RandomRolloutEvaluator(1, generator), random_state=generator)
    wanted = {56, 62} if name == "connect6" else best(ours)
    assert bot.step(game.new_initial_state()) in wanted and len(wanted) < len(ours.legal_actions())


@pytest.mark.parametrize("name", agon.games())
def test_mcts_plays_every_game(name: str) -> None:
    game, generator = load(name), np.random.RandomState(3)
    bot = mcts.MCTSBot(game, 2.0, 4, mcts.RandomRolloutEvaluator(1, generator), random_state=generator)
    state = game.new_initial_state()
    for _ in range(8):
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            state.apply_action(bot.step(state))
    assert len(state.history()) == 8


def test_alpha_beta_and_expectiminimax_solve_their_games() -> None:
    value, action = minimax.alpha_beta_search(load("amazons", **AMAZONS), None, None, 60, 0)
    ours = agon.Game("amazons", AMAZONS["fen"])
    assert value == exact(ours) and action in best(ours)
    state = load("einstein", **EINSTEIN).new_initial_state()
    value, action = minimax.expectiminimax(state, 60, None, 0)
    ours = agon.Game("einstein", EINSTEIN["fen"])
    assert value == pytest.approx(exact(ours)) and action in best(ours)


def test_cfr_solves_einstein() -> None:
    game, value = load("einstein", **EINSTEIN), exact(agon.Game("einstein", EINSTEIN["fen"]))
    solver = cfr.CFRSolver(game)
    for _ in range(8):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    found = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert found[0] == pytest.approx(value, abs=0.3) and exploitability.nash_conv(game, policy) < 0.6


def test_a_table_learns_einstein() -> None:
    np.random.seed(1)
    sampler = rl_environment.ChanceEventSampler(seed=1)
    environment = rl_environment.Environment(load("einstein", **EINSTEIN), chance_event_sampler=sampler)
    actions = environment.action_spec()["num_actions"]
    agents = [tabular_qlearner.QLearner(player, actions, step_size=0.3) for player in (0, 1)]
    for _ in range(800):
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    step = environment.reset()
    learned = agents[0].step(step, is_evaluation=True).action
    ours = agon.Game("einstein", EINSTEIN["fen"])
    assert learned in best(ours) != set(ours.legal_actions())


@pytest.mark.parametrize("name,parameters,says", [
    ("nogo", {"fen": "9/9"}, "bad FEN"),
    ("connect6", {"board_size": 5}, "from 6 to 19"),
    ("nogo", {"max_turns": -1}, "max_turns=-1: expected at least 1, or 0"),
    ("darkchess", {"draw_plies": 0}, "draw_plies=0: a game could go on for ever"),
    ("xiangqi", {"fen": "3k5/4R4/3R5/9/9/9/9/9/9/4K4 b"}, "the game is over"),
])
def test_bad_parameters(name: str, parameters: dict[str, Any], says: str) -> None:
    with pytest.raises(agon.Error) as caught:
        load(name, **parameters)
    assert says in str(caught.value)
