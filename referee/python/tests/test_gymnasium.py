"""The environments of Gymnasium: its own checks, opponents, results and limits."""

import random
import warnings
from typing import Any

import agon
import numpy as np
import pytest

gymnasium: Any = pytest.importorskip("gymnasium")
from agon.adapters.gymnasium import AgonEnv  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402


def episode(env: Any, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """Plays random legal actions; returns everything that the environment said, and the last info."""
    generator = random.Random(seed)
    said: list[Any] = []
    observation, info = env.reset(seed=seed)
    over = False
    while not over:
        said.append((observation.tobytes(), info["action_mask"].tobytes()))
        action = generator.choice(np.flatnonzero(info["action_mask"]).tolist())
        observation, reward, terminated, truncated, info = env.step(action)
        assert observation in env.observation_space and isinstance(reward, float)
        assert reward == 0 or terminated
        said.append((reward, terminated, truncated))
        over = terminated or truncated
    return said, info


@pytest.mark.parametrize("name", agon.games())
def test_its_own_checks(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(f"agon/{name}-v0")
        check_env(env.unwrapped)
        episode(env, 1)


@pytest.mark.parametrize("name", agon.games())
@pytest.mark.parametrize("player", [0, 1, None])
def test_a_seed_gives_the_same_episode(name: str, player: int | None) -> None:
    said, info = episode(AgonEnv(name, player=player, max_turns=40), 5)
    again, _ = episode(AgonEnv(name, player=player, max_turns=40), 5)
    other, _ = episode(AgonEnv(name, player=player, max_turns=40), 6)
    assert said == again != other
    assert player is None or info["player"] == player


def test_the_reward_is_the_players() -> None:
    for player in (0, 1):
        seen = set()
        env = AgonEnv("einstein", player=player)
        for seed in range(20):
            said, info = episode(env, seed)
            reward, terminated, truncated = said[-1]
            assert terminated and not truncated and info["outcome"] == env.game.outcome
            assert reward == (1 if info["outcome"].winner == player else -1)
            assert not info["action_mask"].any() and not env.action_masks().any()
            seen.add(reward)
        assert seen == {1.0, -1.0}


def test_both_seats_are_drawn() -> None:
    env = AgonEnv("nogo", player=None)
    seats = {env.reset(seed=seed)[1]["player"] for seed in range(20)}
    assert seats == {0, 1}


class WithChoose:
    def choose(self, game: agon.Game, clock: Any) -> str:
        assert clock is None
        return game.legal_moves()[0]


class WithPlay:
    def play(self, game: agon.Game) -> int:
        action = game.legal_actions()[0]
        game.play(action)  # It has a copy.
        return action


def whole_turn(game: agon.Game) -> list[int]:
    actions: list[int] = []
    player = game.turn
    while game.turn == player and not (actions and not game.chosen):
        actions.append(game.legal_actions()[0])
        game.play(actions[-1])
    return actions


@pytest.mark.parametrize("name", ["amazons", "connect6", "xiangqi"])
def test_opponents_answer_by_actions_or_whole_turns(name: str) -> None:
    opponents: list[Any] = [
        WithPlay(), lambda game: game.legal_actions()[0], lambda game: np.int32(game.legal_actions()[0]), whole_turn,
    ]
    ends = [episode(AgonEnv(name, opponent=opponent, player=1, max_turns=30), 3)[0] for opponent in opponents]
    assert ends[0] == ends[1] == ends[2] == ends[3]
    asked: list[list[int]] = []

    def by_text(game: agon.Game) -> str:
        asked.append(game.chosen)
        return game.legal_moves()[-1]

    env = AgonEnv(name, opponent=by_text, player=1, max_turns=6)
    episode(env, 3)
    assert len(asked) == 3 and asked == [[], [], []] and len(env.game.moves) == 6
    episode(AgonEnv(name, opponent=WithChoose(), max_turns=8), 3)


@pytest.mark.parametrize("answer,kind,says", [
    (0, agon.IllegalAction, "the opponent's answer 0: action 0 (a10) is illegal"),
    ("resign", agon.IllegalAction, "the opponent's answer 'resign'"),
    ([], agon.IllegalAction, "the opponent's answer []: expected at least one action"),
    ([93, 33, 36, 6], agon.IllegalAction, "the turn is complete before the action 6"),
    (None, TypeError, "the opponent's answer None: expected an action (int) or a turn (str), not NoneType"),
])
def test_a_wrong_answer_of_the_opponent(answer: Any, kind: type[Exception], says: str) -> None:
    env = AgonEnv("amazons", opponent=lambda game: answer, player=1)
    with pytest.raises(kind) as caught:
        env.reset()
    assert says in str(caught.value)


def test_an_illegal_action_loses_or_raises() -> None:
    env = AgonEnv("amazons")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert "action 0 (a10) is illegal as `from`" in info["illegal"] and "outcome" not in info
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(93)
    strict = AgonEnv("amazons", illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(agon.IllegalAction):
        strict.step(0)
    assert strict.step(93)[2] is False
    with pytest.raises(TypeError):
        strict.step(1.5)


def test_a_limit_truncates_a_game_that_goes_on() -> None:
    env = AgonEnv("xiangqi", max_turns=5)
    said, info = episode(env, 1)
    assert said[-1] == (0.0, False, True) and len(env.game.moves) == 5 and "outcome" not in info
    # A limit that the last turn of the game reaches stops nothing.
    wins = AgonEnv("connect6", fen="8/8/8/8/8/8/8/1XXXXX2 x", max_turns=1)
    wins.reset()
    assert wins.step(56)[1:4] == (1.0, True, False)


def test_a_game_that_the_opponents_first_turn_ends() -> None:
    env = AgonEnv("connect6", fen="8/8/8/8/8/8/8/1XXXXX2 x", player=1, opponent=lambda game: 56)
    observation, info = env.reset()
    assert not info["action_mask"].any() and info["outcome"].rule == "line"
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False) and "illegal" not in info


def test_several_environments_at_once() -> None:
    envs = gymnasium.make_vec("agon/connect6-v0", num_envs=4, vectorization_mode="sync", board_size=6)
    observations, infos = envs.reset(seed=1)
    ends = 0
    for _ in range(60):
        actions = [int(np.flatnonzero(mask)[0]) if mask.any() else 0 for mask in infos["action_mask"]]
        observations, _, terminations, _, infos = envs.step(np.array(actions))
        ends += int(terminations.sum())
    assert observations.shape == (4, *agon.Game("connect6", board_size=6).observation_shape) and ends > 4


@pytest.mark.parametrize("options,kind,says", [
    ({"game": "chess"}, agon.UnknownGame, "unknown game `chess`"),
    ({"game": "nogo", "board_size": 7}, agon.BadRule, "nogo has no rule options"),
    ({"game": "nogo", "player": 2}, agon.OutOfRange, "player=2: expected 0, 1, or None"),
    ({"game": "nogo", "max_turns": 0}, agon.OutOfRange, "max_turns=0: expected at least 1"),
    ({"game": "nogo", "opponent": 3}, TypeError, "opponent=3: expected 'random', an engine by its name"),
    ({"game": "nogo", "illegal": "pass"}, ValueError, "illegal='pass': expected 'lose' or 'raise'"),
    ({"game": "nogo", "render_mode": "human"}, ValueError, "render_mode='human': expected 'ansi' or None"),
    ({"game": "xiangqi", "fen": "3k5/4R4/3R5/9/9/9/9/9/9/4K4 b"}, agon.BadPosition, "the game is over"),
])
def test_bad_options(options: dict[str, Any], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind) as caught:
        AgonEnv(**options)
    assert says in str(caught.value)


def test_a_board_as_text() -> None:
    env = gymnasium.make("agon/nogo-v0", render_mode="ansi")
    env.reset()
    assert env.render() == str(agon.Game("nogo"))
