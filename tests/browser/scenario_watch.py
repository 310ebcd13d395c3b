"""A match is watched while it runs, stopped by its button, and its games are replayed by links; a test is
watched to its end, a growing log of another program, and engines that fail."""

import pathlib
import re

from stage import WIDTHS, until

# An engine that crashes at its first move, with markup in its standard error.
FAILING = """#!/bin/sh
while read -r line; do
  case $line in
    ugi) echo 'id name <b>bad</b>'; echo ugiok;;
    isready) echo readyok;;
    go*) echo '<img src=x onerror=alert(1)> out of luck' >&2; exit 3;;
    quit) exit;;
  esac
done
"""
MARKUP = "<i>bad</i>"
# The numbers of the running games and of the next ones.
GAMES = """() => [[...document.querySelectorAll('.boards .card h3')].map((title) => Number(/\\d+/.exec(title.textContent)[0])),
    [...document.querySelectorAll('[data-watch=schedule] tbody tr')].map((row) => Number(row.cells[0].textContent))]"""
# Notes in `window.back` each game that is announced after it has been on a board, at every change of the page.
WATCH_SCHEDULE = """() => {
    window.back = [];
    const begun = new Set();
    const look = () => {
        for (const title of document.querySelectorAll('.boards .card h3')) begun.add(Number(/\\d+/.exec(title.textContent)[0]));
        for (const row of document.querySelectorAll('[data-watch=schedule] tbody tr')) {
            const number = Number(row.cells[0].textContent);
            if (begun.has(number)) window.back.push(number);
        }
    };
    const watched = { subtree: true, childList: true, characterData: true };
    new MutationObserver(look).observe(document.querySelector('main'), watched);
    look();
}"""


def run(stage):
    log = pathlib.Path(stage.folder.name) / "watched.jsonl"
    engine = f"cmd={stage.programs / 'amazons'}"
    match, found = stage.start(
        "referee", "match", "--game", "amazons", "--engine", f"name=first,{engine}", "--engine",
        f"name=second,{engine},option.Seed=2", "--nodes", "500", "--games", "20000", "--concurrency", "2",
        "--log", log, "--serve", "--quiet", expect=r"http://\S+/")
    page = stage.page()
    page.goto(f"{found[0]}#watch/1")
    small = page.locator(".boards .board.mini")
    small.first.wait_for()
    ply = lambda: int(small.first.get_attribute("data-ply"))
    before = ply()
    page.wait_for_selector(f".boards .board.mini:not([data-ply='{before}'])")
    # The first finished game is in the list, with a link, and the next games are announced.
    page.wait_for_selector("[data-watch=played] a[href^='#game/']")
    assert page.locator("[data-watch=schedule] tbody tr").count() > 0
    seen = 0
    page.evaluate(WATCH_SCHEDULE)
    for _ in range(20):
        # Between two games a board is empty.
        running, following = page.evaluate(GAMES)
        assert following and not set(running) & set(following), f"{running} run, next are {following}"
        seen += bool(running)
        page.wait_for_timeout(100)
    assert seen > 5, f"boards were seen {seen} times of 20"
    back = page.evaluate("window.back")
    assert back == [], f"games that had begun were announced as next ones: {back}"
    # The title tells the score of the games that the page counts.
    title, head = page.evaluate("[document.title, document.querySelector('[data-watch=head] p[role=status]').textContent]")
    titled = re.fullmatch(r"first (\d*½?) : (\d*½?) second · watched", title)
    assert titled, title
    half = lambda text: 2 * int(text.rstrip("½") or 0) + text.endswith("½")
    assert sum(map(half, titled.groups())) == 2 * int(re.match(r"\d+", head)[0]), f"{title}: {head}"
    stage.check(page, "watching a match", axe=True)
    fills_the_screen(stage, page)
    enlarged(stage, page)
    stage.portraits(page, "watch")
    saved(page, log)
    page.click("[data-watch=finish]")
    match.wait(60)
    assert match.returncode == 130, f"stopped as by Ctrl-C is 130, the match ended with {match.returncode}"
    page.context.close()
    games = sum('"moves"' in line for line in log.read_text().splitlines())
    assert 1 <= games < 20000, f"the button stopped the match after {games} games"
    replayed(stage, log)
    tested(stage)
    failing(stage)
    return f"a match live, stopped by its button after {games} games, a replay by its link, a test to its end, failures"


