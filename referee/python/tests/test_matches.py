"""Matches, their logs and their statistics: the same games and the same numbers as the referee's own."""

import doctest
import inspect
import json
import os
import signal
import subprocess
import sys
import time
from math import inf
from pathlib import Path
from typing import Any

import agon
import pytest
from agon import _programs, stats
from agon.matches import fields

RANDOM = {"cmd": "nogo", "name": "random", "options": {"Algorithm": "random"}}
OTHER = {"cmd": "nogo", "name": "other", "options": {"Algorithm": "random", "Seed": 7}}


def referee(*words: object) -> str:
    done = subprocess.run([str(_programs.referee()), *map(str, words)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> agon.Match:
    log = tmp_path_factory.mktemp("match") / "match.jsonl"
    return agon.match(RANDOM, OTHER, game="nogo", games=24, movetime=0.5, seed=5, random_plies=4, concurrency=2, log=log)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> agon.Match:
    log = tmp_path_factory.mktemp("three") / "log.jsonl"
    third = {**OTHER, "name": "third"}
    return agon.tournament(RANDOM, OTHER, third, game="nogo", games=2, depth=1, seed=1, random_plies=4, log=log)


def test_a_match_is_that_of_its_log(played: agon.Match) -> None:
    lines = [json.loads(line) for line in played.path.read_text().splitlines()]
    games = sorted((line for line in lines if "moves" in line and "by" in line), key=lambda line: line["game"])
    assert len(played.games) == len(games) == 24
    for game, line in zip(played.games, games):
        assert (game.moves, game.fen, game.reason) == (line["moves"].split(), line["fen"], "rules")
        replay = game.replay()
        assert replay.fen == game.fen and replay.outcome is not None and replay.outcome.winner == game.winner
        assert replay.outcome.rule == game.ending
        assert [d.move for d in game.decisions] == [m for m, who in zip(game.moves, game.by) if who != "c"]
        assert game.replay(0).moves == game.opening.partition(" moves ")[2].split()
    wins = sum(game.winner is not None and game.players[game.winner] == "random" for game in played.games)
    assert played.score["engines"][0]["wins"] == wins
    assert played.engines == ["random", "other"] and played.verdict is None


def test_the_table_is_the_referees(played: agon.Match, three: agon.Match) -> None:
    for match in (played, three):
        assert str(match) in referee("verify", match.path)
        html = match._repr_html_()
        assert all(f"<td>{name}</td>" in html for name in match.engines)


@pytest.mark.parametrize("tests", [{}, {"elo0": -5, "elo1": 30}, {"alpha": 0.1, "beta": 0.2}, {"model": "normalised"}])
def test_statistics_of_logs_are_the_referees_to_the_digit(played: agon.Match, three: agon.Match, tests: dict[str, Any]) -> None:
    flags = [word for name, value in tests.items() for word in (f"--{name}={value}",)]
    for match in (played, three):
        lines = [json.loads(line) for line in referee("stats", match.path, "--json", *flags).splitlines()]
        found = stats.of_logs(match.path, **tests)
        assert [list(s.engines or ()) for s in found] == [line["engines"] for line in lines]
        table = "".join(f"{a} against {b}\n{s.text}" for s in found for a, b in [s.engines or ("", "")])
        assert table in referee("stats", match.path, *flags)
        for one, line in zip(found, lines):
            same(one, line)


@pytest.mark.parametrize("counts", [(3, 20, 50, 25, 2), (0, 0, 7, 0, 0), (0, 0, 0, 0, 40), (1, 0, 0, 0, 0), (871, 26175, 55983, 26678, 821)])
@pytest.mark.parametrize("tests", [{}, {"elo0": -10, "elo1": 0.5, "alpha": 0.01}])
def test_statistics_of_counts_are_the_referees_to_the_digit(counts: tuple[int, ...], tests: dict[str, Any]) -> None:
    flags = [f"--{name}={value}" for name, value in tests.items()]
    words = ["stats", "--pentanomial", ",".join(map(str, counts)), *flags]
    found = stats.of_pairs(counts, **tests)
    assert found.text == referee(*words)
    same(found, json.loads(referee(*words, "--json")))


def same(found: stats.Statistics, line: dict[str, Any]) -> None:
    """Whether every figure of the referee's JSON is there."""
    infinite = {"low": -inf, "high": inf}
    for ours, name in [
        (found.elo, "elo"), (found.normalised_elo, "normalised_elo"), (found.estimate, "estimate"), (found.after_stopping, "after_stopping"),
    ]:
        assert (ours is None) == (line[name] is None)
        if ours is not None:
            assert (ours.low, ours.high) == tuple(infinite[k] if line[name][k] is None else line[name][k] for k in ("low", "high"))
            assert ours.method == line[name]["method"]
            assert ours.value == line[name]["elo"] or line[name]["elo"] is None and abs(ours.value) == inf
            assert ours.low <= ours.value <= ours.high
    ends = line["confidence_sequence"]
    assert found.confidence_sequence == tuple(infinite[k] if ends[k] is None else ends[k] for k in ("low", "high"))
    assert (found.pentanomial, found.los, list(found.e_values)) == (line["pentanomial"], line["los"], line["e_values"])
    assert vars(found.sprt) == line["sprt"]
    assert [(t.test, t.verdict, t.samples) for t in found.tests] == [
        (t["test"], t["verdict"], t["samples"]) for t in line["tests"] if t["test"] != "none"
    ]


def test_results_in_their_order_give_the_statistics_of_their_log(played: agon.Match) -> None:
    scores = []
    for game in played.games:
        mine = game.players.index("random")
        scores.append(0.5 if game.winner is None else float(game.winner == mine))
    assert stats.of_scores(scores).text == played.statistics()[0].text


def test_single_games() -> None:
    found = stats.of_games(14, 0, 10)
    assert found.wins == 14 and found.elo is not None and found.elo.low < 0 < found.elo.value
    assert stats.of_games(24, 0, 0).elo == stats.Interval(inf, stats.of_games(24, 0, 0).elo.low, inf, "fixed_sample")  # type: ignore[union-attr]
    assert stats.elo(stats.score(37.5)) == pytest.approx(37.5)
    assert (stats.elo(1), stats.elo(0)) == (inf, -inf)


@pytest.mark.parametrize("name", stats.__all__)
def test_documentation_of_statistics(name: str) -> None:
    thing = getattr(stats, name)
    assert inspect.getdoc(thing)
    examples = doctest.DocTestParser().get_doctest(thing.__doc__ or "", {}, name, None, None)
    assert doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples).failed == 0


def test_a_sequential_test_and_its_verdict(tmp_path: Path) -> None:
    strong = {"cmd": "nogo", "name": "search"}
    tested = agon.sprt(strong, RANDOM, game="nogo", elo1=200, nodes=300, seed=2, games=200, log=tmp_path / "t.jsonl")
    assert tested.verdict == "accepted" and len(tested.games) < 200
    assert agon.verify(tested.path).verdict == "no defect"


def test_verify_finds_what_was_changed(played: agon.Match, tmp_path: Path) -> None:
    sound = agon.verify(played.path)
    assert sound and (sound.games, sound.defects) == (24, []) and (sound.head or "-") in referee("verify", played.path)
    assert agon.verify(played.path, heads=[sound.head or ""])
    lines = played.path.read_text().splitlines(keepends=True)
    changed = tmp_path / "changed.jsonl"
    place = next(i for i, line in enumerate(lines) if '"result":"first"' in line)
    lines[place] = lines[place].replace('"result":"first"', '"result":"second"')
    changed.write_text("".join(lines))
    found = agon.verify(changed)
    assert not found and {line for line, _ in found.defects} >= {place + 1}
    with pytest.raises(agon.LogError):
        agon.read_log(changed)


def test_a_match_shows_its_progress_and_resumes(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "match.jsonl"
    settings: dict[str, Any] = {"game": "nogo", "depth": 1, "seed": 9, "random_plies": 4, "log": log, "progress": True}
    agon.match(RANDOM, OTHER, games=4, **settings)
    assert "4/4 games [========================]" in capfd.readouterr().err
    again = agon.match(RANDOM, OTHER, games=4, **settings)
    assert len(again.games) == 4
    with pytest.raises(agon.MatchError, match="is the log of another match"):
        agon.match(RANDOM, OTHER, **{**settings, "seed": 10}, games=4)


INTERRUPTED = """
import agon, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts the tests may have it ignored
agon.match("nogo", {"cmd": "nogo", "name": "b"}, game="nogo", games=500, movetime=0.02, margin=5.0, seed=1, random_plies=4, log=sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is of Unix")
def test_ctrl_c_leaves_a_log_that_resumes(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED, str(log)], stderr=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not (log.exists() and log.read_text().count("\n") > 2) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in errors
    found = agon.read_log(log)
    assert 0 < len(found.games) < 500
    assert agon.verify(log, partial=True).defects == []


@pytest.mark.parametrize("engine,text", [
    ("nogo", "nogo"),
    ({"cmd": "nogo", "name": "a,b", "options": {"Seed": 3}}, 'cmd="nogo",name="a,b",option.Seed="3"'),
    ({"cmd": "python my.py --x 1", "ponder": True}, 'cmd="python",arg="my.py",arg="--x",arg="1",ponder="true"'),
    ({"cmd": ["/x/My Engines/e", 'say "hi"'], "movetime": 0.25}, "cmd=\"/x/My Engines/e\",arg='say \"hi\"',movetime=\"250ms\""),
])
def test_engines_as_the_referee_reads_them(engine: Any, text: str) -> None:
    assert fields(engine) == text


def test_refusals(tmp_path: Path, played: agon.Match) -> None:
    log = tmp_path / "log.jsonl"
    wrong: list[tuple[Any, type[Exception], str]] = [
        (lambda: agon.match("nogo", "nogo", game="nogo", log=log), agon.MatchError, "no time control"),
        (lambda: agon.match("missing", "nogo", game="nogo", depth=1, log=log), agon.MatchError, "cannot find the program"),
        (lambda: agon.match("nogo", "nogo", game="chess", depth=1, log=log), agon.MatchError, "unknown game"),
        (lambda: agon.match("nogo", "nogo", game="nogo", log=log, no_such=1), agon.MatchError, "--no-such"),
        (lambda: agon.read_log(tmp_path / "none.jsonl"), agon.LogError, "none.jsonl"),
        (lambda: agon.read_log(__file__), agon.LogError, "is not a match log"),
        (lambda: agon.verify(__file__), agon.LogError, "is not a match log"),
        (lambda: agon.verify(played.path, heads=["12"]), agon.OutOfRange, "32 hexadecimal digits"),
        (lambda: stats.of_logs(), agon.LogError, "no logs"),
        (lambda: stats.of_pairs([1, 2]), agon.OutOfRange, "expected five"),
        (lambda: stats.of_pairs([0] * 5), agon.OutOfRange, "at least one"),
        (lambda: stats.of_pairs([1] * 5, elo0=5, elo1=5), agon.OutOfRange, "elo0 must be the smaller"),
        (lambda: stats.of_pairs([1] * 5, alpha=2), agon.OutOfRange, "alpha is 2"),
        (lambda: stats.of_pairs([1] * 5, model="bayes"), agon.OutOfRange, "expected 'logistic' or 'normalised'"),
        (lambda: stats.of_scores([1, 0.4]), agon.OutOfRange, "scores[1]=0.4"),
        (lambda: stats.of_scores([]), agon.OutOfRange, "there are none"),
        (lambda: stats.of_pairs([1] * 5).test("betting"), agon.OutOfRange, "no test 'betting'"),
        (lambda: stats.elo(1.5), agon.OutOfRange, "from 0 to 1"),
        (lambda: played.to_pandas("moves"), ValueError, "'games' or 'decisions'"),
    ]
    for call, kind, says in wrong:
        with pytest.raises(kind) as caught:
            call()
        assert says in str(caught.value), says
    assert not os.path.exists(log)


def test_pandas(played: agon.Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(agon.MissingPackage, match="pip install pandas"):
        played.to_pandas()
    monkeypatch.undo()
    pandas = pytest.importorskip("pandas")
    frame = played.to_pandas()
    assert list(frame["number"]) == list(range(1, 25)) and isinstance(frame, pandas.DataFrame)
    decisions = played.to_pandas("decisions")
    assert len(decisions) == sum(len(game.decisions) for game in played.games)
    assert set(decisions["engine"]) == {"random", "other"}


@pytest.mark.parametrize("name", agon.games())
def test_a_game_shows_itself_as_its_board(name: str) -> None:
    game = agon.Game(name)
    game.play(game.pick(0.4))
    html = game._repr_html_()
    assert html.startswith("<iframe ") and html.endswith("</iframe>") and html.count('"') % 2 == 0
    assert "class Board" in html and f"&quot;game&quot;:&quot;{name}&quot;" in html
