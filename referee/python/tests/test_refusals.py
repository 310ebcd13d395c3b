"""What is wrong is refused by an exception of its own class, which says what, where and what would be right."""

import random
from collections.abc import Callable
from typing import Any

import agon
import numpy as np
import pytest

# What mypy would refuse, too.
Game: Any = agon.Game
Batch: Any = agon.Batch
stats: Any = agon.stats

REFUSALS: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: Game("chess"), agon.UnknownGame, "unknown game `chess`; known games: amazons"),
    (lambda: Batch("", 3), agon.UnknownGame, "known games"),
    (lambda: Game("amazons", "nonsense"), agon.BadPosition, "bad FEN `nonsense`"),
    (lambda: Game("xiangqi", "9/9 w"), agon.BadPosition, "bad FEN"),
    (lambda: Game("connect6", BoardSize=5), agon.BadRule, "a whole number from 6 to 19"),
    (lambda: Game("connect6", Size=9), agon.BadRule, "known options: BoardSize"),
    (lambda: Game("nogo", BoardSize=9), agon.BadRule, "nogo has no rule options"),
    (lambda: Game("xiangqi", Repetition="never"), agon.BadRule, "one of draw, check, asian"),
    (lambda: Game("amazons").play(0), agon.IllegalAction, "action 0 (a10) is illegal as `from`"),
    (lambda: Game("amazons").play(100), agon.IllegalAction, "amazons has the actions 0 to 99"),
    (lambda: Game("amazons").play(-1), agon.IllegalAction, "0 to 99"),
    (lambda: Game("amazons").play(10**30), agon.IllegalAction, "0 to 99"),
    (lambda: Game("amazons").play("d1d7"), agon.IllegalAction, "`d1d7` is not a move"),
    (lambda: Game("nogo", moves=["e5", "e5"]), agon.IllegalAction, "illegal move `e5`"),
    (lambda: Game("darkchess", moves=[0, 14]), agon.IllegalAction, "outcome 14 cannot occur"),
    (lambda: Game("nogo").play(1.5), TypeError, "expected an action (int) or a turn (str), not float"),
    (lambda: Game("nogo", moves="e5"), TypeError, "expected a list of moves"),
    (lambda: Game("nogo").undo(), agon.NothingToUndo, "nothing to take back"),
    (lambda: Game("nogo").pick(1.0), agon.OutOfRange, "from 0 to less than 1"),
    (lambda: Game("nogo").pick(float("nan")), agon.OutOfRange, "from 0 to less than 1"),
    (lambda: Game("nogo").observation(2), agon.OutOfRange, "player 2: expected 0 or 1"),
    (lambda: Game("nogo").action_text(-3), agon.IllegalAction, "0 to 80"),
    (lambda: Game("nogo").actions("z9"), agon.IllegalAction, "is not a move"),
    (lambda: Game("nogo").display(""), agon.IllegalAction, "is not a move"),
    (lambda: Game("nogo").legal_mask(np.zeros(80, bool)), agon.WrongShape, "the shape (80,): expected an array of bool with the shape (81,)"),
    (lambda: Game("nogo").legal_mask(np.zeros(81)), agon.WrongShape, "elements of float64"),
    (lambda: Game("nogo").legal_mask([0] * 81), agon.WrongShape, "out is a list"),
    (lambda: Game("nogo").legal_mask(np.zeros(162, bool)[::2]), agon.WrongShape, "one behind the other"),
    (lambda: Game("nogo").observation(out=frozen()), agon.WrongShape, "cannot be written"),
    (lambda: Game("nogo").legal_mask(np.zeros((2, 81), bool, "F")[0]), agon.WrongShape, "row by row"),
    (lambda: Game("nogo").observation(out=np.zeros((5, 9, 9), np.uint8, "F")), agon.WrongShape, "one behind the other, row by row"),
    (lambda: Batch("nogo", 9).legal_mask(out=np.zeros((9, 81), bool, "F")), agon.WrongShape, "row by row"),
    (lambda: Game("nogo").observation(2**70), agon.OutOfRange, f"player {2**70}: expected 0 or 1"),
    (lambda: Game("nogo").perft(-1), agon.OutOfRange, "depth -1: expected 0 to 1000"),
    (lambda: Game("nogo").perft(2**70), agon.OutOfRange, "expected 0 to 1000"),
    (lambda: Game("nogo").perft("2"), TypeError, "'str'"),
    (lambda: Game("connect6", board_size=9, BoardSize=7), agon.BadRule, "option BoardSize: it is given twice"),
    (lambda: Batch("nogo", 0), agon.OutOfRange, "size 0: expected 1 to 1048576"),
    (lambda: Batch("nogo", -(2**70)), agon.OutOfRange, "expected 1 to 1048576"),
    (lambda: Batch("nogo", 2.0), TypeError, "'float'"),
    (lambda: Batch("nogo", 2, seed=-1), agon.OutOfRange, "seed -1: expected 0 to"),
    (lambda: Batch("nogo", 2, seed=2**64), agon.OutOfRange, f"seed {2**64}: expected 0 to {2**64 - 1}"),
    (lambda: Batch("nogo", 2).observation(-1), agon.OutOfRange, "player -1: expected 0 or 1"),
    (lambda: agon.stats.of_pairs([1, 2, 3, 4, -5]), agon.OutOfRange, "counts=-5: expected 0 to"),
    (lambda: stats.of_games(1, 2.5, 3), TypeError, "counts=2.5: expected a whole number, not float"),
    (lambda: agon.Player().run(), agon.UnknownGame, "Player has no `game`: expected one of amazons"),
    (lambda: Batch("nogo", 3)[3], IndexError, "game 3: there are 3 games"),
    (lambda: Batch("nogo", 3).play([1, 2]), agon.WrongShape, "there are 2: expected 3 integers"),
    (lambda: Batch("nogo", 2).play([1, "a"]), agon.WrongShape, "an element is a str"),
    (lambda: Batch("nogo", 2).play(7), agon.WrongShape, "it is a int"),
    (lambda: Batch("nogo", 3).play([0, 1, 81]), agon.IllegalAction, "game 2 of the batch: action 81"),
    (lambda: Batch("nogo", 3).pick(np.zeros(2)), agon.WrongShape, "there are 2: expected an array of 3"),
    (lambda: Batch("nogo", 3).pick(np.ones(3)), agon.OutOfRange, "from 0 to less than 1"),
    (lambda: Batch("nogo", 3).reset([3]), IndexError, "game 3: expected 0 to 2"),
    (lambda: over().play(0), agon.IllegalAction, "the game is over"),
    (lambda: over().play("a1b1"), agon.IllegalAction, "the game is over"),
    (lambda: over().pick(0.5), agon.IllegalAction, "the game is over"),
    (lambda: begun().play("d1-d7/g7"), agon.IllegalAction, "a turn has begun"),
]


