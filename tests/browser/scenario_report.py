"""Reports of matches of all games: replays by link and keyboard, drawn as by the server, pictures, curves, FENs,
plots, print, both languages."""

import json
import pathlib
import re
import xml.etree.ElementTree

from stage import ROOT

GAMES = ["amazons", "connect6", "darkchess", "einstein", "nogo", "xiangqi"]
CHECKED = [(390, False), (1280, True), (1920, False)]


def run(stage):
    for game in GAMES:
        report = made(stage, game, ["a", "b"])
        replays(stage, report, game)
        drawn_alike(stage, report, game)
    own_units(stage)
    for kind, (game, arguments) in kinds(stage).items():
        different(stage, kind, game, arguments)
    machines(stage)
    return f"replays of {len(GAMES)} games, machines, {', '.join(KINDS)}, print, English and Chinese"


# What a report of each kind must have: a plot with this title, and a text of its page.
KINDS = {
    "round robin": ("Ratings", "Crosstable"),
    "knockout": ("Ratings", "Winner"),
    "accepted": ("Path of the test", "accepted (H1)"),
    "rejected": ("Path of the test", "rejected (H0)"),
    "undecided": ("Path of the test", "undecided"),
    "width": ("Path of the test", "the match ends"),
    "openings": ("Score after each pair", "Score by opening"),
    "draws": ("Score after each pair", "quiet moves"),
    "one game": ("Length of games", "The only game."),
}


def kinds(stage):
    """Game and arguments of the match of each kind."""
    def engines(game, flag="--engine", **algorithms):
        cmd = f"cmd={stage.programs / game}"
        return [word for name, algorithm in algorithms.items()
                for word in (flag, f"name={name},{cmd},option.Algorithm={algorithm}")]

    def sprt(new, base, games):
        cmd = f"cmd={stage.programs / 'einstein'},option.Algorithm"
        return ["sprt", "--new", f"name=new,{cmd}={new}", "--base", f"name=base,{cmd}={base}", "--elo0", "0",
                "--elo1", "100", "--games", games]

    five = engines("einstein", a="greedy", b="random", c="random", d="greedy", e="random")
    two = lambda game: engines(game, alpha="random", beta="random")
    openings = ROOT / "openings" / "amazons"
    book = sorted(openings.glob("*.txt"))[0] if openings.exists() else None
    return {
        "round robin": ("einstein", ["tournament", *five, "--games", "2"]),
        "knockout": ("einstein", ["tournament", "--form", "knockout", *five, "--games", "2"]),
        "accepted": ("einstein", sprt("greedy", "random", "400")),
        "rejected": ("einstein", sprt("random", "greedy", "400")),
        "undecided": ("einstein", sprt("random", "random", "6")),
        "width": ("einstein", ["match", *two("einstein"), "--games", "40", "--until-width", "5"]),
        "openings": ("amazons", ["match", *two("amazons"), "--games", "6", "--openings", str(book)]),
        "draws": ("darkchess", ["match", *two("darkchess"), "--games", "4", "--rule", "DrawPlies=6"]),
        "one game": ("nogo", ["match", *two("nogo"), "--games", "1"]),
    }


def different(stage, kind, game, arguments):
    """The report of a match of another kind, in both languages, with a plot that fits it."""
    log = pathlib.Path(stage.folder.name) / f"{kind.replace(' ', '-')}.jsonl"
    match, _ = stage.start("referee", arguments[0], "--game", game, *arguments[1:], "--depth", "1", "--seed", "3",
                           "--log", log, "--quiet")
    assert match.wait(60) in (0, 3, 4), f"{kind}: {match.returncode}"
    stage.command("referee", "report", log)
    title, text = KINDS[kind]
    page = stage.page()
    page.goto(log.with_suffix(".html").as_uri())
    page.wait_for_selector("#viewer[data-ply]")
    assert title in page.locator("svg.agon .title").all_text_contents(), f"{kind}: no plot {title}"
    assert text in page.locator("main").inner_text(), f"{kind}: {text} is missing"
    # Every number of a game is a link into its replay.
    link = page.locator("main section:not(#games) a[href^='#game-']").first
    number = link.inner_text()
    link.click()
    page.wait_for_selector(f"#viewer[data-game='{number}']")
    page.context.close()
    looks(stage, log.with_suffix(".html"), kind, widths=CHECKED[:2] if kind == "round robin" else CHECKED[:1])


