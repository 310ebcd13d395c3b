"""Six board games: rules for programs that learn them, engines, players in Python, matches and statistics.

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

from . import stats
from ._agon import (
    CHANCE,
    OVER,
    Actions,
    Batch,
    Clock,
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
    EngineDied,
    EngineError,
    EngineStartError,
    EngineTimeout,
    Error,
    IllegalAction,
    LogError,
    MatchError,
    MissingPackage,
    NothingToUndo,
    OutOfRange,
    UnknownGame,
    WrongShape,
)
from .engine import Analysis, AsyncEngine, Engine, Score, Variation
from .logs import Match, Verification, read_log, verify
from .matches import match, sprt, tournament
from .player import Option, Player

__all__ = [
    "CHANCE",
    "OVER",
    "Actions",
    "Analysis",
    "AsyncEngine",
    "BadPosition",
    "BadRule",
    "Batch",
    "Clock",
    "Engine",
    "EngineDied",
    "EngineError",
    "EngineStartError",
    "EngineTimeout",
    "Error",
    "Game",
    "IllegalAction",
    "LogError",
    "Match",
    "MatchError",
    "MissingPackage",
    "NothingToUndo",
    "Option",
    "OutOfRange",
    "Outcome",
    "Player",
    "RuleOption",
    "Score",
    "UnknownGame",
    "Variation",
    "Verification",
    "WrongShape",
    "__version__",
    "games",
    "match",
    "read_log",
    "rule_options",
    "sprt",
    "stats",
    "tournament",
    "verify",
]
