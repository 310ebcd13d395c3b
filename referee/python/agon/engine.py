"""Programs as engines, by the referee's own driver."""

from __future__ import annotations

import asyncio
import os
import shlex
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Optional, TypeVar, Union

from . import _programs
from ._checks import number, whole
from ._agon import EngineProcess, Game, games
from ._errors import EngineError, EngineStartError, OutOfRange, UnknownGame

Value = TypeVar("Value")
OptionValue = Union[str, int, bool]
Pair = tuple[float, float]

MOST, MOST_PLIES = 2**63 - 1, 2**31 - 1


@dataclass(frozen=True)
class Score:
    """A score from the point of view of the player to move: hundredths, or plies to a forced end.

    `mate` is positive for a forced win and negative for a forced loss. With `bound` the true score is at least
    ("lower") or at most ("upper") this one.
    """

    cp: Optional[int]
    mate: Optional[int]
    bound: Optional[str]

    def __str__(self) -> str:
        sign = {"lower": ">=", "upper": "<="}.get(self.bound or "", "")
        return f"{sign}#{self.mate}" if self.mate is not None else f"{sign}{(self.cp or 0) / 100:+.2f}"


@dataclass(frozen=True)
class Variation:
    """A line of an analysis, as the engine reported it last.

    `wdl` are the chances to win, draw and lose of the player to move, and add up to 1; None where the engine reports none.
    """

    rank: int
    score: Optional[Score]
    wdl: Optional[tuple[float, float, float]]
    depth: Optional[int]
    seldepth: Optional[int]
    nodes: Optional[int]
    nps: Optional[int]
    seconds: Optional[float]
    moves: list[str]

    @property
    def expected(self) -> Optional[float]:
        """The expected score of the player to move, from 0 to 1; None without `wdl`."""
        return None if self.wdl is None else self.wdl[0] + self.wdl[1] / 2


def _variation(found: dict[str, Any]) -> Variation:
    cp, mate, bound, wdl = (found.pop(key) for key in ("cp", "mate", "bound", "wdl"))
    score = None if cp is None and mate is None else Score(cp, mate, bound)
    chances = (wdl[0] / sum(wdl), wdl[1] / sum(wdl), wdl[2] / sum(wdl)) if wdl and sum(wdl) else None
    return Variation(score=score, wdl=chances, **found)


@dataclass(frozen=True)
class Analysis:
    """What an engine says about a position: its move, and its lines with the best first.

    `move` is a legal turn, or None if the engine resigns; `expected_reply` is what it expects next. `late` says that it
    needed more time than it had.
    """

    move: Optional[str]
    expected_reply: Optional[str]
    seconds: float
    late: bool
    resigns: bool
    offers_draw: bool
    variations: list[Variation]

    @property
    def score(self) -> Optional[Score]:
        """The score of the best line."""
        return self.variations[0].score

    @property
    def wdl(self) -> Optional[tuple[float, float, float]]:
        """The chances to win, draw and lose of the best line."""
        return self.variations[0].wdl

    @property
    def depth(self) -> Optional[int]:
        """The depth of the best line in plies."""
        return self.variations[0].depth

    @property
    def nodes(self) -> Optional[int]:
        """The number of positions that were looked at."""
        return self.variations[0].nodes


@dataclass(frozen=True)
class _Start:
    """How a program is started; the module reads the attributes."""

    referee: Path
    game: str
    name: str
    command: list[str]
    unquoted: Optional[str]
    dialect: str
    options: list[tuple[str, str]]
    env: list[tuple[str, str]]
    dir: Optional[str]
    memory: Optional[int]
    cpus: Optional[list[int]]
    sandbox: bool
    ready_time: float
    think_time: float
    stop_time: float


@dataclass(frozen=True)
class _Asked:
    """The limits of a search; the module reads the attributes."""

    movetime: Optional[float]
    depth: Optional[int]
    nodes: Optional[int]
    time: Optional[Pair]
    increment: Pair
    moves_to_go: Optional[int]
    infinite: bool
    variations: int


def _words(cmd: Union[str, Sequence[str]]) -> tuple[list[str], Optional[str]]:
    """The words of a command, and the text if it may also be the path of one file."""
    if not isinstance(cmd, str):
        return [os.fspath(word) for word in cmd], None
    try:
        words = shlex.split(cmd, posix=os.name != "nt")
    except ValueError as error:
        raise EngineStartError(f"cmd={cmd!r}: {error}") from None
    return words, cmd if len(words) > 1 and not set(cmd) & set("'\"") else None


