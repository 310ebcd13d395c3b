"""Checks of numbers before the compiled module sees them."""

from __future__ import annotations

import operator
from typing import Any

from ._errors import OutOfRange


def whole(what: str, value: Any, least: int, most: int) -> int:
    """A whole number from `least` to `most`."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{what}={value!r}: expected a whole number, not {type(value).__name__}") from None
    if not least <= number <= most:
        raise OutOfRange(f"{what}={value!r}: expected {least} to {most}")
    return number


def number(what: str, value: Any) -> float:
    """A number, such as seconds; the module checks its range."""
    if isinstance(value, (str, bytes, bytearray, bool)):
        raise TypeError(f"{what}={value!r}: expected a number, not {type(value).__name__}")
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{what}={value!r}: expected a number, not {type(value).__name__}") from None
    except OverflowError:
        raise OutOfRange(f"{what}={value!r}: expected a number that is not so large") from None