def fills_the_screen(stage, page):
    """Two boards are as large as the screen allows, at all sizes; on a phone they are below one another."""
    size = page.viewport_size
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        until(page, "document.querySelectorAll('.boards .board-frame').length === 2")
        page.wait_for_timeout(300)
        found = page.evaluate("""() => {
            const frames = [...document.querySelectorAll('.boards .board-frame')].map((frame) => frame.getBoundingClientRect());
            const last = document.querySelector('.boards').getBoundingClientRect();
            return [frames.map(({ width }) => width), frames.map(({ height }) => height), last.top + scrollY, last.bottom + scrollY];
        }""")
        widths, heights, top, bottom = found
        assert width == 390 or bottom <= height + 1, f"{width}: the boards end at {bottom}"
        # A board has the width of half the screen or, but for the players' lines, the height that is left.
        columns = 1 if width == 390 else 2
        wide, high = min(widths) * columns / width, min(heights) * (3 - columns) / (height - top)
        assert wide > 0.85 or high > 0.7, f"{width}: boards of {widths} by {heights} from {top} on"
        stage.check(page, f"boards at {width}", axe=False)
    page.set_viewport_size(size)


# The curve of each player has marks, and ends where its bar does. Games may end at any time.
CURVES_AND_BARS = """() => [0, 1].every((side) => {
    const curve = document.querySelector(`.watch-curves .curve.side${side}`);
    const [, top, bottom] = document.querySelector('.watch-curves .curve-axis')?.getAttribute('d').match(/ ([\\d.]+)V([\\d.]+)/) ?? [];
    const share = parseFloat(document.querySelector(`.watch-panel.side${side} .evaluation-first`).style.width) / 100;
    const points = (curve?.querySelector('.curve-line').getAttribute('d') ?? '').split(/[ML]/).slice(1);
    return points.length >= 2 && Math.abs(points.at(-1).split(' ')[1] - (bottom - (bottom - top) * share)) < 0.2;
})"""


def enlarged(stage, page):
    """A board over the whole screen by a click and by keyboard, with what both engines think."""
    page.locator(".watch-card").first.click()
    page.wait_for_selector("dialog.watch-large[open]")
    thinks = """() => [...document.querySelectorAll('.watch-panel')].filter((panel) =>
        /\\d-/.test(panel.querySelector('[data-watch=thought]').textContent) &&
        /depth \\d+, \\d+ nodes/.test(panel.querySelector('[data-watch=reports]').textContent)).length === 2"""
    until(page, thinks)
    until(page, "document.querySelectorAll('.watch-moves li').length >= 3")
    until(page, CURVES_AND_BARS)
    height = page.evaluate("document.querySelector('.watch-large .board-frame').getBoundingClientRect().height / innerHeight")
    assert height > 0.7, f"the enlarged board has {height:.0%} of the height"
    stage.check(page, "an enlarged board")
    stage.picture(page, "watch-large")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.watch-large", state="detached")
    number = lambda: int(re.search(r"Game (\d+)", page.locator(".watch-large h2").inner_text())[1])
    focused = page.evaluate("document.activeElement.className")
    assert focused == "watch-open", f"the focus is on {focused}"
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog.watch-large[open]")
    before = number()
    page.keyboard.press("ArrowRight")
    assert number() != before, "the other board"
    page.click("[data-watch=close]")
    page.wait_for_selector("dialog.watch-large", state="detached")


def saved(page, log):
    """The log and its games can be saved from the page."""
    for name, start, ending in (("log", '{"agon_match_log"', "watched.jsonl"), ("pgn", "[Event ", "watched.pgn")):
        with page.expect_download() as download:
            page.click(f"[data-file={name}]")
        text = pathlib.Path(download.value.path()).read_text()
        assert text.startswith(start) and download.value.suggested_filename == ending, text[:80]
        if name == "log":
            assert log.read_text().startswith(text)
        else:
            assert text.count("[Result ") >= 1


