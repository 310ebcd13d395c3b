"""EinStein wuerfelt nicht against OpenSpiel: moves, turn and result of every position.

OpenSpiel sets both sides up by chance and lets the lower-right player move first, so games are
replayed from a FEN in which that player is to roll."""

import random

from oracle import Difference, same

PACKAGES = ["open_spiel"]

STEPS = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}


def check(replay, games, seed):
    import pyspiel

    spiel = pyspiel.load_game("einstein_wurfelt_nicht")
    positions = 0
    for index in range(10 * games):
        rng = random.Random(f"{seed} {index}")
        state = spiel.new_initial_state()
        for _ in range(2):
            state.apply_action(rng.choice(state.legal_actions()))
        start, theirs, tokens = fen(state), [], []
        while not state.is_terminal():
            theirs.append(seen(state))
            action = rng.choice(sorted(state.legal_actions()))
            tokens.append(token(state, action))
            state.apply_action(action)
        black, white = state.returns()
        theirs.append(("p1win" if black > white else "p2win", set()))
        ours = replay.positions(" ".join(["fen", start, "moves", *tokens]))
        same("the length of the game", len(ours), len(theirs), f"game {index}")
        for position, (turn, legal) in zip(ours, theirs):
            where = f"`{position['fen']}`"
            same("turn", position["turn"], turn, where)
            listed = position.get("moves") or [o[0] for o in position.get("chance") or []]
            same("legal moves", set(listed), legal, where)
            if len(listed) != len(legal):
                raise Difference(f"a move is listed twice at {where}")
        positions += len(ours)
    return f"{10 * games} random games, {positions} positions: moves, turn and result as in OpenSpiel"


def board(state):
    """Five rows of five cells such as `b3`, `w1` or `__`."""
    rows = [line for line in str(state).splitlines() if line.startswith("|")]
    return [[cell for cell in row.split("|") if cell] for row in rows]


def fen(state):
    """The position after both set-ups; black is upper left, so our first player."""
    rows = []
    for row in board(state):
        text, empty = "", 0
        for cell in row:
            if cell == "__":
                empty += 1
                continue
            text += str(empty) if empty else ""
            empty = 0
            letter = "ABCDEF"[int(cell[1]) - 1]
            text += letter if cell[0] == "b" else letter.lower()
        rows.append(text + (str(empty) if empty else ""))
    return "/".join(rows) + " l -"


def square(row, column):
    return "abcde"[column] + str(5 - row)


def token(state, action):
    """`roll 3` as `3`, `W6-up` or `B2-diag*` as from and to."""
    text = state.action_to_string(state.current_player(), action)
    if state.is_chance_node():
        return text.split()[-1]
    name, direction = text.rstrip("*").split("-")
    rows = board(state)
    (row, column), = [(r, c) for r in range(5) for c in range(5) if rows[r][c] == name.lower()]
    if direction == "diag":
        step = (1, 1) if name[0] == "B" else (-1, -1)
    else:
        step = STEPS[direction]
    return square(row, column) + square(row + step[0], column + step[1])


def seen(state):
    """Whose turn it is, and every legal token."""
    turn = "chance" if state.is_chance_node() else ["p1", "p2"][state.current_player()]
    return turn, {token(state, a) for a in state.legal_actions()}
