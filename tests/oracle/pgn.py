"""Exported games, read by `chess`, the reader of PGN that most of its tools are made with.

The moves are those of other games, so that only what every reader needs is compared: where games begin
and end, the tags, comments, and the result at the end of the moves. Ratings are compared with `choix`,
which fits the Bradley-Terry model by other means.
"""

import json
import math
import pathlib
import subprocess
import tempfile

from oracle import Difference, same

PACKAGES = ["chess", "choix"]
GAMES = ["amazons", "einstein", "connect6", "darkchess", "xiangqi"]
RESULTS = {"first": "1-0", "second": "0-1", "draw": "1/2-1/2"}


def check_programs(folder, games, seed):
    """Plays a round robin of each game, exports it and reads it again."""
    read = 0
    with tempfile.TemporaryDirectory() as place:
        for game in GAMES:
            log = pathlib.Path(place) / f"{game}.jsonl"
            play(folder, game, log, games, seed)
            read += compare(folder, log)
            compare_ratings(folder, log)
    return f"{read} games exported as PGN and read back, ratings of {len(GAMES)} tournaments agree"


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=600)
    if done.returncode:
        raise Difference(f"{' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def play(folder, game, log, games, seed):
    engines = []
    # The reader leaves protected quotes and backslashes as they are, so none are in the names.
    for i, name in enumerate(["plain", "with 'quotes', a comma", "{braces} [and] 1-0"]):
        engines += ["--engine", f"name=\"{name}\",cmd={folder / game} --option Algorithm=random "
                    f"--option Seed={seed + i}"]
    run(folder / "referee", "tournament", "--game", game, *engines, "--nodes", 1, "--margin", 9000,
        "--games", 2 * ((games + 5) // 6), "--max-plies", 200, "--seed", seed, "--quiet", "--log", log)


def read_log(log):
    """The header and the games of a log, without the line at its end."""
    header, *rows = [json.loads(line) for line in log.read_text().splitlines()]
    return [header] + [row for row in rows if "game" in row]


def compare(folder, log):
    """The number of games in a log, which the export must have, in order."""
    import chess.pgn

    class Reader(chess.pgn.BaseVisitor):
        """Keeps tags, comments and the result; no move is read as one of chess."""

        def begin_game(self):
            self.tags, self.results, self.comments = {}, [], 0

        def visit_header(self, name, value):
            self.tags[name] = value

        def begin_parse_san(self, board, san):
            return chess.pgn.SKIP

        def visit_comment(self, comment):
            self.comments += 1

        def visit_result(self, result):
            self.results.append(result)

        def handle_error(self, error):
            pass

        def result(self):
            return self

    lines = read_log(log)
    names = [e["name"] for e in lines[0]["engines"]]
    export = log.with_suffix(".pgn")
    run(folder / "referee", "export", log, "--format", "pgn", "--out", export)
    with open(export) as handle:
        for number, record in enumerate(lines[1:], 1):
            read = chess.pgn.read_game(handle, Visitor=Reader)
            where = f"{log.name}, game {number}"
            if read is None:
                raise Difference(f"{where}: the reader finds no more games")
            tags = [read.tags.get(t) for t in ("White", "Black", "Result", "Round")]
            first, second = (names[i] for i in record["players"])
            result = RESULTS[record["result"]]
            same("tags", tags, [first, second, result, f"{record['pair'] + 1}.{number}"], where)
            same("the result at the end", read.results, [result], where)
        if chess.pgn.read_game(handle, Visitor=Reader) is not None:
            raise Difference(f"{log.name}: the reader finds more games than there are")
    return len(lines) - 1


def compare_ratings(folder, log):
    """Ratings without an advantage, draws as two half wins and one credited to everybody, against
    another fit."""
    import choix
    import numpy

    lines = read_log(log)
    number = len(lines[0]["engines"])
    wins = numpy.zeros((number, number))
    for record in lines[1:]:
        (a, b), result = record["players"], record["result"]
        wins[a][b] += {"first": 1.0, "draw": 0.5, "second": 0.0}[result]
        wins[b][a] += {"first": 0.0, "draw": 0.5, "second": 1.0}[result]
    games = wins + wins.T
    share = games / games.sum(axis=1)[:, None]
    wins += (share + share.T) / 2.0
    theirs = 400.0 / math.log(10) * choix.ilsr_pairwise_dense(wins, max_iter=10000, tol=1e-10)
    words = ["ratings", log, "--no-advantage", "--prior", 1, "--json"]
    ours = {e["index"]: e["elo"] for e in json.loads(run(folder / "referee", *words))["engines"]}
    for i in range(number):
        if abs(ours[i] - theirs[i]) > 0.01:
            raise Difference(f"{log.name}: rating of {i}: ours {ours[i]}, theirs {theirs[i]}")
