"""Xiangqi against Fairy-Stockfish: moves and FEN of every position."""

import random

from oracle import Difference, same

PACKAGES = ["pyffish"]

# Our rules end a game at the third occurrence of a position or after so many plies without a
# capture; the comparison ends a game before that.
MOST_OCCURRENCES = 2
MOST_QUIET_PLIES = 119
MOST_PLIES = 250


def check(replay, games, seed):
    import pyffish

    positions = 0
    for index in range(games):
        moves = play(pyffish, random.Random(f"{seed} {index}"))
        ours = replay.positions(" ".join(["startpos", "moves", *map(from_fairy, moves)]))
        same("the length of the game", len(ours), len(moves) + 1, f"game {index}")
        compare(pyffish, ours, moves)
        positions += len(ours)
    return f"{games} random games, {positions} positions: moves and FEN as in Fairy-Stockfish"


def from_fairy(move):
    """Fairy-Stockfish numbers ranks from 1: `a1a10` is our `a0a9`."""
    cut = next(i for i in range(1, len(move)) if move[i].isalpha())
    return "".join(f"{s[0]}{int(s[1:]) - 1}" for s in (move[:cut], move[cut:]))


def play(pyffish, rng):
    """A random game by Fairy-Stockfish's rules."""
    fen, moves, seen = pyffish.start_fen("xiangqi"), [], {}
    while len(moves) < MOST_PLIES and (legal := pyffish.legal_moves("xiangqi", fen, [])):
        move = rng.choice(sorted(legal))
        fen = pyffish.get_fen("xiangqi", fen, [move])
        place, quiet = " ".join(fen.split()[:2]), int(fen.split()[4])
        seen[place] = seen.get(place, 0) + 1
        if seen[place] > MOST_OCCURRENCES or quiet > MOST_QUIET_PLIES:
            break
        moves.append(move)
    return moves


def compare(pyffish, ours, moves):
    fen = pyffish.start_fen("xiangqi")
    for ply, position in enumerate(ours):
        where = f"`{position['fen']}`"
        same("FEN", position["fen"], fen, f"ply {ply}")
        theirs = {from_fairy(m) for m in pyffish.legal_moves("xiangqi", fen, [])}
        same("legal moves", set(position.get("moves", [])), theirs, where)
        if len(theirs) != len(position.get("moves", [])):
            raise Difference(f"a move is listed twice at {where}")
        mover = {"w": "p1", "b": "p2"}[fen.split()[1]]
        loser = {"p1": "p2win", "p2": "p1win"}[mover]
        same("turn", position["turn"], mover if theirs else loser, where)
        if ply < len(moves):
            fen = pyffish.get_fen("xiangqi", fen, [moves[ply]])
