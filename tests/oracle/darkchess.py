"""Chinese dark chess against OpenSpiel (`banqi`): moves, what a flip may show and how likely, turn
and result of every position.

OpenSpiel lays the board on its side, names the pieces otherwise, and knows no repetition rule."""

import random
import re

from oracle import Difference, same

PACKAGES = ["open_spiel"]
QUIET = 180
OPTIONS = ["--option", f"DrawPlies={QUIET}", "--option", "RepetitionCount=0"]

NAMES = dict(zip("GAERHCSgaerhcs", "KGMRNCPkgmrncp"))


def check(replay, games, seed):
    import pyspiel

    spiel = pyspiel.load_game("banqi", {"max_no_progress": QUIET})
    positions, ends = 0, {"p1win": 0, "p2win": 0, "draw": 0}
    for index in range(3 * games):
        rng = random.Random(f"{seed} {index}")
        state, theirs, tokens = spiel.new_initial_state(), [], []
        while not state.is_terminal():
            theirs.append(seen(state))
            action = choose(state, rng)
            tokens.append(token(state, action))
            state.apply_action(action)
        first, second = state.returns()
        result = "p1win" if first > second else "p2win" if second > first else "draw"
        ends[result] += 1
        theirs.append((result, set()))
        ours = replay.positions(" ".join(["startpos", "moves", *tokens]))
        same("the length of the game", len(ours), len(theirs), f"game {index}: {' '.join(tokens)}")
        for position, (turn, legal) in zip(ours, theirs):
            where = f"`{position['fen']}`"
            same("turn", position["turn"], turn, where)
            listed = position.get("moves") or [tuple(o) for o in position.get("chance") or []]
            same("legal moves", set(listed), legal, where)
            if len(listed) != len(legal):
                raise Difference(f"a move is listed twice at {where}")
        positions += len(ours)
    return (f"{3 * games} random games ({ends['p1win']} won, {ends['draw']} drawn, "
            f"{ends['p2win']} lost), {positions} positions: moves, outcomes of flips, turn and "
            "result as in OpenSpiel")


def choose(state, rng):
    """Random; captures more often than others, so that games also end by them."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        return rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
    legal = sorted(state.legal_actions())
    captures = [a for a in legal if "x" in state.action_to_string(a)]
    return rng.choice(captures if captures and rng.random() < 0.5 else legal)


def seen(state):
    """Whose turn it is, and what can happen, in our words."""
    if state.is_chance_node():
        outcomes = state.chance_outcomes()
        hidden = str(state).split("Player")[0].count("?")
        return "chance", {(token(state, a), round(p * hidden)) for a, p in outcomes}
    turn = ["p1", "p2"][state.current_player()]
    return turn, {token(state, a) for a in state.legal_actions()}


def token(state, action):
    """An action in our words; the board's rows are our files."""
    text = state.action_to_string(action)
    if text.startswith("Reveal:"):
        return "=" + NAMES[text[-1]]
    squares = re.findall(r"\((\d),(\d)\)", text)
    return "".join("abcd"[int(row)] + str(int(column) + 1) for row, column in squares)
