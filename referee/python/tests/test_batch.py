"""Batches: the same games as one by one, in arrays."""

import subprocess
import sys
import threading

import agon
import numpy as np
import pytest

NAMES = agon.games()
CHANCE = ["darkchess", "einstein"]


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_plays_the_games_one_by_one(name: str) -> None:
    size, generator = 16, np.random.default_rng(3)
    batch, single = agon.Batch(name, size), [agon.Game(name) for _ in range(size)]
    masks = np.ones((size, batch.num_actions), bool)
    planes = np.ones((size, *batch.observation_shape), np.uint8)
    for _ in range(60):
        assert batch.turns().tolist() == [g.turn for g in single]
        assert batch.legal_mask(out=masks) is masks and batch.observation(out=planes) is planes
        assert (masks == [g.legal_mask() for g in single]).all()
        assert (planes == [g.observation() for g in single]).all()
        units = generator.random(size)
        actions = batch.pick(units)
        assert actions.tolist() == [-1 if g.is_over else g.pick(u) for g, u in zip(single, units)]
        batch.play(actions)
        for game, action in zip(single, actions):
            if not game.is_over:
                game.play(action)
        assert (batch.returns() == [g.returns() for g in single]).all()
    assert all(batch[i].fen == g.fen and batch[i].chosen == g.chosen for i, g in enumerate(single))


@pytest.mark.parametrize("name", CHANCE)
def test_a_seed_draws_chance(name: str) -> None:
    def final(seed: int) -> list[str]:
        batch, generator = agon.Batch(name, 30, seed=seed), np.random.default_rng(1)
        for _ in range(40):
            assert not (batch.turns() == agon.CHANCE).any()
            batch.play(batch.pick(generator.random(30)))
        return [batch[i].fen for i in range(30)]

    assert final(1) == final(1) != final(2)


def test_games_start_anew() -> None:
    batch, generator = agon.Batch("connect6", 50, BoardSize=6), np.random.default_rng(1)
    finished = 0
    for _ in range(100):
        batch.play(batch.pick(generator.random(50)))
        over = int((batch.turns() == agon.OVER).sum())
        assert batch.reset() == over
        finished += over
    assert finished > 50
    assert batch.reset([0, 7]) == 2 and batch[7].moves == [] and batch.reset([]) == 0
    start = agon.Game("connect6", BoardSize=6)
    assert batch[0] == start and batch.rules == start.rules


def test_one_illegal_action_stops_all() -> None:
    batch = agon.Batch("nogo", 3)
    batch.play(np.array([4, 5, 6], np.int32))
    with pytest.raises(agon.IllegalAction, match="game 1 of the batch: action 5"):
        batch.play([1, 5, 2])
    assert [batch[i].moves for i in range(3)] == [["e9"], ["f9"], ["g9"]]


def test_what_is_given_for_a_game_that_is_over_is_ignored() -> None:
    batch = agon.Batch("einstein", 2, "1f3/5/5/3A1/5 u 6")
    legal = batch[0].legal_actions()
    batch.play([legal[0], legal[-1]])
    while (batch.turns() != agon.OVER).any():
        batch.play(batch.pick(np.full(2, 0.99)))
    batch.play([999, -5])


def test_threads_share_a_batch_and_a_game() -> None:
    batch, game = agon.Batch("connect6", 500), agon.Game("amazons")
    failures: list[Exception] = []

    def work(seed: int) -> None:
        generator = np.random.default_rng(seed)
        try:
            for _ in range(200):
                try:
                    batch.play(batch.pick(generator.random(500)))
                except agon.IllegalAction:
                    pass  # Another thread was faster.
                batch.reset()
                game.clone().play(game.legal_actions()[0])
        except Exception as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures and not any(thread.is_alive() for thread in threads)
    assert all(batch[i].start_fen == agon.Game("connect6").fen for i in range(0, 500, 100))


STILL_RUNNING = """
import threading, time
import agon, numpy as np

def play():
    batch, units = agon.Batch("nogo", 512), np.full(512, 0.5)
    while True:
        batch.play(batch.pick(units))
        batch.reset()

for _ in range(3):
    threading.Thread(target=play, daemon=True).start()
time.sleep(0.2)
"""


def test_python_ends_while_threads_step_a_batch() -> None:
    # Python before 3.14 unwinds the threads, through the module.
    done = subprocess.run([sys.executable, "-c", STILL_RUNNING], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, done