def _both(what: str, value: Any) -> Pair:
    """One number for both players, or one for each."""
    if not isinstance(value, (tuple, list)):
        value = (value, value)
    if len(value) != 2:
        raise OutOfRange(f"{what}={value!r}: expected one number, or one for each player")
    return number(what, value[0]), number(what, value[1])


def _hear(on_info: Callable[[Variation], object], found: dict[str, Any]) -> object:
    return on_info(_variation(found))


def _option(name: str) -> str:
    """An option that is given as a keyword: `multi_pv` is `MultiPV`."""
    return name.replace("_", "") if name == name.lower() else name


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


class Engine:
    """A program that plays a game, in any dialect that the referee speaks.

    `program` is an engine of this package by its name, or a program on the search path; `cmd` is any command, as text or
    as a list of words. Other keyword arguments are the engine's options, such as `threads=1` or `multi_pv=3`; `options`
    takes those whose names have blanks. The program is guarded as in a match: its children end with it, its output is
    bounded, and every wait has a deadline. Times are in seconds: `ready_time` to start, `think_time` for a search
    without a time limit, `stop_time` to answer after its time.

    >>> import agon
    >>> with agon.Engine("xiangqi", threads=1) as engine:
    ...     found = engine.analyse(agon.Game("xiangqi"), depth=4, variations=2)
    >>> found.depth, len(found.variations), found.variations[0].moves[0] == found.move
    (4, 2, True)
    >>> print(found.score)
    -0.15

    Several threads may share an engine: a search waits for the one before it.
    """

    def __init__(
        self,
        program: Optional[str] = None,
        *,
        cmd: Union[str, Sequence[str], None] = None,
        game: Optional[str] = None,
        name: Optional[str] = None,
        dialect: str = "ugi",
        options: Optional[Mapping[str, OptionValue]] = None,
        env: Optional[Mapping[str, str]] = None,
        dir: Union[str, Path, None] = None,
        memory: Optional[int] = None,
        cpus: Optional[Sequence[int]] = None,
        sandbox: bool = False,
        ready_time: float = 20.0,
        think_time: float = 600.0,
        stop_time: float = 1.0,
        **more_options: OptionValue,
    ) -> None:
        if (program is None) == (cmd is None):
            raise EngineStartError('give a program, such as Engine("xiangqi"), or cmd="./mine"')
        words, unquoted = ([_programs.find(program)], None) if program is not None else _words(cmd or "")
        label = name or Path(words[0] if words else "").name.removesuffix(".exe") or "engine"
        if game is None:
            if label not in games():
                raise UnknownGame(f"engine {label}: which game does it play? game= is one of {', '.join(games())}")
            game = label
        all_options = {**(options or {}), **{_option(key): value for key, value in more_options.items()}}
        start = _Start(
            referee=_programs.referee(),
            game=game,
            name=label,
            command=words,
            unquoted=unquoted,
            dialect=dialect,
            options=[(key, _text(value)) for key, value in all_options.items()],
            env=list((env or {}).items()),
            dir=None if dir is None else os.fspath(dir),
            memory=None if memory is None else whole("memory", memory, 1, MOST),
            cpus=None if cpus is None else [whole("cpus", cpu, 0, MOST) for cpu in cpus],
            sandbox=bool(sandbox),
            ready_time=number("ready_time", ready_time),
            think_time=number("think_time", think_time),
            stop_time=number("stop_time", stop_time),
        )
        self.name = label
        self.game = game
        self._lock = threading.Lock()
        self._process = EngineProcess(start)

    @property
    def own_name(self) -> Optional[str]:
        """The name and version that the program reports; None if it reports none."""
        with self._lock:
            return self._process.own_name

    @property
    def options(self) -> list[str]:
        """The names of the program's options."""
        with self._lock:
            return self._process.options

    def analyse(
        self,
        position: Union[Game, str],
        *,
        movetime: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        time: Union[float, Pair, None] = None,
        increment: Union[float, Pair] = 0.0,
        moves_to_go: Optional[int] = None,
        infinite: bool = False,
        variations: int = 1,
        on_info: Optional[Callable[[Variation], object]] = None,
    ) -> Analysis:
        """Searches a position, a game or a FEN, and returns what the engine says about it.

        At least one limit is needed: seconds for this move (`movetime`), `depth` in plies, `nodes`, the players' clocks
        (`time`, one number or two, with `increment` and `moves_to_go`), or `infinite` until `stop`. `on_info` gets
        every report as it arrives, and ends the search by returning a true value. Python's lock is free meanwhile.
        """
        game = Game(self.game, position) if isinstance(position, str) else position
        if not isinstance(game, Game):
            raise TypeError(f"position={position!r}: expected an agon.Game or a FEN, not {type(position).__name__}")
        asked = _Asked(
            movetime=None if movetime is None else number("movetime", movetime),
            depth=None if depth is None else whole("depth", depth, 1, MOST_PLIES),
            nodes=None if nodes is None else whole("nodes", nodes, 1, MOST),
            time=None if time is None else _both("time", time),
            increment=_both("increment", increment),
            moves_to_go=None if moves_to_go is None else whole("moves_to_go", moves_to_go, 1, MOST_PLIES),
            infinite=bool(infinite),
            variations=whole("variations", variations, 1, MOST_PLIES),
        )
        hear = None if on_info is None else partial(_hear, on_info)
        with self._lock:
            found = self._process.search(game, asked, hear)
        return Analysis(
            move=found["move"],
            expected_reply=found["expected"],
            seconds=found["seconds"],
            late=found["late"],
            resigns=found["resigns"],
            offers_draw=found["offers_draw"],
            variations=[_variation(line) for line in found["variations"]],
        )

    def stop(self) -> None:
        """Ends the search of another thread, which returns with the best move so far."""
        self._process.stop()

    def new_game(self) -> None:
        """Lets the engine forget earlier positions."""
        with self._lock:
            self._process.new_game()

    def close(self) -> None:
        """Ends the program; a search of another thread ends first."""
        self.stop()
        with self._lock:
            self._process.close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<agon.Engine '{self.name}' for {self.game}>"


