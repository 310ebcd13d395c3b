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


class EngineError(Error, RuntimeError):
    """An engine cannot do what was asked, or broke its protocol. The message names the engine and the cause."""


class EngineStartError(EngineError):
    """A program cannot be started as an engine, or was not ready in time."""


class EngineDied(EngineError):
    """An engine has ended by itself; the message has its exit status and its last output."""


class EngineTimeout(EngineError, TimeoutError):
    """An engine did not answer in time; it has been ended."""


class LogError(Error, ValueError):
    """A match log cannot be read, or is not that of the match."""


class MatchError(Error, RuntimeError):
    """A match could not be played to its end; the message is the referee's."""


class MissingPackage(Error, ImportError):
    """Another package is needed; the message says which."""
