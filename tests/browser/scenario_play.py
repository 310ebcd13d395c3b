"""Whole games against an engine: each of the six by clicking, one by keyboard alone; then analysis, hint,
undo, positions in and out, options, and the set-up of EinStein."""

import random
import re
import time

from stage import TIMEOUT_MS

# Nodes of the engine: enough to beat random moves soon, as the games have to end.
GAMES = {"amazons": 300, "connect6": 300, "darkchess": 300, "einstein": 300, "nogo": 300, "xiangqi": 2000}
BOARD = "main .board:not(.mini)"


def run(stage):
    engines = []
    for game in GAMES:
        engines += ["--engine", f"name={game},cmd={stage.programs / game},option.Seed=1"]
    process, found = stage.start("referee", "serve", *engines, expect=r"http://\S+/")
    plies = {}
    for game in GAMES:
        plies[game] = whole_game(stage, found[0], game, by_clicks)
    plies["einstein by keyboard"] = whole_game(stage, found[0], "einstein", by_keyboard)
    for game in GAMES:
        tools(stage, found[0], game)
    einstein_page(stage, found[0])
    certain(stage, found[0])
    stage.end(process)
    return ", ".join(f"{game} {n} plies" for game, n in plies.items())


def begin(stage, address, game, side="0", fen="", options=None, **how):
    page = stage.page(**how)
    page.goto(f"{address}#play")
    page.select_option("[name=game]", game)
    page.select_option("[name=engine]", game)
    page.select_option("[name=side]", side)
    page.select_option("[name=kind]", "nodes")
    page.fill("[name=amount]", str(GAMES[game]))
    page.fill("[name=fen]", fen)
    if options:
        page.click("[data-options] summary")
        for name, value in options.items():
            field = page.locator(f"[data-option='{name}']")
            field.wait_for()
            if field.evaluate("field => field.tagName") == "SELECT":
                field.select_option(value)
            else:
                field.fill(value)
                field.blur()
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game={game}]")
    return page


def set_up(page):
    """Sets up the stones of EinStein at random for the player whose turn it is."""
    ply = state(page)["ply"]
    page.click("text=Random")
    page.click("[data-action=setup-done]")
    page.wait_for_selector(f"{BOARD}:not([data-ply='{ply}'])")


def tools(stage, address, game):
    """Both sides by hand, with an engine that hints and analyses."""
    page = begin(stage, address, game, side="both", options={"Hash": "4"})
    assert "Hash=4" in page.locator("[data-play=engine]").inner_text()
    if game == "einstein":
        set_up(page)
        set_up(page)
    dice = random.Random(game)
    for _ in range(2):
        ply = state(page)["ply"]
        by_clicks(page, dice)
        page.wait_for_selector(f"{BOARD}:not([data-ply='{ply}'])")
    page.click("[data-play=hint]")
    page.wait_for_selector("main p[role=status]:has-text('Hint:')")
    page.wait_for_selector(f"{BOARD} .arrow")
    with page.expect_download() as download:
        page.click("[data-play=picture]")
    assert download.value.suggested_filename == f"{game}-ply-{state(page)['ply']}.svg", download.value.suggested_filename
    # A position goes out as FEN, and comes in again.
    fen = page.input_value("main input[readonly]")
    page.click("[data-play=analyse]")
    page.wait_for_selector(".engine-lines li:nth-child(2)")
    page.wait_for_selector(f"{BOARD} .arrow >> nth=1")
    assert page.locator(".evaluation").is_visible() and page.locator(".engine-lines .mono").first.inner_text()
    bar(page, game)
    stage.check(page, f"analysing {game}", axe=game in ("connect6", "darkchess"))
    stage.portraits(page, f"analysis-{game}")
    page.click("[data-play=analyse]")
    before = state(page)
    names = lambda: page.locator(f"{BOARD} [role=gridcell]").first.get_attribute("data-at")
    corner = names()
    page.click("[data-play=flip]")
    assert names() != corner, "the board is turned"
    page.click("[data-play=undo]")
    page.wait_for_selector(f"{BOARD}:not([data-ply='{before['ply']}'])")
    assert int(state(page)["ply"]) < int(before["ply"])
    # An earlier position is looked at, and a new game begins there.
    page.click("main .moves button >> nth=0")
    page.wait_for_selector(f"{BOARD}[data-ply='0']")
    page.click("[data-play=back]")
    page.wait_for_selector(f"{BOARD}:not([data-ply='0'])")
    page.click("[data-play=resign]")
    page.click("[data-resign=no]")
    page.wait_for_selector("dialog", state="detached")
    assert state(page)["over"] == "no", "the game goes on"
    page.click("[data-play=resign]")
    page.click("[data-resign=yes]")
    page.wait_for_selector(f"{BOARD}[data-over=yes]")
    assert "resignation" in page.locator(".board-note").first.inner_text()
    page.click("main .moves button >> nth=0")
    page.wait_for_selector(f"{BOARD}[data-ply='0']")
    old = page.url
    page.click("[data-play=here]")
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(f"{BOARD}[data-ply='0'][data-over=no]")
    page.context.close()
    page = begin(stage, address, game, side="both", fen=fen)
    assert page.input_value("main input[readonly]") == fen, f"{game}: {fen} came back otherwise"
    page.fill("[name=fen]", "no position")
    page.click("form button.primary")
    page.wait_for_selector("form .error:not([hidden])")
    page.context.close()


