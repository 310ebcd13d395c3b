"""The exceptions of the package. Each message says what is wrong, where, and what would be right."""


class Error(Exception):
    """The class of all exceptions of this package."""


class UnknownGame(Error, ValueError):
    """No game has this name."""


class BadRule(Error, ValueError):
    """A game has no such rule option, or not with such a value."""


class BadPosition(Error, ValueError):
    """A text is no position of the game."""


class IllegalAction(Error, ValueError):
    """An action, outcome or turn is illegal in the position, or no action of the game."""


class OutOfRange(Error, ValueError):
    """A number is too small or too large."""


class WrongShape(Error, ValueError):
    """An array has another shape, type or layout than the result or the games need."""


class NothingToUndo(Error, IndexError):
    """Nothing has been played that could be taken back."""