class AsyncEngine:
    """An `Engine` for asyncio: the same arguments, and methods that are awaited.

    The program starts when the context is entered. Cancelling a task stops its search.

    >>> import agon, asyncio
    >>> async def first_move(game):
    ...     async with agon.AsyncEngine(game) as engine:
    ...         return (await engine.analyse(agon.Game(game), depth=1)).move
    >>> async def main():
    ...     return await asyncio.gather(first_move("nogo"), first_move("amazons"))
    >>> len(asyncio.run(main()))
    2
    """

    def __init__(self, program: Optional[str] = None, **settings: Any) -> None:
        self._start = partial(Engine, program, **settings)
        self._engine: Optional[Engine] = None
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="agon-engine")

    @property
    def engine(self) -> Engine:
        """The engine that runs."""
        if self._engine is None:
            raise EngineStartError("the engine does not run: use `async with agon.AsyncEngine(...) as engine`")
        return self._engine

    async def _call(self, work: Callable[[], Value]) -> Value:
        """Does something in the engine's thread; who is cancelled stops the search and waits for its end."""
        try:
            job = self._executor.submit(work)
        except RuntimeError:
            raise EngineError(f"{self!r} does not run: it was closed") from None
        done = asyncio.wrap_future(job)
        try:
            return await asyncio.shield(done)
        except asyncio.CancelledError:
            # What has not begun never does.
            while not (job.cancel() or job.done()):
                if self._engine is not None:
                    self._engine.stop()
                await asyncio.wait([done], timeout=0.05)
            await asyncio.wait([done])
            if not done.cancelled():
                done.exception()
            raise

    async def __aenter__(self) -> AsyncEngine:
        self._engine = await self._call(self._start)
        return self

    async def __aexit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def analyse(self, position: Union[Game, str], **limits: Any) -> Analysis:
        """As `Engine.analyse`; `on_info` is called in the engine's thread."""
        return await self._call(partial(self.engine.analyse, position, **limits))

    def stop(self) -> None:
        """Ends the search, which returns with the best move so far."""
        self.engine.stop()

    async def new_game(self) -> None:
        """Lets the engine forget earlier positions."""
        await self._call(self.engine.new_game)

    async def close(self) -> None:
        """Ends the program."""
        if self._engine is not None:
            await self._call(self._engine.close)
        self._executor.shutdown(wait=False)

    def __repr__(self) -> str:
        return f"<agon.AsyncEngine {self._engine!r}>"