BAR = """() => {
    const [bar, ...parts] = [document.querySelector('.evaluation'), ...document.querySelectorAll('.evaluation > *')];
    const part = parts.find((part) => part.textContent);
    const text = document.createRange();
    text.selectNodeContents(part);
    const [label, box, all] = [text.getBoundingClientRect(), part.getBoundingClientRect(), bar.getBoundingClientRect()];
    const [first, width] = [parts[0].getBoundingClientRect().width, parts[0].parentNode.clientWidth];
    return { text: part.textContent, share: 100 * first / width, said: bar.getAttribute('aria-label'),
        cut: Math.max(box.left - label.left, label.right - box.right, all.top - label.top, label.bottom - all.bottom) };
}"""


def bar(page, game):
    """The bar is as long as its text says, which is not cut off."""
    page.wait_for_timeout(500)  # its length moves
    now = page.evaluate(BAR)
    percent = float(re.search(r"([\d.]+)%", now["said"])[1])
    assert abs(now["share"] - percent) < 2, f"{game}: {now}"
    assert now["cut"] <= 1, f"{game}: {now}"
    assert now["text"].endswith("%") or "wins in" in now["text"], f"{game}: {now}"


def certain(stage, address):
    """A certain win is a whole bar, for either side."""
    for fen, text, share in (("5/1a3/5/3A1/5 u 1", "100%", 100), ("5/1a3/5/3A1/5 l 1", "0%", 0)):
        page = begin(stage, address, "einstein", side="both", fen=fen)
        page.click("[data-play=analyse]")
        page.wait_for_selector(".engine-lines strong")
        page.wait_for_timeout(500)
        now = page.evaluate(BAR)
        assert (now["text"], round(now["share"])) == (text, share), f"{fen}: {now}"
        assert page.locator(".engine-lines strong").first.inner_text() == text
        page.context.close()


def einstein_page(stage, address):
    """The page of the EinStein paper: stones exchanged before the game, the die, the stones that may move
    with their targets, two candidates if the number is gone, the stones' state."""
    page = begin(stage, address, "einstein", side="both")
    page.click("text=Random")
    stone = lambda at: page.get_attribute(f"{BOARD} [data-at={at}]", "aria-label").split(", ")[1]
    a, b = stone("a5"), stone("c5")
    page.click(f"{BOARD} [data-at=a5]")
    page.click(f"{BOARD} [data-at=c5]")
    assert (stone("a5"), stone("c5")) == (b, a), "two clicks exchange two stones"
    tray = page.evaluate("document.querySelector('.tray').getBoundingClientRect().bottom + scrollY")
    assert tray <= 800, f"the stones of the set-up end {tray - 800} px below the screen"
    stage.portraits(page, "einstein-set-up")
    page.click("[data-action=setup-done]")
    page.wait_for_selector(f"{BOARD}[data-ply='1']")
    set_up(page)
    page.wait_for_selector(f"{BOARD} .state-die")
    assert page.locator(f"{BOARD} .mark-movable").count() == 1, "the stone of the die"
    assert page.locator(f"{BOARD} .mark-reach").count() > 0, "its targets"
    page.context.close()
    page = begin(stage, address, "einstein", side="both", fen="AB3/D4/5/4f/3ed u 3")
    assert page.locator(f"{BOARD} .mark-movable").count() == 2, "two candidates"
    assert page.locator(f"{BOARD} .state-stones .gone").count() == 6, "three stones of each side are gone"
    assert page.get_attribute(f"{BOARD} .state-die", "aria-label") == "die: 3"
    stage.check(page, "two candidates")
    stage.portraits(page, "einstein-candidates")
    page.click(f"{BOARD} [data-at=a4]")
    assert page.locator(f"{BOARD} .mark-target").count() == 3
    page.click(f"{BOARD} [data-at=b3]")
    page.wait_for_selector(f"{BOARD}:not([data-ply='0'])")
    page.context.close()
    # Stones of either side may be captured: what points at them leaves their numbers to be read.
    page = begin(stage, address, "einstein", side="both", fen="AB3/Dc3/2f2/5/3ed u 1")
    assert page.locator(f"{BOARD} .mark-reach.ring").count() == 3
    page.click("[data-play=analyse]")
    page.wait_for_selector(f"{BOARD} .arrow >> nth=2")
    assert not page.evaluate(HIDDEN), page.evaluate(HIDDEN)
    page.click(f"{BOARD} [data-at=a5]")
    assert page.locator(f"{BOARD} .mark-target.ring").count() == 3
    assert not page.evaluate(HIDDEN), page.evaluate(HIDDEN)
    stage.picture(page, "einstein-arrows")
    page.context.close()


