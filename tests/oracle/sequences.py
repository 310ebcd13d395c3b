"""The referee's statistics against numpy, scipy and `confseq`, the package of the authors of "Estimating
means of bounded random variables by betting".

`confseq` has a compiled part that many machines cannot build; only its module of betting martingales,
plain Python, is taken out of its wheel. Where the package cannot be had, the martingales
are computed here from the paper.
"""

import importlib
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import zipfile

from oracle import Difference

# `matplotlib` and `multiprocess` are what confseq's module imports.
PACKAGES = ["numpy", "scipy", "matplotlib", "multiprocess"]
COUNTS = [[3, 20, 50, 25, 2], [30, 210, 480, 250, 30], [40, 0, 110, 0, 60], [0, 0, 40, 0, 0]]
POINTS = [0.0, 0.25, 0.5, 0.75, 1.0]
ELO = [0.0, 60.0]
# An SPRT with these hypotheses is undecided after the first counts.
HALFWAY = [0.0, 30.0]


def check_programs(folder, games, seed):
    """Compares counts, and the tests of a match between two random players."""
    with tempfile.TemporaryDirectory() as place:
        mart = betting_mart(pathlib.Path(sys.prefix) / "confseq-source")
        for counts in COUNTS:
            compare_counts(folder, counts, mart)
        compare_after_stopping(folder, COUNTS[0], seed)
        pairs = compare_match(folder, pathlib.Path(place), games, seed, mart)
    source = "confseq" if mart.__module__.startswith("confseq") else "the paper's formula"
    return f"{len(COUNTS)} lists of counts and {pairs} pairs of a match agree with scipy and {source}"


def betting_mart(place):
    """confseq's `betting_mart`, or the same by hand.

    The package has a part in C++ that is not needed, so its wheel for any Python is only unpacked.
    """
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
               "--only-binary", ":all:", "--python-version", "3.8", "--platform", "manylinux2014_x86_64",
               "--dest", str(place), "confseq==0.0.11"]
    import numpy

    # The package's annotations use a name that numpy 2 has dropped.
    numpy.float_ = numpy.float64
    sys.path.insert(0, str(place))
    try:
        if not (place / "confseq" / "betting.py").exists():
            place.mkdir(parents=True, exist_ok=True)
            subprocess.run(command, capture_output=True, timeout=120, check=True)
            with zipfile.ZipFile(next(place.glob("confseq*.whl"))) as archive:
                archive.extractall(place, [n for n in archive.namelist() if n.endswith(".py")])
        importlib.invalidate_caches()
        return importlib.import_module("confseq.betting").betting_mart
    except (subprocess.SubprocessError, StopIteration, ImportError, AttributeError, OSError, zipfile.BadZipFile):
        return paper_mart


def paper_mart(x, m, lambdas_fn_positive=None, lambdas_fn_negative=None, theta=0.5, **_):
    """The capital of one side: theta is 1 for bets on a higher mean and 0 for bets on a lower one."""
    import numpy

    x = numpy.asarray(x)
    if theta == 1:
        return numpy.cumprod(1 + lambdas_fn_positive(x, m) * (x - m))
    return numpy.cumprod(1 - lambdas_fn_negative(x, m) * (x - m))


def run(folder, *words, allowed=(0,)):
    done = subprocess.run([str(folder / "referee"), *map(str, words)], capture_output=True, text=True, timeout=900)
    if done.returncode not in allowed:
        raise Difference(f"referee {' '.join(map(str, words))}: {done.stderr.strip()}")
    return done.stdout


def near(what, ours, theirs, within, where):
    if ours is None or not abs(ours - theirs) <= within:
        raise Difference(f"{where}: {what}: ours {ours}, theirs {theirs}")


def score(elo):
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(mean):
    return 400 * math.log10(mean / (1 - mean))


