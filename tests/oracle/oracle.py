"""What the oracles of all games share."""

import json
import subprocess


class Difference(Exception):
    """Two implementations of the rules disagree."""


class Replay:
    """Our rules, behind an engine program's `replay` subcommand."""

    def __init__(self, program, options=()):
        self.process = subprocess.Popen(
            [str(program), *options, "replay"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def positions(self, game):
        """All positions of a game such as `startpos moves ...`: dicts with `fen`, `turn` and, at a
        player's turn, `moves`; at chance's turn `chance`, a list of [outcome, weight]."""
        self.process.stdin.write(game + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise Difference(f"our rules refuse `{game}`: {answer['error']}")
        return answer["positions"]

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def same(what, ours, theirs, where):
    """Raises unless two values are equal; sets say what only one of them has."""
    if ours == theirs:
        return
    if isinstance(ours, set):
        raise Difference(
            f"{what} at {where}: only ours {sorted(ours - theirs)[:5]}, "
            f"only theirs {sorted(theirs - ours)[:5]}")
    raise Difference(f"{what} at {where}: ours {ours!r}, theirs {theirs!r}")