def replayed(stage, log):
    server, found = stage.start("referee", "serve", log, expect=r"http://\S+/")
    for width, dark, language in ((1280, False, "en"), (390, True, "zh-CN")):
        page = stage.page(width=width, dark=dark, language=language)
        page.goto(f"{found[0]}#game/1/1/3")
        page.wait_for_selector(".replay")
        place = page.locator("[data-ply][data-game='1']")
        place.wait_for()
        assert place.get_attribute("data-ply") == "3", "the link names the ply"
        page.locator("body").press("ArrowRight")
        assert place.get_attribute("data-ply") == "4" and page.url.endswith("#game/1/1/4"), page.url
        page.locator("body").press("End")
        assert page.locator(".curves .curve").count() == 2 and page.locator(".curve-key").count() == 2
        stage.check(page, f"replay at {width}")
        stage.picture(page, f"replay-{width}", full_page=True)
        page.context.close()
    stage.end(server)


def tested(stage):
    """A sequential test, from its first game to the end of its program."""
    log = pathlib.Path(stage.folder.name) / "test.jsonl"
    cmd = f"cmd={stage.programs / 'einstein'},movetime=20,margin=20000"
    match, found = stage.start(
        "referee", "sprt", "--game", "einstein", "--new", f"name=new,{cmd},option.Algorithm=best", "--base",
        f"name=base,{cmd},option.Algorithm=random", "--elo0", "0", "--elo1", "100", "--games", "400", "--seed", "1",
         "--log", log, "--serve", "--quiet", expect=r"http://\S+/")
    page = stage.page(language="zh-CN")
    page.goto(f"{found[0]}#watch/1")
    page.wait_for_selector("[data-watch=test] .test-path")
    # The log ends with its decision, after which the program ends.
    page.wait_for_selector("[data-watch=head]:has-text('比赛已结束')")
    assert match.wait(60) == 0, "H1 is accepted"
    assert page.locator(".error:visible").count() == 0, page.locator(".error:visible").all_inner_texts()
    page.context.close()
    server, found = stage.start("referee", "serve", log, expect=r"http://\S+/")
    page = stage.page(width=390)
    page.goto(f"{found[0]}#watch/1")
    page.wait_for_selector("[data-watch=test] .test-path")
    assert page.locator("[data-watch=test] p").first.inner_text().startswith("H1 accepted:")
    said = page.locator("[data-watch=head] p[role=status]").first.inner_text()
    assert re.fullmatch(r"\d+ games, at most 400", said), said
    # The path is a line, not an area; the page may draw it anew at any time.
    page.wait_for_function("getComputedStyle(document.querySelector('.path-line')).fill === 'none'")
    stage.check(page, "a finished test")
    stage.portraits(page, "watch-test")
    page.context.close()
    stage.end(server)


def failing(stage):
    """Engines that fail are shown with the tail of their standard error; their text stays text."""
    folder = pathlib.Path(stage.folder.name)
    script, log = folder / "failing.sh", folder / "failing.jsonl"
    script.write_text(FAILING)
    script.chmod(0o755)
    engine = f"cmd={stage.programs / 'nogo'}"
    match, _ = stage.start(
        "referee", "match", "--game", "nogo", "--engine", f"name=good,{engine}", "--engine", f"name={MARKUP},cmd={script}",
        "--depth", "1", "--games", "2", "--seed", "1", "--log", log, "--quiet")
    match.wait(60)
    server, found = stage.start("referee", "serve", log, expect=r"http://\S+/")
    page = stage.page()
    page.goto(f"{found[0]}#watch/1")
    failure = page.locator("[data-watch=failures] details").first
    failure.wait_for()
    failure.locator("summary").click()
    failure.locator("pre").wait_for()
    # The page draws the list anew; what was opened stays open.
    page.click("[data-switch=language]")
    page.wait_for_selector("html[lang=zh-CN]")
    page.click("[data-switch=language]")
    page.wait_for_selector("html[lang=en]")
    score = page.locator("[data-watch=score]").inner_text()
    assert "+inf" in score and "-inf" in score and "∞" not in score, score
    said = failure.inner_text()
    assert MARKUP in said and "<img src=x onerror=alert(1)> out of luck" in said, said
    assert page.locator("main img, main i, main b").count() == 0, "text of an engine became an element"
    stage.check(page, "engines that failed")
    stage.portraits(page, "watch-failed")
    page.context.close()
    stage.end(server)
    stage.command("referee", "report", log)
    page = stage.page()
    page.goto(log.with_suffix(".html").as_uri())
    page.wait_for_selector("[data-switch=language]")
    assert MARKUP in page.locator("main").inner_text()
    assert page.locator("main img, main i, main b").count() == 0
    page.context.close()
