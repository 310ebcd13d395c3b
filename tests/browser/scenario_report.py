"""Reports of matches of all games: replays by link and keyboard, curves, FENs, plots, print."""

import pathlib
import re

GAMES = ["amazons", "connect6", "darkchess", "einstein", "nogo", "xiangqi"]
CHECKED = [(390, False), (1280, True), (1920, False)]


def run(stage):
    for game in GAMES:
        report = made(stage, game, ["a", "b"])
        replays(stage, report, game)
    looks(stage, made(stage, "einstein", ["strong", "middle", "weak"], "tournament"), "tournament")
    return f"replays of {len(GAMES)} games, a tournament, print"


def made(stage, game, names, command="match"):
    """The report of a match of random players that report evaluations of 50 nodes."""
    log = pathlib.Path(stage.folder.name) / f"{game}-{command}.jsonl"
    engines = []
    for i, name in enumerate(names):
        engines += ["--engine", f"name={name},cmd={stage.programs / game},option.Seed={i}"]
    games = [] if command == "tournament" else ["--games", "2"]
    stage.command("referee", command, "--game", game, *engines, *games, "--nodes", "50", "--seed", "3",
                  "--log", log, "--quiet")
    stage.command("referee", "report", log)
    return log.with_suffix(".html")


def replays(stage, report, game):
    """A link leads to a game and a ply; keys, buttons, moves and curves lead on from there."""
    page = stage.page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{report.as_uri()}#game-1-ply-3")
    shown = lambda: (page.get_attribute("#viewer", "data-game"), int(page.get_attribute("#viewer", "data-ply")))
    page.wait_for_selector("#viewer[data-ply]")
    assert shown() == ("1", 3), f"{game}: the link leads to {shown()}"
    fen = lambda: page.input_value(".replay-fen input")
    third = fen()
    page.locator("body").press("ArrowRight")
    assert shown() == ("1", 4) and page.url.endswith("#game-1-ply-4"), page.url
    page.click("[data-replay=start]")
    start = fen()
    page.click(".moves button >> nth=2")
    assert shown() == ("1", 3) and fen() == third != start
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
    page.click("[data-replay=copy]")
    page.wait_for_selector(".replay-fen [role=status]:not(:empty)")
    assert page.evaluate("navigator.clipboard.readText()") == end
    pieces = page.locator("#viewer .board-picture g[transform]").count()
    assert pieces > 0, f"{game}: an empty board at the end"
    curves(page, game)
    page.goto(f"{report.as_uri()}#game-0")
    page.wait_for_selector("#viewer[data-game='0']")
    page.click("[data-switch=language]")
    assert page.locator("[data-replay=copy]").inner_text() == "复制 FEN"
    page.click("[data-switch=language]")
    stage.check(page, f"report of {game}", axe=game == "xiangqi")
    page.context.close()
    looks(stage, report, game)


def curves(page, game):
    """Both engines' evaluations have a line, a legend and a scale."""
    if page.locator(".curves").count() == 0:
        assert "no evaluations" in page.locator(".replay-curves").inner_text(), game
        return
    assert page.locator(".curves .curve").count() == 2 and page.locator(".curve-key").count() == 2
    labels = page.locator(".curve-text").all_text_contents()
    assert any(re.match(r"^[+-]", text) for text in labels), f"{game}: no scale: {labels}"
    box = page.locator(".curves").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    middle = int(page.get_attribute("#viewer", "data-ply"))
    plies = page.locator(".moves button").count()
    assert abs(middle - plies / 2) <= plies / 4 + 1, f"a click in the middle leads to ply {middle} of {plies}"


def looks(stage, report, name):
    """No text covers another in a plot, nothing is cut off, also in print."""
    for width, dark in CHECKED:
        if not stage.pictures and name not in ("xiangqi", "tournament"):
            continue
        page = stage.page(width=width, dark=dark)
        page.goto(report.as_uri())
        page.wait_for_selector("#viewer[data-ply]")
        stage.check(page, f"report-{name}-{width}", axe=width != 1920)
        covered = page.evaluate(COVERED)
        assert not covered, f"report-{name}-{width}: text covers text: {covered[:3]}"
        stage.picture(page, f"report-{name}-{width}-{'dark' if dark else 'light'}", full_page=True)
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