def compare_counts(folder, counts, mart):
    import numpy
    from scipy import stats

    where = f"counts {counts}"
    text = ",".join(map(str, counts))
    ours = json.loads(run(folder, "stats", "--pentanomial", text, "--elo1", ELO[1], "--json"))
    x = numpy.repeat(POINTS, counts)
    mean, error = x.mean(), x.std() / math.sqrt(len(x))
    near("Elo", ours["elo"]["elo"], elo_of(mean), 1e-6, where)
    if error > 0:
        low, high = stats.norm.interval(0.95, loc=mean, scale=error)
        near("lower end", ours["elo"]["low"], elo_of(low), 1e-6, where)
        near("upper end", ours["elo"]["high"], elo_of(high), 1e-6, where)
        near("LOS", ours["los"], stats.norm.sf(0.5, loc=mean, scale=error), 1e-9, where)
    near("LLR", ours["sprt"]["llr"], llr(counts, *map(score, ELO)), 1e-6, where)
    # The wealth of the confidence sequence's bettors is 2 / 0.05 at its ends.
    interval = ours["confidence_sequence"]
    for end, theta in [("low", 1), ("high", 0)]:
        wealth = fixed_bets(x, score(interval[end]), theta, mart)
        near(f"wealth at the {end} end", math.log(wealth), math.log(40), 0.01, where)
    for e_value, elo, theta in zip(ours["e_values"], ELO, [1, 0]):
        near("e-value", math.log(e_value), math.log(fixed_bets(x, score(elo), theta, mart)), 1e-6, where)


def fixed_bets(x, m, theta, mart):
    """The mean wealth of bets that lose the shares 0.95, 0.95 / sqrt 2, ... of the wealth at worst."""
    import numpy

    most = m if theta == 1 else 1 - m
    bets = [0.95 * 2 ** (-k / 2) / most for k in range(21)]
    return float(numpy.mean([capital(x, m, theta, mart, lambda x, m, bet=bet: numpy.full(len(x), bet))
                             for bet in bets]))


def capital(x, m, theta, mart, bets):
    """The last wealth of a bettor on a higher (theta 1) or a lower mean (theta 0)."""
    import numpy

    return mart(numpy.asarray(x), m, lambdas_fn_positive=bets, lambdas_fn_negative=bets, theta=theta,
                trunc_scale=1)[-1]


def llr(counts, score0, score1):
    """The log-likelihood ratio of the likeliest distributions with these means, by scipy's root finder."""
    import numpy
    from scipy import optimize

    seen = numpy.where(numpy.array(counts) == 0, 1e-3, counts).astype(float)
    weights, values = seen / seen.sum(), numpy.array(POINTS)

    def likeliest(mean):
        offset = values - mean
        bound = lambda side: (1 - 1e-12) * -1 / side
        root = optimize.brentq(lambda x: (weights * offset / (1 + x * offset)).sum(), bound(offset.max()),
                               bound(offset.min()), xtol=1e-15, rtol=1e-14)
        return weights / (1 + root * offset)

    return float((seen * numpy.log(likeliest(score1) / likeliest(score0))).sum())


def compare_match(folder, place, games, seed, mart):
    """Both tests of a match in schedule order; the number of its pairs."""
    import numpy

    log = place / "match.jsonl"
    engines = []
    for i, algorithm in enumerate(["random", "greedy"]):
        engines += ["--engine", f"name=e{i},cmd={folder / 'einstein'} --option Algorithm={algorithm} "
                    f"--option Seed={seed + i}"]
    run(folder, "match", "--game", "einstein", *engines, "--nodes", 1, "--margin", 9000, "--games", 2 * games,
        "--seed", seed, "--quiet", "--log", log)
    ours = json.loads(run(folder, "stats", log, "--elo1", ELO[1], "--json"))
    points = {}
    for record in map(json.loads, log.read_text().splitlines()):
        if "result" in record:
            first = {"first": 1.0, "draw": 0.5, "second": 0.0}[record["result"]]
            mine = first if record["players"][0] == 0 else 1 - first
            points[record["pair"]] = points.get(record["pair"], 0.0) + mine / 2
    x = numpy.array([points[pair] for pair in sorted(points)])
    near("pairs", ours["pairs"], len(x), 0, log.name)
    for test in ours["tests"]:
        n, where = test["samples"], f"{log.name}, {test['test']}"
        if test["test"] == "sprt":
            counts = [int((x[:n] == p).sum()) for p in POINTS]
            near("LLR", test["llr"], llr(counts, *map(score, ELO)), 1e-6, where)
        if test["test"] == "betting":
            for theirs, value in zip(wealth_by_betting(x[:n], mart), test["e_values"]):
                near("log e-value", math.log(value), math.log(theirs), 1e-6, where)
    return len(x)


