"""Games one by one: what the calls promise in every game."""

import copy
import pickle
import random
from typing import Any

import agon
import numpy as np
import pytest

NAMES = agon.games()
SEEDS = range(4)


def random_game(name: str, seed: int, steps: int = 10_000, **rules: Any) -> agon.Game:
    generator, game = random.Random(seed), agon.Game(name, **rules)
    while not game.is_over and steps > 0:
        game.play(game.pick(generator.random()))
        steps -= 1
    return game


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_game(name: str, seed: int) -> None:
    generator, game = random.Random(seed), agon.Game(name)
    mask = np.ones(game.num_actions, bool)
    passed = []
    while not game.is_over:
        legal = game.legal_actions()
        assert list(legal) == sorted(set(legal)) and len(legal) == len(list(legal)) > 0
        assert [legal[i] for i in range(-len(legal), len(legal))] == 2 * list(legal)
        assert game.legal_mask(out=mask) is mask
        if game.is_chance:
            assert (game.turn, game.stage) == (agon.CHANCE, "chance")
            outcomes = dict(game.chance_outcomes())
            assert list(outcomes) == list(legal) and sum(outcomes.values()) == pytest.approx(1)
            assert not mask.any() and max(legal) < game.num_outcomes
        else:
            assert game.turn in (0, 1) and game.chance_outcomes() == []
            assert np.flatnonzero(mask).tolist() == list(legal) == np.asarray(legal).tolist()
        assert all(game.action_text(a) for a in legal)
        passed.append((game.fen, game.hash, game.chosen, game.moves))
        game.play(game.pick(generator.random()))
    assert (game.turn, game.stage, list(game.legal_actions())) == (agon.OVER, "over", [])
    assert game.outcome is not None and game.outcome.rule
    expected = {0: (1, -1), 1: (-1, 1), None: (0, 0)}[game.outcome.winner]
    assert game.returns() == expected
    for before in reversed(passed):
        game.undo()
        assert (game.fen, game.hash, game.chosen, game.moves) == before
    with pytest.raises(agon.NothingToUndo):
        game.undo()


@pytest.mark.parametrize("name", NAMES)
def test_text_and_numbers_are_the_same_game(name: str) -> None:
    played = random_game(name, 5)
    numbers, text = agon.Game(name), agon.Game(name)
    for move in played.moves:
        for action in numbers.actions(move):
            numbers.play(action)
        assert move in text.legal_moves() if text.turn >= 0 and text.count_moves() < 5000 else True
        text.play(move)
        assert numbers.fen == text.fen and numbers.hash == text.hash
    assert text.outcome == numbers.outcome == played.outcome


@pytest.mark.parametrize("name", NAMES)
def test_copies(name: str) -> None:
    game = random_game(name, 6, steps=15)
    for other in (game.clone(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert other == game and other.history == game.history and other.chosen == game.chosen
        other.undo()
        assert other != game and other.hash != game.hash
    assert agon.Game(name, game.fen).fen == game.fen


@pytest.mark.parametrize("name", NAMES)
def test_observations(name: str) -> None:
    game = random_game(name, 7, steps=40)
    planes, rows, columns = game.observation_shape
    assert planes == len(game.plane_names) == len(set(game.plane_names))
    out = np.full((planes, rows, columns), 255, np.uint8)
    assert game.observation(1, out=out) is out
    assert (out == game.observation(1)).all() and out.shape == game.observation(0).shape
    place = game.plane_names.index("the player is to move")
    turns = [int(game.observation(p)[place, 0, 0]) for p in (0, 1)]
    assert turns == [int(game.turn == p) for p in (0, 1)]
    # A part of a larger array, without a copy.
    many = np.zeros((3, planes, rows, columns), np.uint8)
    game.observation(1, out=many[1])
    assert (many[1] == out).all() and not many[0].any() and not many[2].any()


def test_planes_show_the_position() -> None:
    game = agon.Game("connect6", moves=["j10", "a1s19"])
    own, enemy = game.observation(0)[:2]
    assert own[9, 9] == 1 and own.sum() == 1
    assert enemy[18, 0] == enemy[0, 18] == 1 and enemy.sum() == 2
    game.play(5)
    assert game.observation()[2, 0, 5] == 1 and game.observation()[3].max() == 1
    red = agon.Game("xiangqi").observation()
    names = agon.Game("xiangqi").plane_names
    assert red[names.index("own king"), 9, 4] == 1 and red[names.index("enemy rooks"), 0, 0] == 1
    dark = agon.Game("darkchess", moves=["a1", "=K"])
    second = dark.observation()
    assert dark.turn == 1 and second[dark.plane_names.index("enemy king"), 7, 0] == 1
    assert second[dark.plane_names.index("enemy pawns face down"), 0, 0] == 5


def test_hidden_set_ups_stay_hidden() -> None:
    game = agon.Game("einstein")
    before = game.observation(1)
    game.play("261345")
    assert (before[:12] == 0).all() and (game.observation(1)[:12] == 0).all()
    assert game.observation(0)[:12].sum() == 6


@pytest.mark.parametrize("name,moves,winner,rule", [
    ("connect6", "a1 a3c3 b1c1 e3g3 d1e1 i3k3 f1", 0, "line"),
    ("xiangqi", " ".join(2 * ["h0g2 h9g7 g2h0 g7h9"]), None, "repetition"),
])
def test_the_rule_that_ends_a_game(name: str, moves: str, winner: int | None, rule: str) -> None:
    outcome = agon.Game(name, moves=moves.split()).outcome
    assert outcome is not None and (outcome.winner, outcome.rule) == (winner, rule)


def test_rules() -> None:
    game = agon.Game("darkchess", Board="2x4", draw_plies=9)
    assert game.rules == {"DrawPlies": 9, "RepetitionCount": 3, "Board": "2x4"}
    assert game.num_actions == 1024 and game.observation_shape[1:] == (8, 4)
    assert list(game.legal_actions()) == [33 * square for square in (16, 17, 20, 21, 24, 25, 28, 29)]
    assert pickle.loads(pickle.dumps(game)) == game
    assert [o.name for o in agon.rule_options("xiangqi")] == ["Repetition", "RepetitionCount", "DrawPlies"]
    size = agon.rule_options("connect6")[0]
    assert (size.default, size.bounds, size.choices) == (19, (6, 19), None) and "rows" in size.help
    assert agon.Game("amazons").rules == {}
    endings = {random_game("darkchess", seed, DrawPlies=5).outcome for seed in range(9)}
    assert "quiet moves" in {o.rule for o in endings if o}


def test_perft() -> None:
    assert [agon.Game("xiangqi").perft(d) for d in range(4)] == [1, 44, 1920, 79666]
    assert agon.Game("amazons").perft(1) == agon.Game("amazons").count_moves() == 2176


def test_notations() -> None:
    for text in ("h2e2", "C2.5", "炮二平五", "C2=5"):
        game = agon.Game("xiangqi")
        game.play(text)
        assert game.moves == ["h2e2"]
    assert agon.Game("xiangqi").display("h2e2") == "C2.5"


def test_a_result_that_is_certain() -> None:
    assert agon.Game("amazons").certain_outcome() is None
    done = agon.Game("amazons", "Q*2/**2/2*q/3* w")
    assert done.outcome or done.certain_outcome() == agon.Game("amazons", "Q*2/**2/2*q/3* w").certain_outcome()
