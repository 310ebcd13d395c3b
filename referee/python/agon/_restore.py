"""Makes games again from what `pickle` and `copy` keep of them."""

from __future__ import annotations

from ._agon import Game


def game(name: str, fen: str, history: list[int | str], rules: dict[str, int | str]) -> Game:
    """The game with this start, after these calls of `play`."""
    return Game(name, fen, moves=history, **rules)