def wealth_by_betting(x, mart):
    """The wealth against H0 and against H1 of nine tenths on the other hypothesis and a tenth on a ladder
    of larger effects, with the variance of earlier pairs."""
    import numpy

    low, high = map(score, ELO)
    wealths = []
    for m, theta in [(low, 1), (high, 0)]:
        room = 1 - m if theta == 1 else m
        ladder = []
        while (high - low) * 2 ** (len(ladder) + 1) < room:
            ladder.append((high - low) * 2 ** (len(ladder) + 1))
        ladder.append(0.99 * room)
        wealth = 0.0
        for share, effect in [(0.9, high - low)] + [(0.1 / len(ladder), e) for e in ladder]:
            def bets(x, m, effect=effect, theta=theta):
                earlier = [(8 * 0.0625 + t * numpy.var(x[:t] if t else [0.0])) / (8 + t) for t in range(len(x))]
                most = 0.99 / (m if theta == 1 else 1 - m)
                return numpy.minimum(effect / (numpy.array(earlier) + effect**2), most)
            wealth += share * capital(x, m, theta, mart, bets)
        wealths.append(wealth)
    return wealths


def compare_after_stopping(folder, counts, seed):
    """At the estimate and the ends of the interval after stopping, half, 2.5% and 97.5% of simulated tests
    end above the observed one."""
    import numpy

    text = ",".join(map(str, counts))
    ours = json.loads(run(folder, "stats", "--pentanomial", text, "--elo1", HALFWAY[1], "--json"))["after_stopping"]
    if ours["method"] != "stagewise":
        raise Difference(f"the method after stopping is {ours['method']}")
    random, trials = numpy.random.default_rng(seed), 20000
    n, values = sum(counts), numpy.array(POINTS)
    weights = (numpy.array(counts) + 0.2) / (n + 1)
    observed = numpy.dot(counts, values)
    for key, expected in [("low", 0.025), ("elo", 0.5), ("high", 0.975)]:
        tilted = tilt(weights, values, score(ours[key]))
        draws = random.choice(values, size=(trials, n), p=tilted)
        sums, squares = numpy.cumsum(draws, axis=1), numpy.cumsum(draws**2, axis=1)
        steps = numpy.arange(1, n + 1)
        variance = numpy.maximum(squares / steps - (sums / steps) ** 2, 1e-9)
        low, high = map(score, HALFWAY)
        # The ratio to second order, with the variance seen so far; no test ends within ten pairs.
        path = (high - low) * (2 * sums - steps * (low + high)) / (2 * variance)
        path[:, :10] = 0
        stopped = numpy.abs(path[:, :-1]) >= math.log(19)
        first = numpy.where(stopped.any(axis=1), stopped.argmax(axis=1), n - 1)
        at = path[numpy.arange(trials), first]
        above = numpy.where(first < n - 1, at > 0, sums[:, -1] > observed - 0.01)
        same = (first == n - 1) & (numpy.abs(sums[:, -1] - observed) < 0.01)
        share = above.mean() - {"low": 0.0, "elo": 0.5, "high": 1.0}[key] * same.mean()
        within = 0.05 if key == "elo" else 0.015
        near(f"share above at {key} {ours[key]:.1f}", share, expected, within, f"counts {counts}")


def tilt(weights, values, mean):
    import numpy
    from scipy import optimize

    at = lambda t: weights * numpy.exp(t * values) / (weights * numpy.exp(t * values)).sum()
    return at(optimize.brentq(lambda t: at(t) @ values - mean, -200, 200))
