"""Engines in Python: they speak UGI and other dialects, and are refereed like any other."""

import json
import subprocess
import sys
import time
from pathlib import Path

import agon
import pytest
from agon import _programs

EXAMPLE = Path(__file__).parent / "player_example.py"

FAULTY = '''
import agon, sys, time
class Faulty(agon.Player):
    game = "connect6"
    name, author = "Faulty 2", "Ada"
    options = {
        "Mode": agon.Option("fine", choices=("fine", "raises", "illegal", "part", "counts", "deaf")),
        "Level": agon.Option(3, min=1, max=9, help="how high"),
        "Loud": agon.Option(True), "Note": agon.Option(""), "Reset": agon.Option(None),
    }
    def new_game(self):
        print("new game")
    def option_set(self, name, value):
        print("set", name, value, flush=True)
    def prepare(self):
        self.ready = True
    def choose(self, game, clock):
        mode = self.settings["Mode"]
        assert self.ready and self.settings["Level"] == 3
        if mode == "raises":
            raise RuntimeError("no idea")
        if mode == "deaf":
            time.sleep(60)
        if mode == "illegal":
            return "z1"
        first = next(iter(game.legal_actions()))
        if mode == "part":
            return first
        if mode == "counts":
            nodes = 0
            while not clock.stopped:
                nodes += 1
                time.sleep(0.001)
            clock.report(depth=2, cp=-30, nodes=nodes, wdl=(1, 2, 1), moves=["a1"], text="counted")
            clock.report(mate=-4, rank=2, moves=["b1"])
        game.play(first)
        return game.moves[-1:] or [first, *list(game.legal_actions())[:1]] if game.chosen else game.moves[-1]
Faulty().run()
'''


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("players") / "faulty.py"
    path.write_text(FAULTY)
    return path


def talk(script: Path, *lines: str, timeout: float = 30) -> tuple[list[str], str, int]:
    """What a player answers to lines, what it writes to standard error, and its exit status."""
    text = "".join(line + "\n" for line in lines)
    words = [sys.executable, str(script)]
    done = subprocess.run(words, input=text, capture_output=True, text=True, timeout=timeout)
    return done.stdout.splitlines(), done.stderr, done.returncode


@pytest.mark.parametrize("game", ["nogo", "darkchess"])
def test_the_example_passes_all_checks_of_the_referee(game: str) -> None:
    command = f'"{sys.executable}" "{EXAMPLE}" {game}'
    words = [str(_programs.referee()), "check", "--game", game, "--json", "--margin", "2000", f"cmd='{command}'"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=100)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = {event["check"]: event["verdict"] for event in events if "check" in event}
    assert done.returncode == 0, events
    assert verdicts["handshake"] == verdicts["stop"] == verdicts["clocks"] == verdicts["quit"] == "ok", verdicts
    assert "FAILED" not in verdicts.values(), events


def test_the_example_is_short() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 16


def test_a_player_plays_by_the_rules_of_the_match(tmp_path: Path) -> None:
    mine = {"cmd": [sys.executable, str(EXAMPLE), "connect6"], "name": "mine"}
    played = agon.match(mine, {"cmd": "connect6", "options": {"Algorithm": "random"}}, game="connect6", games=2,
                        movetime=0.2, margin=5.0, rules={"BoardSize": 7}, seed=3, log=tmp_path / "m.jsonl")
    assert [game.reason for game in played.games] == ["rules", "rules"]
    assert agon.verify(played.path)
    assert played.games[0].replay().rules["BoardSize"] == 7


def test_the_handshake_and_options(faulty: Path) -> None:
    said, errors, status = talk(
        faulty, "ugi", "setoption name level value 4", "setoption name Level value 99", "setoption name loud value false",
        "setoption name Reset", "isready", "quit",
    )
    assert status == 0
    assert said[:2] == ["id name Faulty 2", "id author Ada"]
    assert "option name Mode type combo default fine var fine var raises var illegal var part var counts var deaf" in said
    assert "option name Level type spin default 3 min 1 max 9" in said
    assert "option name Reset type button" in said and "option name BoardSize type spin default 19 min 6 max 19" in said
    assert said[-1] == "readyok" and any("a whole number from 1 to 9" in line for line in said)
    assert errors.splitlines() == ["set Level 4", "set Loud False", "set Reset None"]


def test_the_search_has_a_clock_and_reports(faulty: Path) -> None:
    said, _, _ = talk(faulty, "ugi", "setoption name Mode value counts", "isready", "go movetime 300", "isready")
    best = [line for line in said if line.startswith("bestmove")]
    info = [line for line in said if line.startswith("info depth")]
    assert len(best) == 1 and "score cp -30" in info[0] and "wdl 250 500 250" in info[0] and "pv a1" in info[0]
    assert any("multipv 2" in line and "score mate -4" in line for line in said)
    assert any("counted" in line for line in said)


@pytest.mark.parametrize("mode,says", [
    ("raises", "RuntimeError: no idea"),
    ("illegal", "`z1` is not a move"),
    ("part", "are a part of a turn"),
])
def test_a_bug_is_reported_and_the_game_goes_on(faulty: Path, mode: str, says: str) -> None:
    said, errors, status = talk(faulty, "ugi", f"setoption name Mode value {mode}", "isready", "position startpos moves a1", "go depth 1", "quit")
    assert status == 0
    assert any("error" in line and says in line for line in said), said
    assert said[-1].startswith("bestmove ") and "Traceback" in errors


def test_a_player_that_does_not_listen_ends_with_its_conversation(faulty: Path) -> None:
    begin = time.monotonic()
    said, _, status = talk(faulty, "ugi", "setoption name Mode value deaf", "isready", "go depth 1", "quit")
    assert status == 0 and time.monotonic() - begin < 20 and "readyok" in said


def test_other_dialects(tmp_path: Path) -> None:
    said, _, _ = talk(EXAMPLE, "boardsize 9", "clear_board", "genmove b", "quit")
    assert sum(line.startswith("=") for line in said) == 4 and "" in said


def test_wrong_options_are_refused() -> None:
    class Wrong(agon.Player):
        game = "nogo"
        options = {"Level": agon.Option(12, min=1, max=9)}

    with pytest.raises(agon.BadRule, match="the default 12 is not from min=1 to max=9"):
        Wrong().run()
    Wrong.options = {"Mode": agon.Option("slow", choices=("fast",))}
    with pytest.raises(agon.BadRule, match="none of its choices: fast"):
        Wrong().run()