def machines(stage):
    """The report of a match whose shards two machines have played."""
    folder = pathlib.Path(stage.folder.name)
    engines = [word for name in ("a", "b")
               for word in ("--engine", f"name={name},cmd={stage.programs / 'einstein'},option.Algorithm=random")]
    parts = []
    for k, worker in enumerate(("attic", "barn"), 1):
        parts.append(folder / f"machines-{k}.jsonl")
        stage.command("referee", "match", "--game", "einstein", *engines, "--games", "60", "--depth", "1", "--seed", "3",
                      "--shard", f"{k}/2", "--worker", worker, "--log", parts[-1], "--quiet")
    log = folder / "machines.jsonl"
    stage.command("referee", "merge", "--out", log, *parts)
    stage.command("referee", "report", log)
    page = stage.page()
    page.goto(log.with_suffix(".html").as_uri())
    text = page.locator("#machines").inner_text()
    assert "attic" in text and "barn" in text and "no worker differs from the others" in text, text
    page.context.close()
    looks(stage, log.with_suffix(".html"), "machines", widths=CHECKED[:1])


def made(stage, game, names, fields=""):
    """The report of a match of two engines that report evaluations of 50 nodes."""
    log = pathlib.Path(stage.folder.name) / f"{game}-{'-'.join(names)}.jsonl"
    engines = []
    for i, name in enumerate(names):
        engines += ["--engine", f"name={name},cmd={stage.programs / game},option.Seed={i}{fields}"]
    stage.command("referee", "match", "--game", game, *engines, "--games", "2", "--nodes", "50", "--seed", "3",
                  "--log", log, "--quiet")
    stage.command("referee", "report", log)
    return log.with_suffix(".html")


def replays(stage, report, game):
    """A link leads to a game and a ply; keys, buttons, moves and curves lead on from there."""
    page = stage.page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{report.as_uri()}#game-2-ply-3")
    shown = lambda: (page.get_attribute("#viewer", "data-game"), int(page.get_attribute("#viewer", "data-ply")))
    page.wait_for_selector("#viewer[data-ply]")
    assert shown() == ("2", 3), f"{game}: the link leads to {shown()}"
    fen = lambda: page.input_value(".replay-fen input")
    third = fen()
    page.locator("body").press("ArrowRight")
    assert shown() == ("2", 4) and page.url.endswith("#game-2-ply-4"), page.url
    page.click("[data-replay=start]")
    start = fen()
    page.click(".moves button >> nth=2")
    assert shown() == ("2", 3) and fen() == third != start
    page.locator("body").press("End")
    last = shown()[1]
    assert last == page.locator(".moves button").count()
    # Replayed from the start, position by position, it is the same end: FENs are kept as changes.
    end = fen()
    page.locator("body").press("Home")
    for _ in range(min(last, 12)):
        page.locator("body").press("ArrowRight")
    page.locator("body").press("End")
    assert fen() == end
    drawn = stage.command("referee", "diagram", "--game", game, end)
    assert drawn, "the FEN is one that the referee reads"
    saved(page, game)
    page.click("[data-replay=copy]")
    page.wait_for_selector(".replay-fen [role=status]:not(:empty)")
    assert page.evaluate("navigator.clipboard.readText()") == end
    pieces = page.locator("#viewer .board-picture g[transform]").count()
    assert pieces > 0, f"{game}: an empty board at the end"
    curves(page, game, recorded(report, int(shown()[0])))
    page.goto(f"{report.as_uri()}#game-1")
    page.wait_for_selector("#viewer[data-game='1']")
    english = page.locator("#score").inner_text()
    page.click("[data-switch=language]")
    assert page.locator("[data-replay=copy]").inner_text() == "复制 FEN"
    assert page.locator("#score h2").inner_text() == "比分" and page.get_attribute("html", "lang") == "zh-CN"
    page.click("[data-switch=language]")
    assert page.locator("#score").inner_text() == english, "English again, as it was"
    stage.check(page, f"report of {game}", axe=game == "xiangqi")
    stage.portraits(page, f"report-{game}")
    page.context.close()
    looks(stage, report, game)


