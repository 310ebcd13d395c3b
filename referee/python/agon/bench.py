"""Measures random steps per second on one core, beside OpenSpiel if it is installed.

    python -m agon.bench [--seconds S] [--batch N] [GAME ...]

A step is one action or chance outcome; games that end start anew. `pick` is `game.play(game.pick(random()))`, `choice` is
`game.play(random.choice(game.legal_actions()))`, `batch` is `batch.play(batch.pick(...))`, and OpenSpiel's is
`state.apply_action(random.choice(state.legal_actions()))`. The time is the processor's, so that other programs count less.
OpenSpiel's Xiangqi chooses a whole turn in a step, in which ours has two.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import Batch, Game, games

SPIEL = {
    "amazons": "amazons",
    "darkchess": "banqi",
    "einstein": "einstein_wurfelt_nicht",
    "xiangqi": "xiangqi",
}


def rate(seconds: float, some_steps: Callable[[], int]) -> float:
    """Steps per second of the thread's time on its processor."""
    some_steps()
    steps, start = 0, time.thread_time()
    while (used := time.thread_time() - start) < seconds:
        steps += some_steps()
    return steps / used


def by_pick(name: str) -> int:
    game, unit, steps = Game(name), random.random, 0
    while not game.is_over:
        game.play(game.pick(unit()))
        steps += 1
    return steps


def by_choice(name: str) -> int:
    game, choice, steps = Game(name), random.choice, 0
    while not game.is_over:
        game.play(choice(game.legal_actions()))
        steps += 1
    return steps


def by_batch(name: str, size: int) -> Callable[[], int]:
    batch, generator = Batch(name, size), np.random.default_rng(1)
    units, actions = np.empty(size), np.empty(size, np.int64)

    def some_steps() -> int:
        generator.random(out=units)
        batch.pick(units, out=actions)
        batch.play(actions)
        batch.reset()
        return size

    return some_steps


def by_spiel(game: Any) -> int:
    state, choice, steps = game.new_initial_state(), random.choice, 0
    while not state.is_terminal():
        state.apply_action(choice(state.legal_actions()))
        steps += 1
    return steps


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m agon.bench", description="Measure random steps per second.")
    parser.add_argument("--seconds", type=float, default=2.0, help="processor time of each figure (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=2048, help="games in a batch (default: %(default)s)")
    parser.add_argument("game", nargs="*", choices=[[], *games()], help="default: all")
    given = parser.parse_args(arguments)
    try:
        pyspiel = importlib.import_module("pyspiel")
    except ImportError:
        pyspiel = None
    print(f"{'steps/s':<10} {'pick':>12} {'choice':>12} {'batch':>12} {'OpenSpiel':>12}")
    for name in given.game or games():
        figures = [
            rate(given.seconds, lambda: by_pick(name)),
            rate(given.seconds, lambda: by_choice(name)),
            rate(given.seconds, by_batch(name, given.batch)),
        ]
        if pyspiel is not None and name in SPIEL:
            theirs = pyspiel.load_game(SPIEL[name])
            figures.append(rate(given.seconds, lambda: by_spiel(theirs)))
        print(f"{name:<10} " + " ".join(f"{figure:>12,.0f}" for figure in figures), flush=True)


if __name__ == "__main__":
    main()
