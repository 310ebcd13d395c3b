"""Amazons against Fairy-Stockfish (moves and FEN of every position) and OpenSpiel (moves of some
positions, turn of all, result)."""

import random

from oracle import Difference, same

PACKAGES = ["pyffish", "open_spiel"]

# OpenSpiel lists moves in three stages, which is slow: every so many plies is enough.
OPEN_SPIEL_STEP = 9


def check(replay, games, seed):
    import pyffish
    import pyspiel

    spiel = pyspiel.load_game("amazons")
    positions = listed = 0
    for index in range(games):
        rng = random.Random(f"{seed} {index}")
        moves = play(pyffish, rng)
        ours = replay.positions(" ".join(["startpos", "moves", *moves]))
        same("the length of the game", len(ours), len(moves) + 1, f"game {index}")
        compare_with_fairy(pyffish, ours, moves)
        listed += compare_with_open_spiel(spiel.new_initial_state(), ours, moves)
        positions += len(ours)
    return (f"{games} random games, {positions} positions: moves and FEN as in Fairy-Stockfish, "
            f"turn and result as in OpenSpiel, moves as in OpenSpiel at {listed} of them")


def play(pyffish, rng):
    """A random game by Fairy-Stockfish's rules."""
    fen, moves = pyffish.start_fen("amazons"), []
    while legal := pyffish.legal_moves("amazons", fen, []):
        move = rng.choice(sorted(legal))
        fen = pyffish.get_fen("amazons", fen, [move])
        moves.append(move)
    return moves


def compare_with_fairy(pyffish, ours, moves):
    fen = pyffish.start_fen("amazons")
    for ply, position in enumerate(ours):
        where = f"`{position['fen']}`"
        same("FEN", position["fen"].split()[:2], fen.split()[:2], f"ply {ply}")
        theirs = set(pyffish.legal_moves("amazons", fen, []))
        same("legal moves", set(position.get("moves", [])), theirs, where)
        if len(theirs) != len(position.get("moves", [])):
            raise Difference(f"a move is listed twice at {where}")
        mover = {"w": "p1", "b": "p2"}[fen.split()[1]]
        loser = {"p1": "p2win", "p2": "p1win"}[mover]
        same("turn", position["turn"], mover if theirs else loser, where)
        if ply < len(moves):
            fen = pyffish.get_fen("amazons", fen, [moves[ply]])


def action(square):
    """OpenSpiel numbers the squares in rows from the top."""
    return (10 - int(square[1:])) * 10 + "abcdefghij".index(square[0])


def actions(move):
    """`d1d7,d7g7` as OpenSpiel's three actions."""
    start_end, arrow = move.split(",")
    cut = next(i for i in range(1, len(start_end)) if start_end[i].isalpha())
    start, end = start_end[:cut], start_end[cut:]
    return action(start), action(end), action(arrow[len(end):])


def compare_with_open_spiel(state, ours, moves):
    listed = 0
    for ply, position in enumerate(ours):
        where = f"`{position['fen']}`"
        if state.is_terminal():
            first, second = state.returns()
            theirs = "p1win" if first > second else "p2win"
        else:
            theirs = ["p1", "p2"][state.current_player()]
        same("turn", position["turn"], theirs, where)
        if ply % OPEN_SPIEL_STEP == OPEN_SPIEL_STEP - 1 and not state.is_terminal():
            same("legal moves", {actions(m) for m in position["moves"]}, triples(state), where)
            listed += 1
        if ply < len(moves):
            for a in actions(moves[ply]):
                state.apply_action(a)
    return listed


def triples(state):
    """All legal turns as (from, to, arrow)."""
    found = set()
    for start in state.legal_actions():
        moved = state.child(start)
        for end in moved.legal_actions():
            shooting = moved.child(end)
            found.update((start, end, arrow) for arrow in shooting.legal_actions())
    return found
