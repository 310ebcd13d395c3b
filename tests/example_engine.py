#!/usr/bin/env python3
"""A whole engine in Python, to begin with your own: NoGo 9x9, one random legal move after another.

    referee check --game nogo tests/example_engine.py
    referee match --game nogo --movetime 100 --games 20 \\
        --engine cmd=tests/example_engine.py,name=mine --engine cmd=nogo,option.Algorithm=random

The protocol is UGI: one command per line on standard input, one answer per line on standard output.
Points are a column `a` to `j` without `i`, and a row 1 to 9: `e5`. Black moves first. In a FEN the
rows stand from 9 down to 1; `X` is Black, `O` is White, a digit counts empty points; then the side
to move, `x` or `o`.

The Python package `agon` has all this done: there an engine is a class with the method `choose`.
"""

import random
import sys

COLUMNS = "abcdefghj"
POINTS = [column + row for row in "123456789" for column in COLUMNS]


def neighbours(point):
    column, row = COLUMNS.index(point[0]), int(point[1])
    around = [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
    return [f"{COLUMNS[c]}{r}" for c, r in around if 0 <= c < 9 and 1 <= r <= 9]


def has_liberty(board, point):
    group = [point]
    for stone in group:  # grows while it is read
        for other in neighbours(stone):
            if other not in board:
                return True
            if board[other] == board[point] and other not in group:
                group.append(other)
    return False


def legal_moves(board, side):
    """The empty points where a stone of `side` captures nothing and is not captured."""
    for point in POINTS:
        if point not in board:
            after = {**board, point: side}
            if all(has_liberty(after, p) for p in [point, *neighbours(point)] if p in after):
                yield point


def position(words):
    """The stones and the side to move after `position startpos|fen F [moves ...]`."""
    board, side = {}, "x"
    moves = words[words.index("moves") + 1:] if "moves" in words else []
    if words[1] == "fen":
        for row, text in zip("987654321", words[2].split("/")):
            squares = "".join("." * int(c) if c.isdigit() else c for c in text)
            board |= {COLUMNS[i] + row: c.lower() for i, c in enumerate(squares) if c != "."}
        side = words[3]
    for move in moves:
        board[move] = side
        side = "o" if side == "x" else "x"
    return board, side


def main():
    board, side, best = {}, "x", ""
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "ugi":
            print("id name Example\nid author You\nugiok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            board, side = position(words)
        elif words[0] == "query":
            over = not any(legal_moves(board, side))
            result = "none" if not over else "p2win" if side == "x" else "p1win"
            print("response", str({"p1turn": side == "x", "gameover": over}.get(words[-1], result)).lower())
        elif words[0] == "go":
            best = "bestmove " + random.choice(list(legal_moves(board, side)) or ["none"])
        elif words[0] == "quit":
            break
        # After `go infinite` the answer waits for `stop`.
        if best and words[0] in ("go", "stop") and "infinite" not in words:
            print(best)
            best = ""
        sys.stdout.flush()


if __name__ == "__main__":
    main()
