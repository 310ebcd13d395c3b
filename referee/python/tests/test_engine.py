"""Engines as programs: what they say, what they are told, and how they fail."""

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agon
import pytest

# An engine in UGI for NoGo that misbehaves as its argument says.
ROGUE = '''
import sys, time
fault = sys.argv[1]
for line in sys.stdin:
    words = line.split() or [""]
    if fault == "flood":
        while True: print("info string " + "x" * 1000)
    if words[0] == "ugi":
        if fault == "mute": time.sleep(60)
        print("id name Rogue 1\\nid author nobody\\noption name Level type spin default 1 min 1 max 9\\nugiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "go":
        if fault == "crash":
            print("out of luck", file=sys.stderr)
            sys.exit(3)
        if fault == "hang": time.sleep(60)
        if fault == "slow": time.sleep(0.6)
        if fault == "bound":
            print("info depth 3 score cp 20 wdl 500 300 200 pv e5 a1\\ninfo depth 4 score cp 50 lowerbound pv a1")
        if fault in ("waits", "slow") and "infinite" in words: continue
        print("bestmove " + {"illegal": "z9", "resign": "resign"}.get(fault, "e5"))
    elif words[0] == "stop":
        print("bestmove e5")
    elif words[0] == "quit":
        break
    sys.stdout.flush()
'''


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("engines") / "rogue.py"
    path.write_text(ROGUE)
    return path


def rogue(script: Path, fault: str, **more: Any) -> agon.Engine:
    return agon.Engine(cmd=[sys.executable, str(script), fault], game="nogo", name="rogue", **more)


@pytest.fixture(scope="module")
def xiangqi() -> Iterator[agon.Engine]:
    with agon.Engine("xiangqi", threads=1) as engine:
        yield engine


@pytest.fixture(scope="module")
def nogo() -> Iterator[agon.Engine]:
    with agon.Engine("nogo") as engine:
        yield engine


@pytest.mark.parametrize("name", agon.games())
def test_every_engine_analyses(name: str) -> None:
    game = agon.Game(name)
    while game.is_chance:
        game.play(game.pick(0.3))
    with agon.Engine(name, move_overhead=5) as engine:
        found = engine.analyse(game, nodes=500)
        assert found.move is not None and not found.late and not found.resigns
        game.actions(found.move)
        assert found.variations[0].rank == 1 and found.variations[0].moves
        if found.wdl is not None:
            assert sum(found.wdl) == pytest.approx(1)
        assert engine.own_name is not None and "Agon" in engine.own_name
        assert "MoveOverhead" in engine.options


def test_variations_and_reports(xiangqi: agon.Engine) -> None:
    heard: list[agon.Variation] = []
    game = agon.Game("xiangqi", moves=["h2e2"])
    found = xiangqi.analyse(game, depth=3, variations=3, on_info=heard.append)
    assert [v.rank for v in found.variations] == [1, 2, 3]
    assert len({v.moves[0] for v in found.variations}) == 3
    assert found.variations[0].moves[0] == found.move and found.depth == 3
    assert heard[-1].depth == 3 and {v.rank for v in heard} == {1, 2, 3}
    scores = [v.score.cp for v in found.variations if v.score is not None and v.score.cp is not None]
    assert scores == sorted(scores, reverse=True)
    one = xiangqi.analyse(game.fen, depth=1)
    assert len(one.variations) == 1 and one.score is not None and str(one.score)[0] in "+-"


def test_the_same_search_finds_the_same(nogo: agon.Engine) -> None:
    found = []
    for _ in range(2):
        nogo.new_game()
        found.append(nogo.analyse(agon.Game("nogo"), nodes=3000))
    assert (found[0].move, found[0].nodes, found[0].score) == (found[1].move, found[1].nodes, found[1].score)


def test_the_rules_of_the_game_are_told() -> None:
    with agon.Engine("connect6") as engine:
        for size in (9, 19, 7):
            game = agon.Game("connect6", board_size=size)
            move = engine.analyse(game, nodes=100).move
            assert move is not None
            game.play(move)


def test_a_report_ends_a_search(nogo: agon.Engine) -> None:
    found = nogo.analyse(agon.Game("nogo"), infinite=True, on_info=lambda v: (v.nodes or 0) > 500)
    assert found.move and not found.late


def test_stop_from_another_thread(nogo: agon.Engine) -> None:
    timer = threading.Timer(0.2, nogo.stop)
    timer.start()
    assert nogo.analyse(agon.Game("nogo"), infinite=True).seconds > 0.1
    timer.join()


