"""The environments of PettingZoo: its own tests, results and limits."""

import random
import warnings
from typing import Any

import agon
import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from agon.adapters import pettingzoo as adapter  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402
from pettingzoo.utils.wrappers import TerminateIllegalWrapper  # noqa: E402

# What api_test says of environments whose observations are dictionaries, of hidden set-ups and of agents that wait.
EXPECTED = "Observation space for each agent|Observation is not a NumPy array|.*all zeros"


def play(env: Any, seed: int) -> dict[str, float]:
    """Plays random legal actions; returns what each agent got in all."""
    generator, total = random.Random(seed), dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=seed)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        player = env.possible_agents.index(agent)
        game = env.unwrapped.game
        assert game.turn == player and (observation["observation"] == game.observation(player)).all()
        assert (observation["action_mask"] == game.legal_mask()).all()
        assert not env.observe(env.possible_agents[1 - player])["action_mask"].any()
        env.step(generator.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    assert env.agents == []
    return total


@pytest.mark.parametrize("name", agon.games())
def test_its_own_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", EXPECTED)
        api_test(adapter.env(name), num_cycles=300)
        api_test(adapter.AgonAEC(name, max_turns=20), num_cycles=300)
        seed_test(lambda: adapter.env(name), num_cycles=300)


@pytest.mark.parametrize("name", agon.games())
def test_rewards_are_the_result(name: str) -> None:
    env = adapter.env(name)
    for seed in range(3):
        total = play(env, seed)
        first, second = env.unwrapped.game.returns()
        assert total == {"player_0": first, "player_1": second}


def test_the_seed_draws_chance() -> None:
    env = adapter.env("darkchess")
    fens = []
    for seed in (1, 1, 2):
        env.reset(seed=seed)
        for _ in range(9):
            env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[-1]))
        fens.append(env.unwrapped.game.fen)
    assert fens[0] == fens[1] != fens[2]


def test_a_limit_truncates_both() -> None:
    env = adapter.env("amazons", max_turns=7)
    assert play(env, 1) == {"player_0": 0, "player_1": 0}
    assert len(env.unwrapped.game.moves) == 7
    env.reset()
    while not any(env.truncations.values()):
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    assert all(env.truncations.values()) and not any(env.terminations.values())
    assert not env.last()[0]["action_mask"].any() and env.infos == {"player_0": {}, "player_1": {}}


def test_the_second_player_does_not_see_the_first_set_up() -> None:
    env = adapter.env("einstein")
    env.reset()
    before = env.observe("player_1")["observation"]
    for action in (18, 20, 19, 23, 22, 21):
        assert env.agent_selection == "player_0"
        env.step(action)
    assert env.agent_selection == "player_1"
    assert (env.observe("player_1")["observation"][:12] == before[:12]).all()
    assert env.observe("player_0")["observation"][:6].sum() == 6


def test_an_illegal_action_is_refused_or_loses() -> None:
    env = adapter.env("amazons")
    env.reset()
    with pytest.raises(agon.IllegalAction, match="action 0"):
        env.step(0)
    with pytest.raises(TypeError, match="expected an action of player_0, not None"):
        env.step(None)
    env.step(93)
    assert env.agent_selection == "player_0" and env.unwrapped.game.stage == "to"
    loses = TerminateIllegalWrapper(adapter.AgonAEC("amazons"), illegal_reward=-1)
    loses.reset()
    loses.observe("player_0")
    loses.step(0)
    assert loses.terminations == {"player_0": True, "player_1": True} and loses.rewards["player_0"] == -1


def test_bad_options() -> None:
    with pytest.raises(agon.OutOfRange, match="max_turns=0"):
        adapter.env("nogo", max_turns=0)
    with pytest.raises(ValueError, match="render_mode='human'"):
        adapter.env("nogo", render_mode="human")
    with pytest.raises(agon.BadPosition, match="bad FEN"):
        adapter.env("nogo", fen="9/9")