# The parts of a shown board, in an order that does not depend on that of the moves.
PARTS = """() => [...document.querySelector('.board-picture svg').children]
    .flatMap((part) => (part.attributes.length ? [part] : [...part.children])).map((part) => part.outerHTML).sort()
    .concat(document.querySelector('.board-below').innerHTML)"""
# The server's view of a position, drawn by its own page. A replay does not mark the square of the piece that chance
# turns over next.
DRAW = """async (position) => {
    const [{ Board }, { post }] = await Promise.all([import('./assets/board.js'), import('./assets/app.js')]);
    const view = await post('api/view', position);
    new Board(document.querySelector('main')).show({ ...view, chance: null }, { interactive: false });
}"""


def drawn_alike(stage, report, game):
    """The report draws every position of a game as the server does, from the moves in the log."""
    log = report.with_suffix(".jsonl")
    server, found = stage.start("referee", "serve", log, expect=r"http://\S+/")
    replay, page, ours = stage.page(), stage.page(), stage.page()
    replay.goto(f"{found[0]}#game/1/2/3")
    replay.wait_for_selector("[data-game='2'][data-ply='3']")
    ours.goto(f"{report.as_uri()}#game-2-ply-3")
    ours.wait_for_selector("#viewer[data-ply='3']")
    whole = lambda page: page.locator(".board-picture").inner_html()
    assert whole(replay) == whole(ours), f"{game}: the replay of the server differs from that of the report"
    page.goto(f"{found[0]}#watch/1")
    page.wait_for_selector("main [data-watch=played] a")
    played = json.loads(log.read_text().splitlines()[2])["moves"].split()
    ours.locator("body").press("Home")
    start = ours.input_value(".replay-fen input")
    for ply in [*range(min(len(played), 12)), len(played)]:
        page.evaluate(DRAW, {"game": game, "fen": start, "moves": played[:ply]})
        if ply == len(played):
            ours.locator("body").press("End")
        ours.wait_for_selector(f"#viewer[data-ply='{ply}']")
        a, b = ours.evaluate(PARTS), page.evaluate(PARTS)
        assert a == b, f"{game}: ply {ply} is drawn differently: {[x for x in zip(a, b) if x[0] != x[1]][:1]}"
        ours.locator("body").press("ArrowRight")
    for opened in (replay, page, ours):
        assert not stage.errors[opened], stage.errors[opened][:3]
        opened.context.close()
    stage.end(server)


def saved(page, game):
    """The board is saved as an SVG file that needs no style."""
    with page.expect_download() as download:
        page.click("[data-replay=picture]")
    assert re.fullmatch(r"game-2-ply-\d+\.svg", download.value.suggested_filename), download.value.suggested_filename
    text = pathlib.Path(download.value.path()).read_text(encoding="utf-8")
    root = xml.etree.ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg" and root.get("width") and root.get("fill"), text[:200]
    assert not re.search(r" (class|style)=|var\(", text), f"{game}: the picture needs a style: {text[:500]}"
    shown = page.locator(".board-picture svg *").count()
    # All of the board, the root, the ground behind the board, and the shades, which the page has once for all boards.
    shades = sum(len(list(part.iter())) for part in root.iter("{http://www.w3.org/2000/svg}defs"))
    assert len(list(root.iter())) - shades == shown + 2, f"{game}: {len(list(root.iter()))} elements of {shown}, {shades} for shades"


def curves(page, game, record):
    """Both engines' evaluations have a line, a legend and a scale."""
    if page.locator(".curves").count() == 0:
        assert "no evaluations" in page.locator(".replay-curves").inner_text(), game
        return
    assert page.locator(".curves .curve").count() == 2 and page.locator(".curve-key").count() == 2
    labels = page.locator(".curve-text").all_text_contents()
    assert labels[:5] == ["0%", "25%", "50%", "75%", "100%"], f"{game}: no scale of chances: {labels}"
    as_logged(page, game, record)
    box = page.locator(".curves").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = int(page.get_attribute("#viewer", "data-ply"))
    plies = page.locator(".moves button").count()
    assert abs(middle - plies / 2) <= plies / 4 + 1, f"a click in the middle leads to ply {middle} of {plies}"


