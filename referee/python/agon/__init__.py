"""Six board games: their rules for programs that learn them.

>>> import agon
>>> agon.games()
['amazons', 'einstein', 'connect6', 'darkchess', 'xiangqi', 'nogo']
>>> game = agon.Game("connect6", board_size=9)
>>> game.play(40)                        # an action: the middle of the board
>>> game.play("a1b2")                    # a turn as text
>>> print(game)
9  . . . . . . . . .
8  . . . . . . . . .
7  . . . . . . . . .
6  . . . . . . . . .
5  . . . . X . . . .
4  . . . . . . . . .
3  . . . . . . . . .
2  . O . . . . . . .
1  O . . . . . . . .
   a b c d e f g h i
Black (X) to move
<BLANKLINE>
"""

from ._agon import (
    CHANCE,
    OVER,
    Actions,
    Batch,
    Game,
    Outcome,
    RuleOption,
    __version__,
    games,
    rule_options,
)
from ._errors import (
    BadPosition,
    BadRule,
    Error,
    IllegalAction,
    NothingToUndo,
    OutOfRange,
    UnknownGame,
    WrongShape,
)

__all__ = [
    "CHANCE",
    "OVER",
    "Actions",
    "BadPosition",
    "BadRule",
    "Batch",
    "Error",
    "Game",
    "IllegalAction",
    "NothingToUndo",
    "OutOfRange",
    "Outcome",
    "RuleOption",
    "UnknownGame",
    "WrongShape",
    "__version__",
    "games",
    "rule_options",
]
