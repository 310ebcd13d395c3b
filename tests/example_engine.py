#!/usr/bin/env python3
"""A whole engine in Python, to begin with your own: NoGo 9x9, one random legal move after another.

    referee check --game nogo tests/example_engine.py
    referee match --game nogo --movetime 100 --games 20 \\
        --engine cmd=tests/example_engine.py,name=mine --engine cmd=nogo,option.Algorithm=random

The protocol is UGI: one command per line on standard input, one answer per line on standard output.
Points are a column `a` to `j` without `i`, and a row 1 to 9: `e5`. Black moves first. In a FEN the
rows stand from 9 down to 1; `X` is Black, `O` is White, a digit counts empty points; then the side
to move, `x` or `o`.
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
    group, todo = {point}, [point]
    while todo:
        for other in neighbours(todo.pop()):
            if other not in board:
                return True
            if board[other] == board[point] and other not in group:
                group.add(other)
                todo.append(other)
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
    board, side, answer = {}, "x", None
    for line in sys.stdin:
        words = line.split() or [""]
        if words[0] == "ugi":
            print("id name Example\nid author You\nugiok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            board, side = position(words)
        elif words[0] == "go":
            answer = "bestmove " + random.choice(list(legal_moves(board, side)) or ["none"])
            if "infinite" not in words:  # otherwise the answer waits for `stop`
                print(answer)
                answer = None
        elif words[0] == "stop" and answer:
            print(answer)
            answer = None
        elif line.startswith("query p1turn"):
            print("response", str(side == "x").lower())
        elif line.startswith("query gameover"):
            print("response", str(not any(legal_moves(board, side))).lower())
        elif line.startswith("query result"):
            over = not any(legal_moves(board, side))
            print("response", "none" if not over else "p2win" if side == "x" else "p1win")
        elif words[0] == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
