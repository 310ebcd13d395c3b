"""Whole games against an engine: each of the six by clicking, one by keyboard alone."""

import random
import time

from stage import PATIENCE_MS

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
    stage.end(process)
    return ", ".join(f"{game} {n} plies" for game, n in plies.items())


def begin(stage, address, game):
    page = stage.page()
    page.goto(f"{address}#play")
    page.select_option("[name=game]", game)
    page.select_option("[name=engine]", game)
    page.select_option("[name=side]", "0")
    page.select_option("[name=kind]", "nodes")
    page.fill("[name=amount]", str(GAMES[game]))
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game={game}]")
    return page


def whole_game(stage, address, game, choose):
    """Plays random legal moves to the end; returns the number of plies."""
    page = begin(stage, address, game)
    dice = random.Random(f"{game} 1")
    deadline = time.monotonic() + 5 * PATIENCE_MS / 1000
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
