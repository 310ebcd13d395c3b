"""Compares the rules with those of other programs, in random games: legal moves, results and chance.

    python -m agon.selftest --against pyspiel --games 1000 [GAME ...]
    python -m agon.selftest --against pyffish --games 100

`pyspiel` is OpenSpiel (`pip install open_spiel`), `pyffish` the rules of Fairy-Stockfish. Exit status: 0 no difference, 1 a
difference, which is printed, 2 the other program is missing or a flag is wrong.
"""

from __future__ import annotations

import argparse
import importlib
import random
import re
import sys
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any

from . import CHANCE, OVER, Game

# Games of OpenSpiel that end by its own limit of plies are compared up to there.
UNFINISHED = "unfinished"


class Difference(Exception):
    """Two programs disagree."""


def same(what: str, ours: Any, theirs: Any, game: Game) -> None:
    """Raises unless two values are equal."""
    if ours == theirs:
        return
    where = f"`{game.fen}` with {game.chosen} chosen, after {' '.join(game.moves[-6:])}"
    if isinstance(ours, set):
        ours, theirs = f"only ours {sorted(ours - theirs)[:8]}", f"only theirs {sorted(theirs - ours)[:8]}"
        raise Difference(f"{game.name}: {what} in {where}: {ours}, {theirs}")
    raise Difference(f"{game.name}: {what} in {where}: ours {ours!r}, theirs {theirs!r}")


class Spiel(ABC):
    """A game of OpenSpiel beside ours."""

    name: str
    parameters: dict[str, Any] = {}

    def __init__(self, pyspiel: Any) -> None:
        self.game = pyspiel.load_game(self.name, self.parameters)
        self.known: dict[tuple[bool, int], int] = {}

    @abstractmethod
    def start(self, generator: random.Random) -> tuple[Any, Game]:
        """The state and our game at the same position."""

    @abstractmethod
    def action(self, state: Any, action: int) -> int:
        """Our number for an action of theirs that stays the same in all positions."""

    def ours(self, state: Any, action: int) -> int:
        key = (state.is_chance_node(), action)
        if key not in self.known:
            self.known[key] = self.action(state, action)
        return self.known[key]

    def compare(self, state: Any, game: Game) -> dict[int, int]:
        """Compares turn, legal actions and chance; returns their actions by ours."""
        if state.is_chance_node():
            same("turn", game.turn, CHANCE, game)
            theirs = {self.ours(state, a): round(p, 9) for a, p in state.chance_outcomes() if p > 0}
            same("chance", {n: round(p, 9) for n, p in game.chance_outcomes()}, theirs, game)
        else:
            same("turn", game.turn, state.current_player(), game)
        actions = {self.ours(state, a): a for a in state.legal_actions()}
        same("legal actions", set(game.legal_actions()), set(actions), game)
        return actions

    def play(self, generator: random.Random) -> tuple[int, str]:
        """Plays one random game; returns the number of positions and how it ended."""
        state, game = self.start(generator)
        positions = 0
        while not state.is_terminal():
            positions += 1
            if game.is_over and game.outcome is not None and game.outcome.rule == "repetition":
                return positions, UNFINISHED
            actions = self.compare(state, game)
            action = game.pick(generator.random())
            game.play(action)
            state.apply_action(actions[action])
        if game.turn != OVER and self.ends_early(state):
            return positions, UNFINISHED
        same("turn", game.turn, OVER, game)
        returns = tuple(int(r) for r in state.returns())
        same("result", tuple(int(r) for r in game.returns()), returns, game)
        return positions + 1, "decided" if any(returns) else "drawn"

    def ends_early(self, state: Any) -> bool:
        """Whether their limit of plies has ended the game."""
        return False


class Amazons(Spiel):
    name = "amazons"

    def start(self, generator: random.Random) -> tuple[Any, Game]:
        return self.game.new_initial_state(), Game("amazons")

    def action(self, state: Any, action: int) -> int:
        return action