def recorded(report, number):
    """A game of the log beside a report."""
    lines = report.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()[1:]
    return next(line for line in map(json.loads, lines) if line.get("game") == number - 1)


def as_logged(page, game, record):
    """Every dot stands at the expected score of the log, seen by the first player, and each text says it."""
    stats, movers = record["stats"], [by for by in record["by"] if by != "c"]
    certain = lambda score: (0 if score.startswith("#-") or score == "#0" else 1000) if isinstance(score, str) else None
    wanted = [[], []]
    for by, score, own in zip(movers, stats["score"], stats["expected"]):
        if score is not None:
            own = certain(score) if own is None else own
            wanted[int(by) - 1].append(own if by == "1" else 1000 - own)
    assert sum(map(len, wanted)) > 2, f"{game}: {stats}"
    zero, full = (float(page.locator(".curves .curve-grid, .curves .curve-zero").nth(i).get_attribute("d").split()[1].split("H")[0])
                  for i in (0, 4))
    for side in (0, 1):
        drawn = page.evaluate(f"""[...document.querySelectorAll('.curves .side{side} .curve-dot')].map((dot) =>
            dot.tagName === 'circle' ? dot.cy.baseVal.value : dot.y.baseVal.value + dot.height.baseVal.value / 2)""")
        shown = [1000 * (y - zero) / (full - zero) for y in drawn]
        assert len(shown) == len(wanted[side]), f"{game}: {len(shown)} dots of {len(wanted[side])}"
        assert all(abs(a - b) < 1 for a, b in zip(shown, wanted[side])), f"{game}: {shown} of {wanted[side]}"


def own_units(stage):
    """Engines that give no chances are drawn in their own units."""
    report = made(stage, "amazons", ["c", "d"], ",option.UCI_ShowWDL=false")
    assert "expected" not in recorded(report, 1)["stats"]
    page = stage.page()
    page.goto(f"{report.as_uri()}#game-1-ply-1")
    page.wait_for_selector(".curves .curve-text")
    labels = page.locator(".curve-text").all_text_contents()
    assert "0.00" in " ".join(labels) or "+" in "".join(labels), labels
    assert not any("%" in label for label in labels), labels
    page.context.close()


def looks(stage, report, name, widths=CHECKED):
    """No text covers another in a plot, nothing is cut off, also in print; the dark page is Chinese."""
    for width, dark in widths:
        if name in GAMES and name != "xiangqi":
            continue
        page = stage.page(width=width, dark=dark, language="zh-CN" if width < 1000 or dark else "en")
        page.goto(report.as_uri())
        page.wait_for_selector("#viewer[data-ply]")
        stage.check(page, f"report-{name}-{width}", axe=name in ("xiangqi", "round robin") and width != 1920)
        covered = page.evaluate(COVERED)
        assert not covered, f"report-{name}-{width}: text covers text: {covered[:3]}"
        if page.get_attribute("html", "lang") == "zh-CN":
            left = page.evaluate(UNTRANSLATED)
            assert not left, f"report-{name}: no Chinese for {left[:5]}"
        if name not in GAMES:
            stage.picture(page, f"report-{name.replace(' ', '-')}-{width}", full_page=True)
        page.emulate_media(media="print")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert width < 700 or wide <= 1, f"report-{name}-{width}: printed {wide} px too wide"
        page.context.close()


# Texts of a plot whose boxes meet by more than a pixel each way.
COVERED = """() => {
    const found = [];
    for (const plot of document.querySelectorAll('svg.agon, svg.curves')) {
        const boxes = [...plot.querySelectorAll('text')].map((e) => [e.textContent, e.getBoundingClientRect()]);
        boxes.forEach(([text, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
            const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (x > 1 && y > 2) found.push(`${text} / ${other}`);
        }));
    }
    return found;
}"""

# Texts of the report itself that have an English word and nothing Chinese. Names of methods stay as they are.
UNTRANSLATED = """() => [...document.querySelectorAll('title, [data-i18n-text], svg.agon .title, svg.agon .label')]
    .map((element) => element.textContent.replace(/\\binf\\b/g, '').trim())
    .filter((text) => /[a-z]{3}/i.test(text) && !/[\\u4e00-\\u9fff]/.test(text) && !/^(Elo|LOS|SHA-256)/.test(text))"""
