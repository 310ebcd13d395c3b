"""Engines as opponents in the environments of Gymnasium."""

import random
import sys
from pathlib import Path
from typing import Any

import agon
import numpy as np
import pytest

gymnasium: Any = pytest.importorskip("gymnasium")
from agon.adapters.gymnasium import AgonEnv  # noqa: E402

# An engine in UGI for NoGo that answers as its argument says.
OWN = '''
import sys
for line in sys.stdin:
    word = (line.split() or [""])[0]
    if word == "ugi": print("id name Own\\nid author nobody\\nugiok")
    elif word == "isready": print("readyok")
    elif word == "go":
        if sys.argv[1] == "crash": sys.exit("out of luck")
        print("bestmove " + sys.argv[1])
    elif word == "quit": break
    sys.stdout.flush()
'''


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "own.py"
    path.write_text(OWN)
    return path


def finish(env: Any, generator: random.Random) -> tuple[float, bool, bool, dict[str, Any]]:
    """Plays an episode by random legal actions; returns its end."""
    _, info = env.reset(seed=1)
    while True:
        action = generator.choice(np.flatnonzero(info["action_mask"]).tolist() or [0])
        _, reward, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            return reward, terminated, truncated, info


@pytest.mark.parametrize("name", agon.games())
@pytest.mark.parametrize("player", [0, 1])
def test_every_engine_is_an_opponent_by_its_name(name: str, player: int) -> None:
    env = gymnasium.make(f"agon/{name}-v0", opponent=name, limits={"nodes": 30}, player=player, max_turns=12)
    for seed in range(2):
        reward, terminated, truncated, info = finish(env, random.Random(seed))
        assert truncated and len(env.unwrapped.game.moves) >= 12 or info["outcome"] is not None
    env.close()


def test_an_engine_wins_against_chance() -> None:
    env = AgonEnv("connect6", opponent={"program": "connect6", "options": {"Threads": 1}}, limits={"nodes": 2000}, board_size=9)
    reward, terminated, _, info = finish(env, random.Random(1))
    assert (reward, terminated) == (-1.0, True) and info["outcome"].winner == 1
    env.close()


def test_any_command_and_an_engine_of_ones_own(own: Path) -> None:
    command = f'"{sys.executable}" "{own}" a1'
    for opponent in (f"cmd={command}", {"cmd": [sys.executable, str(own), "a1"], "name": "own"}):
        env = AgonEnv("nogo", opponent=opponent, max_turns=2)
        env.reset(seed=1)
        assert env.step(40)[3] and env.game.moves == ["e5", "a1"]
        env.close()
    with agon.Engine(cmd=[sys.executable, str(own), "a1"], game="nogo") as engine:
        for _ in range(2):
            env = AgonEnv("nogo", opponent=engine, limits={"movetime": 0.05}, max_turns=2)
            env.reset(seed=1)
            assert env.step(40)[3] and env.game.moves == ["e5", "a1"]
            env.close()  # It is not this environment's engine.
        assert engine.analyse(agon.Game("nogo"), movetime=0.05).move == "a1"


@pytest.mark.parametrize("player", [0, 1])
def test_an_engine_that_resigns_has_lost(own: Path, player: int) -> None:
    env = AgonEnv("nogo", opponent={"cmd": [sys.executable, str(own), "resign"]}, player=player)
    for _ in range(2):
        _, info = env.reset(seed=1)
        if player == 0:
            assert info["action_mask"].any() and "resigned" not in info
        _, reward, terminated, truncated, info = env.step(0)
        assert (reward, terminated, truncated, info["resigned"]) == (1.0, True, False, True)
        assert not info["action_mask"].any() and "outcome" not in info
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step(1)
    env.close()


def test_faults_of_an_engine(own: Path) -> None:
    env = AgonEnv("nogo", opponent={"cmd": [sys.executable, str(own), "crash"]})
    env.reset(seed=1)
    with pytest.raises(agon.EngineDied, match="out of luck"):
        env.step(0)
    env = AgonEnv("nogo", opponent={"cmd": [sys.executable, str(own), "z9"]})
    env.reset(seed=1)
    with pytest.raises(agon.EngineError, match="`z9` is not a move"):
        env.step(0)
    env.close()
    with pytest.raises(agon.EngineError, match="it was closed"):
        env.reset()


def test_wrong_engines() -> None:
    wrong: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"opponent": "nobody"}, agon.EngineStartError, "cannot find the program"),
        ({"opponent": "cmd="}, agon.EngineStartError, ""),
        ({"opponent": {"cmd": "./missing"}}, agon.EngineStartError, "cannot find the program"),
        ({"opponent": {"program": "nogo", "no_such": 1}}, agon.EngineStartError, "its options: Algorithm"),
        ({"opponent": lambda game: 0, "limits": {"depth": 1}}, ValueError, "they are those of an engine"),
    ]
    for options, kind, says in wrong:
        with pytest.raises(kind) as caught:
            AgonEnv("nogo", **options)
        assert says in str(caught.value)
    with agon.Engine("amazons") as other:
        with pytest.raises(agon.EngineStartError, match="expected an engine for nogo"):
            AgonEnv("nogo", opponent=other)
    env = AgonEnv("nogo", opponent="nogo", limits={}, player=1)
    with pytest.raises(agon.OutOfRange, match="has no limit"):
        env.reset()
    env.close()