def frozen() -> Any:
    array = np.zeros((5, 9, 9), np.uint8)
    array.flags.writeable = False
    return array


def over() -> agon.Game:
    return agon.Game("connect6", moves="a1 a3c3 b1c1 e3g3 d1e1 i3k3 f1".split())


def begun() -> agon.Game:
    return agon.Game("amazons", moves=[93])


@pytest.mark.parametrize("wrong,kind,says", REFUSALS, ids=[says for _, _, says in REFUSALS])
def test_a_refusal(wrong: Callable[[], Any], kind: type[Exception], says: str) -> None:
    with pytest.raises(kind) as caught:
        wrong()
    assert says in str(caught.value)
    assert isinstance(caught.value, (agon.Error, TypeError, IndexError))


@pytest.mark.parametrize("name", agon.games())
def test_nothing_else_crosses_the_border(name: str) -> None:
    """Random calls with random arguments: a refusal of ours or of Python's, and the game stays as it was."""
    generator = random.Random(name)
    words = ["", "a1", "d1d7,d7g7", "=K", "3", "261345", "0000", "炮二平五", "\0", "e5" * 50, "startpos"]
    numbers = [-(10**20), -1, 0, 1, 7, 89, 90, 1023, 1024, 2**31, 2**63, 10**30]
    games = [agon.Game(name)]
    for _ in range(3000):
        game = generator.choice(games)
        argument = generator.choice([generator.choice(words), generator.choice(numbers), None, 2.5, b"x"])
        method = generator.choice(["play", "actions", "action_text", "display", "observation", "legal_mask", "pick", "undo"])
        before = (game.fen, game.chosen)
        try:
            getattr(game, method)(*([] if method == "undo" else [argument]))
        except (agon.Error, TypeError, OverflowError):
            assert (game.fen, game.chosen) == before
        if not game.is_over and generator.random() < 0.7:
            game.play(game.pick(generator.random()))
        if game.is_over or generator.random() < 0.01:
            games = [*games[-5:], agon.Game(name)]