def test_threads_share_an_engine(nogo: agon.Engine) -> None:
    moves: list[object] = []
    work = [threading.Thread(target=lambda: moves.append(nogo.analyse(agon.Game("nogo"), nodes=200).move)) for _ in range(8)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert len(moves) == 8 and None not in moves


def test_pythons_lock_is_free_while_an_engine_thinks(nogo: agon.Engine) -> None:
    count, done = 0, threading.Event()

    def think() -> None:
        nogo.analyse(agon.Game("nogo"), movetime=0.3)
        done.set()

    thread = threading.Thread(target=think)
    thread.start()
    while not done.is_set():
        count += 1
    thread.join()
    assert count > 1000


def test_a_program_of_ones_own_and_its_options(script: Path) -> None:
    with rogue(script, "bound", level=3) as engine:
        assert (engine.own_name, engine.options) == ("Rogue 1", ["Level"])
        found = engine.analyse(agon.Game("nogo"), movetime=0.1)
    line = found.variations[0]
    assert (found.move, line.score, line.depth) == ("e5", agon.Score(20, None, None), 4)
    assert found.wdl == pytest.approx((0.5, 0.3, 0.2)) and line.expected == pytest.approx(0.65)


def test_a_resignation(script: Path) -> None:
    with rogue(script, "resign") as engine:
        found = engine.analyse(agon.Game("nogo"), movetime=0.1)
    assert found.move is None and found.resigns


def test_an_engine_that_is_late_is_stopped(script: Path) -> None:
    with rogue(script, "slow", stop_time=0.3) as engine:
        found = engine.analyse(agon.Game("nogo"), movetime=0.05)
        assert found.late and found.move == "e5"


@pytest.mark.parametrize("fault,kind,says", [
    ("crash", agon.EngineDied, "last lines on standard error:\n  out of luck"),
    ("hang", agon.EngineTimeout, "engine rogue: did not answer in time"),
    ("illegal", agon.EngineError, "engine rogue: `z9` is not a move"),
])
def test_faults_of_a_search(script: Path, fault: str, kind: type[Exception], says: str) -> None:
    with rogue(script, fault, stop_time=0.2) as engine:
        with pytest.raises(kind) as caught:
            engine.analyse(agon.Game("nogo"), movetime=0.05)
        assert says in str(caught.value)
        if fault != "illegal":
            with pytest.raises(agon.EngineError, match="engine rogue does not run"):
                engine.analyse(agon.Game("nogo"), movetime=0.05)


@pytest.mark.parametrize("fault,says", [("mute", "ready_time="), ("flood", "engine rogue")])
def test_faults_of_the_start(script: Path, fault: str, says: str) -> None:
    with pytest.raises(agon.EngineStartError) as caught:
        rogue(script, fault, ready_time=0.5)
    assert says in str(caught.value)


def started(**wrong: Any) -> agon.Engine:
    """With what mypy would refuse, too."""
    return agon.Engine("nogo", **wrong)


def refusals() -> list[tuple[Any, type[Exception], str]]:
    game, over = agon.Game("nogo"), agon.Game("connect6", moves="a1 a3c3 b1c1 e3g3 d1e1 i3k3 f1".split())
    return [
        (lambda e: e.analyse(game), agon.OutOfRange, "has no limit"),
        (lambda e: e.analyse(game, movetime=0), agon.OutOfRange, "at least 0.001"),
        (lambda e: e.analyse(game, time=-1), agon.OutOfRange, "time=-1: expected seconds"),
        (lambda e: e.analyse(game, movetime=float("nan")), agon.OutOfRange, "expected seconds"),
        (lambda e: e.analyse(game, depth=1, variations=0), agon.OutOfRange, "variations=0: expected 1 to"),
        (lambda e: e.analyse(game, depth=-1), agon.OutOfRange, "depth=-1: expected 1 to"),
        (lambda e: e.analyse(game, depth=2.5), TypeError, "depth=2.5: expected a whole number, not float"),
        (lambda e: e.analyse(game, nodes=2**70), agon.OutOfRange, "expected 1 to 9223372036854775807"),
        (lambda e: e.analyse(game, movetime="1"), TypeError, "movetime='1': expected a number, not str"),
        (lambda e: e.analyse(game, movetime=10**400), agon.OutOfRange, "expected a number that is not so large"),
        (lambda e: e.analyse(game, time=(1, 2, 3)), agon.OutOfRange, "time=(1, 2, 3): expected one number, or one for each player"),
        (lambda e: e.analyse(game, time=1, moves_to_go=0), agon.OutOfRange, "moves_to_go=0: expected 1 to"),
        (lambda e: e.analyse(None, depth=1), TypeError, "position=None: expected an agon.Game or a FEN, not NoneType"),
        (lambda e: agon.Engine("nogo", memory=-5), agon.OutOfRange, "memory=-5: expected 1 to"),
        (lambda e: agon.Engine("nogo", cpus=[-1]), agon.OutOfRange, "cpus=-1: expected 0 to"),
        (lambda e: started(ready_time=None), TypeError, "ready_time=None: expected a number, not NoneType"),
        (lambda e: e.analyse("nonsense", depth=1), agon.BadPosition, "bad FEN"),
        (lambda e: e.analyse(over, depth=1), agon.BadPosition, "of connect6"),
        (lambda e: e.analyse(game, depth=1, on_info=lambda v: 1 / 0), ZeroDivisionError, "division"),
        (lambda e: agon.Engine("nogo", hash="many"), agon.EngineStartError, "a whole number"),
        (lambda e: agon.Engine("nogo", no_such=1), agon.EngineStartError, "its options: Algorithm"),
        (lambda e: agon.Engine("nogo", dialect="french"), agon.EngineStartError, "expected one of ugi"),
        (lambda e: agon.Engine(cmd="./missing", game="nogo"), agon.EngineStartError, "cannot find the program"),
        (lambda e: agon.Engine(cmd="'open", game="nogo"), agon.EngineStartError, "quotation"),
        (lambda e: agon.Engine(cmd="mine"), agon.UnknownGame, "which game does it play"),
        (lambda e: agon.Engine("nogo", game="go"), agon.UnknownGame, "known games"),
        (lambda e: agon.Engine(), agon.EngineStartError, "give a program"),
    ]


@pytest.mark.parametrize("wrong,kind,says", refusals(), ids=[says for _, _, says in refusals()])
def test_a_refusal_leaves_the_engine_as_it_was(nogo: agon.Engine, wrong: Any, kind: type[Exception], says: str) -> None:
    with pytest.raises(kind) as caught:
        wrong(nogo)
    assert says.lower() in str(caught.value).lower()
    assert nogo.analyse(agon.Game("nogo"), nodes=50).move


def test_positions_that_no_engine_can_search() -> None:
    with agon.Engine("einstein") as engine:
        with pytest.raises(agon.BadPosition, match="chance decides here"):
            game = agon.Game("einstein", moves=["123456", "123456"])
            engine.analyse(game, depth=1)
    with agon.Engine("amazons") as engine:
        with pytest.raises(agon.BadPosition, match="a turn has begun"):
            engine.analyse(agon.Game("amazons", moves=[93]), depth=1)


def test_a_closed_engine_says_so() -> None:
    engine = agon.Engine("nogo")
    engine.close()
    engine.close()
    with pytest.raises(agon.EngineError, match="it was closed"):
        engine.analyse(agon.Game("nogo"), depth=1)


def test_asyncio_runs_engines_side_by_side_and_stops_what_is_cancelled() -> None:
    async def main() -> None:
        async with agon.AsyncEngine("nogo") as one, agon.AsyncEngine("nogo") as two:
            begin = time.monotonic()
            found = await asyncio.gather(*(e.analyse(agon.Game("nogo"), movetime=0.5) for e in (one, two)))
            assert all(f.move for f in found) and time.monotonic() - begin < 0.95
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(one.analyse(agon.Game("nogo"), infinite=True), 0.2)
            assert (await one.analyse(agon.Game("nogo"), nodes=100)).move
        with pytest.raises(agon.EngineError):
            await one.analyse(agon.Game("nogo"), nodes=100)

    asyncio.run(main())


INTERRUPTED = """
import agon, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever starts the tests may have it ignored
with agon.Engine("nogo") as engine:
    try:
        print("thinks", flush=True)
        engine.analyse(agon.Game("nogo"), infinite=True)
    except KeyboardInterrupt:
        print("interrupted", engine.analyse(agon.Game("nogo"), nodes=100).move is not None)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is of Unix")
def test_ctrl_c_ends_the_search_and_not_the_engine() -> None:
    with subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "thinks\n"
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        assert process.stdout.read() == "interrupted True\n"
    assert process.returncode == 0