# Shapes that cover a point of a stone's number.
HIDDEN = """() => {
    const picture = document.querySelector('main .board:not(.mini) .board-picture svg');
    const shapes = [...picture.querySelectorAll('.arrow path, .arrow circle, .mark-target, .mark-reach')];
    const found = [];
    for (const text of picture.querySelectorAll('g[transform] text')) {
        const [x, y] = text.closest('[transform]').getAttribute('transform').match(/[\\d.]+/g).map(Number);
        for (const dx of [-6, 0, 6]) for (const dy of [-8, 0, 8]) {
            const point = picture.createSVGPoint();
            [point.x, point.y] = [x + 22 + dx, y + 22 + dy];
            for (const shape of shapes) {
                const { fill, stroke } = getComputedStyle(shape);
                const covers = fill !== 'none' && shape.isPointInFill(point) || stroke !== 'none' && shape.isPointInStroke(point);
                if (covers) found.push(`${text.textContent}: ${shape.outerHTML}`);
            }
        }
    }
    return found;
}"""


def whole_game(stage, address, game, choose):
    """Plays random legal moves to the end; returns the number of plies."""
    page = begin(stage, address, game)
    dice = random.Random(f"{game} 1")
    deadline = time.monotonic() + 5 * TIMEOUT_MS / 1000
    looked = False
    while True:
        assert time.monotonic() < deadline, f"{game}: no end after {state(page)}"
        page.wait_for_selector(f"{BOARD}:is([data-input=move],[data-input=setup],[data-over=yes])")
        now = state(page)
        if now["over"] == "yes":
            break
        if now["input"] == "setup":
            page.click("text=Random")
            page.click("[data-action=setup-done]")
        else:
            choose(page, dice)
            if not looked and int(now["ply"]) > 3:
                looked = True
                stage.check(page, f"playing {game}", axe=game in ("xiangqi", "einstein"))
                stage.picture(page, f"play-{game}")
        page.wait_for_selector(f"{BOARD}:not([data-ply='{now['ply']}'])")
    status = page.locator("main p[role=status]").first.inner_text()
    assert "wins" in status or "Draw" in status or "won" in status, f"{game} ended with {status!r}"
    page.context.close()
    return int(now["ply"])


def state(page):
    return page.evaluate(f"({{ ...document.querySelector('{BOARD}').dataset }})")


def live(page):
    """The squares that may be chosen now; none once the move is complete."""
    return page.evaluate(f"[...document.querySelectorAll('{BOARD} .live')].map((cell) => cell.dataset.at)")


def by_clicks(page, dice):
    """One move: a random square of those that may be chosen, until the move is whole."""
    ply = state(page)["ply"]
    while squares := live(page):
        if (now := state(page))["ply"] != ply or now["input"] != "move":
            return
        page.click(f"{BOARD} [data-at='{dice.choice(squares)}']")


def by_keyboard(page, dice):
    """The same with Tab, arrow keys and Enter only."""
    ply = state(page)["ply"]
    while squares := live(page):
        if (now := state(page))["ply"] != ply or now["input"] != "move":
            return
        for _ in range(200):
            if page.evaluate("document.activeElement.closest('[role=gridcell]') !== null"):
                break
            page.keyboard.press("Tab")
        walk(page, dice.choice(squares))
        page.keyboard.press("Enter")


def walk(page, square):
    """Moves the focus to a square with the arrow keys."""
    where = page.evaluate(f"""square => {{
        const all = [...document.querySelectorAll('{BOARD} [role=gridcell]')].map((e) => e.dataset.at);
        const files = document.querySelector('{BOARD} [role=row]').children.length;
        const [a, b] = [all.indexOf(document.activeElement.dataset.at), all.indexOf(square)];
        return [b % files - a % files, Math.floor(b / files) - Math.floor(a / files)];
    }}""", square)
    for steps, keys in zip(where, (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
        for _ in range(abs(steps)):
            page.keyboard.press(keys[steps > 0])