class Xiangqi(Spiel):
    """OpenSpiel chooses origin and destination at once, and knows neither repetitions nor quiet moves."""

    name = "xiangqi"

    def start(self, generator: random.Random) -> tuple[Any, Game]:
        return self.game.new_initial_state(), Game("xiangqi", DrawPlies=0)

    def action(self, state: Any, action: int) -> int:
        return action

    def ends_early(self, state: Any) -> bool:
        return bool(len(state.history()) >= self.game.max_game_length())

    def play(self, generator: random.Random) -> tuple[int, str]:
        state, game = self.start(generator)
        positions = 0
        while not state.is_terminal():
            positions += 1
            if game.outcome is not None and game.outcome.rule == "repetition":
                return positions, UNFINISHED
            same("turn", game.turn, state.current_player(), game)
            turns = set()
            for origin in game.legal_actions():
                game.play(origin)
                turns |= {90 * origin + target for target in game.legal_actions()}
                game.undo()
            same("legal actions", turns, set(state.legal_actions()), game)
            turn = generator.choice(sorted(turns))
            game.play(turn // 90)
            game.play(turn % 90)
            state.apply_action(turn)
        if self.ends_early(state):
            return positions, UNFINISHED
        same("turn", game.turn, OVER, game)
        returns = tuple(int(r) for r in state.returns())
        same("result", tuple(int(r) for r in game.returns()), returns, game)
        return positions + 1, "decided"


class DarkChess(Spiel):
    """OpenSpiel's name is banqi; its rows are our files, and it knows no repetition."""

    name = "banqi"
    parameters = {"max_no_progress": 180}
    pieces = "GAERHCSgaerhcs"

    def start(self, generator: random.Random) -> tuple[Any, Game]:
        return self.game.new_initial_state(), Game("darkchess", DrawPlies=180, RepetitionCount=0)

    def action(self, state: Any, action: int) -> int:
        text = state.action_to_string(state.current_player(), action)
        if state.is_chance_node():
            return self.pieces.index(text[-1])
        places = re.findall(r"\((\d),(\d)\)", text)
        squares = [4 * (7 - int(column)) + int(row) for row, column in places]
        return 32 * squares[0] + squares[-1]


class EinStein(Spiel):
    """OpenSpiel draws both set-ups, and the player at the lower right, its first, begins."""

    name = "einstein_wurfelt_nicht"
    ways = {"left": 0, "right": 0, "up": 1, "down": 1, "diag": 2}

    def start(self, generator: random.Random) -> tuple[Any, Game]:
        state = self.game.new_initial_state()
        for _ in range(2):
            state.apply_action(generator.choice(state.chance_outcomes())[0])
        rows = [re.findall(r"\|(..)\|", line) for line in str(state).splitlines()]
        letters = {f"{side}{n}": (letter if side == "b" else letter.lower())
                   for side in "bw" for n, letter in enumerate("ABCDEF", 1)}
        board = "/".join("".join(letters.get(cell, "1") for cell in row) for row in rows if row)
        board = re.sub("1+", lambda ones: str(len(ones[0])), board)
        return state, Game("einstein", f"{board} l -")

    def ours(self, state: Any, action: int) -> int:
        # Their number of an action depends on the position's captures.
        return self.action(state, action)

    def action(self, state: Any, action: int) -> int:
        text = state.action_to_string(state.current_player(), action)
        if state.is_chance_node():
            return int(text.split()[-1]) - 1
        name, way = text.rstrip("*").split("-")
        return 3 * (int(name[1]) - 1) + self.ways[way]


SPIEL: dict[str, type[Spiel]] = {
    "amazons": Amazons, "darkchess": DarkChess, "einstein": EinStein, "xiangqi": Xiangqi,
}


def against_pyspiel(pyspiel: Any, name: str, games: int, seed: int) -> str:
    """Compares one game; returns what was compared."""
    spiel = SPIEL[name](pyspiel)
    positions, ends = 0, Counter[str]()
    for index in range(games):
        found, end = spiel.play(random.Random(f"{seed} {index}"))
        positions += found
        ends[end] += 1
    listed = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    return f"{games} games ({listed}), {positions} positions: legal actions, turns, chance and results are the same"


def shifted(move: str) -> str:
    """A move of Fairy-Stockfish in Xiangqi, whose ranks begin with 1."""
    return re.sub(r"\d+", lambda rank: str(int(rank[0]) - 1), move)


# Whole positions are compared after so many plies, and at the end.
STRETCH = 20

FAIRY: dict[str, Callable[[str], str]] = {"amazons": lambda move: move, "xiangqi": shifted}


def fairy_game(pyffish: Any, name: str, generator: random.Random) -> tuple[int, str]:
    """Plays one random game; returns the number of positions and how it ended."""
    game, fen, positions = Game(name), pyffish.start_fen(name), 0
    played: list[str] = []
    while True:
        positions += 1
        # Each call costs 2 or 3 milliseconds, however few its moves: it computes all tables of attacks anew.
        theirs = {FAIRY[name](move): move for move in pyffish.legal_moves(name, fen, played)}
        if len(played) == STRETCH or not theirs:
            fen, played = pyffish.get_fen(name, fen, played), []
            same("position", game.fen.split()[:2], fen.split()[:2], game)
        if game.outcome is not None and game.outcome.rule in ("repetition", "quiet moves"):
            return positions, UNFINISHED
        same("legal turns", set(game.legal_moves()), set(theirs), game)
        same("number of turns", game.count_moves(), len(theirs), game)
        if not theirs:
            loser = "wb".index(fen.split()[1])
            same("turn", game.turn, OVER, game)
            same("winner", game.outcome and game.outcome.winner, 1 - loser, game)
            return positions, "decided"
        move = generator.choice(sorted(theirs))
        game.play(move)
        played.append(theirs[move])


def against_pyffish(pyffish: Any, name: str, games: int, seed: int) -> str:
    """Compares one game; returns what was compared."""
    positions, ends = 0, Counter[str]()
    for index in range(games):
        found, end = fairy_game(pyffish, name, random.Random(f"{seed} {index}"))
        positions += found
        ends[end] += 1
    listed = ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))
    return f"{games} games ({listed}), {positions} positions: legal turns, positions and results are the same"


AGAINST: dict[str, tuple[str, dict[str, Any], Callable[[Any, str, int, int], str]]] = {
    "pyspiel": ("open_spiel", SPIEL, against_pyspiel),
    "pyffish": ("pyffish", FAIRY, against_pyffish),
}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m agon.selftest", description="Compare the rules with those of another program.")
    parser.add_argument("--against", choices=sorted(AGAINST), required=True)
    parser.add_argument("--games", type=int, default=100, help="random games of each kind (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.add_argument("game", nargs="*", help="default: every game that the other program has")
    given = parser.parse_args(arguments)
    package, known, compare = AGAINST[given.against]
    if given.games < 1:
        parser.error(f"--games {given.games}: expected at least 1")
    for name in given.game:
        if name not in known:
            parser.error(f"{given.against} has no {name}; it has {', '.join(known)}")
    try:
        other = importlib.import_module(given.against)
    except ImportError as error:
        print(f"{given.against} cannot be imported ({error}): pip install {package}", file=sys.stderr)
        return 2
    for name in given.game or known:
        try:
            print(f"{name}: {compare(other, name, given.games, given.seed)}", flush=True)
        except Difference as difference:
            print(f"DIFFERENCE: {difference}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
