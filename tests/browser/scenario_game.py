"""What surrounds a game against an engine: the opponent that the command line names, levels by name, names and clocks,
pieces that are dragged, moves entered ahead, the question before resigning, what has won, sound, and games that are saved."""

import json
import pathlib
import re
import time

from stage import until
from scenario_play import BOARD, state, walk

# An engine that lists the option Level, and keeps what it is sent.
STAND_IN = """#!/bin/sh
tee -a {log} | sed -u '/name Level /d' | {program} | \\
sed -u 's/^ugiok/option name Level type spin default 10 min 1 max 10\\nugiok/; s/^uciok/option name Level type spin default 10 min 1 max 10\\nuciok/'
"""


def run(stage):
    folder = pathlib.Path(stage.folder.name)
    stand_in, log = folder / "stand-in", folder / "sent.log"
    stand_in.write_text(STAND_IN.format(log=log, program=stage.programs / "xiangqi"))
    stand_in.chmod(0o755)
    process, found = serve(stage, "--engine", f"name=Nora,cmd={stage.programs / 'xiangqi'}",
                           "--engine", f"name=Stand-in,cmd={stand_in}")
    address = found[0]
    opponent(stage, address)
    levels(stage, address, log)
    clocks(stage, address)
    dragged(stage, address)
    by_touch(stage, address)
    ahead(stage, address)
    resigned(stage, address)
    won(stage, address)
    saved(stage, address)
    stage.end(process)
    restarted(stage)
    return "opponent, levels, clocks, dragging, moves ahead, resigning, winning lines, saved games"


def serve(stage, *arguments):
    return stage.start("referee", "serve", *arguments, expect=r"http://\S+/")


def begin(stage, address, game, engine="", side="0", amount=None, kind="movetime", clock="", fen="", names=None, **how):
    """A game that is begun with the form; without an engine both sides move by hand."""
    page = stage.page(**how)
    page.goto(f"{address}#play")
    page.select_option("[name=game]", game)
    page.select_option("[name=engine]", engine)
    if clock:
        page.select_option("[name=clock]", "own")
        page.fill("[name=ownClock]", clock)
    if engine:
        page.select_option("[name=side]", side)
        # An engine plays by a clock only if there is one.
        page.select_option("[name=kind]", kind)
    if amount:
        page.fill("[name=amount]", str(amount))
    for field, name in (names or {}).items():
        page.fill(f"[name={field}]", name)
    page.fill("[name=fen]", fen)
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game={game}]")
    return page


def at_ply(page, ply):
    page.wait_for_selector(f"{BOARD}[data-ply='{ply}']")


def square(at):
    return f"{BOARD} [data-at='{at}']"


def press(page, *squares):
    for at in squares:
        page.click(square(at))


def middle(page, at):
    box = page.locator(square(at)).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page, start, end):
    """Drags with the mouse, from a square to a square or a point."""
    page.locator(square(start)).scroll_into_view_if_needed()
    page.mouse.move(*middle(page, start))
    page.mouse.down()
    x, y = end if isinstance(end, tuple) else middle(page, end)
    page.mouse.move(x - 9, y - 9)
    page.mouse.move(x, y)
    assert page.locator(".drag-ghost").count() == 1, "the piece follows the pointer"
    page.mouse.up()
    assert page.locator(".drag-ghost").count() == 0


def piece(page, at):
    return page.get_attribute(square(at), "aria-label").split(", ")[1:2]


def opponent(stage, address):
    """The engine that is named first, with its game; later what was chosen last."""
    page = stage.page()
    page.goto(f"{address}#play")
    chosen = lambda: (page.input_value("[name=game]"), page.input_value("[name=engine]"))
    page.wait_for_selector("[name=engine]")
    assert chosen() == ("xiangqi", "Nora"), chosen()
    page.select_option("[name=game]", "nogo")
    assert chosen() == ("nogo", "Stand-in"), "its game is not known"
    page.select_option("[name=engine]", "nogo")
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game=nogo]")
    page.goto("about:blank")
    page.goto(f"{address}#play")
    page.wait_for_selector("[name=engine]")
    assert chosen() == ("nogo", "nogo"), chosen()
    page.context.close()


def levels(stage, address, log):
    """Ten levels by name, chosen by keyboard; a hint is at full strength."""
    page = stage.page()
    page.goto(f"{address}#play")
    page.select_option("[name=game]", "xiangqi")
    page.select_option("[name=engine]", "Stand-in")
    page.wait_for_selector("[name=kind] option[value='level:10']", state="attached")
    names = page.locator("[name=kind] optgroup >> nth=0").locator("option").all_inner_texts()
    assert len(names) == 10 and names[0] == "beginner" and names[-1] == "full strength", names
    page.focus("[name=kind]")
    page.keyboard.press("Home")
    assert page.input_value("[name=kind]") == "level:1"
    assert page.locator("[name=amount]").count() == 0, "a level needs no number"
    stage.check(page, "the form")
    page.focus("form button.primary")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{BOARD}[data-input=move]")
    assert "beginner" in page.locator(".plate[data-player='1']").inner_text()
    sent = lambda: re.findall(r"name Level value (\d+)", log.read_text())
    page.click("[data-play=hint]")
    page.wait_for_selector("main p[role=status]:has-text('Hint:')")
    assert sent()[-1] == "10", sent()
    press(page, "h2", "e2")
    at_ply(page, 2)
    assert sent()[-1] == "1", sent()
    page.context.close()


def clocks(stage, address):
    """Both clocks run, a flag falls; names and the clocks of events; sound after it is switched on."""
    page = stage.page()
    page.goto(f"{address}#play")
    page.select_option("[name=game]", "xiangqi")
    events = page.locator("[name=clock] optgroup >> nth=1").locator("option").all_inner_texts()
    assert any("CCGC" in text and text.startswith("45:00") for text in events), events
    page.select_option("[name=clock]", "own")
    page.fill("[name=ownClock]", "40/5:00")
    page.click("form button.primary")
    page.wait_for_selector("form .error:has-text('expected TIME')")
    page.context.close()

    page = begin(stage, address, "xiangqi", clock="0:06+2", names={"name0": "Anna", "name1": "博特"})
    plate = lambda player: page.locator(f".plate[data-player='{player}']").inner_text()
    assert "Anna" in plate(0) and "0:06.0" in plate(0) and "博特" in plate(1), plate(0)
    beeps = lambda: page.evaluate("Number(document.body.dataset.beeps ?? 0)")
    press(page, "h2", "e2")
    at_ply(page, 1)
    page.wait_for_selector(".plate[data-player='1'] .plate-clock.active")
    assert beeps() == 0, "no sound unless it is chosen"
    page.click("[data-switch=sound]")
    until(page, "document.querySelector(\".plate[data-player='1'] .plate-clock\").textContent < '0:05.5'")
    left = lambda: float(re.search(r"0:(\d\d\.\d)", plate(1))[1])
    before, began = left(), time.monotonic()
    press(page, "h9", "g7")
    at_ply(page, 2)
    used = time.monotonic() - began
    assert beeps() >= 1
    assert before - used + 1.8 <= left() <= before + 2, f"two seconds are gained: {before} became {left()} in {used:.1f} s"
    stage.check(page, "clocks")
    stage.portraits(page, "play-clocks")
    # The clocks are the server's.
    page.reload()
    page.wait_for_selector(".plate[data-player='0'] .plate-clock.active")
    page.wait_for_selector(f"{BOARD}[data-over=yes]")
    assert "Black wins: time." in page.locator(".board-note").first.inner_text()
    assert "0:00" in plate(0), plate(0)
    page.click("[data-play=undo]")
    page.wait_for_selector(f"{BOARD}[data-over=no][data-ply='1']")
    page.context.close()

    # An engine plays by the clock, too.
    page = begin(stage, address, "xiangqi", engine="Nora", clock="0:09", kind="clock")
    press(page, "h2", "e2")
    at_ply(page, 2)
    left = page.locator(".plate[data-player='1'] .plate-clock").inner_text()
    assert left < "0:09.0" and page.locator(".plate[data-player='0'] .plate-clock.active").count() == 1, left
    page.context.close()


def dragged(stage, address):
    """Pieces are dragged with the mouse; what is not legal is refused, and beside the board nothing happens."""
    page = begin(stage, address, "xiangqi")
    drag(page, "h2", "e2")
    at_ply(page, 1)
    drag(page, "h9", "h8")
    assert "not legal" in page.locator(".board-note").first.inner_text() and state(page)["ply"] == "1"
    drag(page, "h9", (20, 20))
    assert page.locator(f"{BOARD} .mark-chosen").count() == 0, "no piece is chosen any more"
    drag(page, "h9", "g7")
    at_ply(page, 2)
    page.mouse.click(*middle(page, "e2"))
    assert page.locator(f"{BOARD} .mark-chosen").count() == 1, "a click chooses as before"
    page.context.close()
    page = begin(stage, address, "amazons")
    drag(page, "d1", "d3")
    drag(page, "d3", "g6")
    at_ply(page, 1)
    page.context.close()
    page = begin(stage, address, "einstein")
    page.click("text=Random")
    a, b = piece(page, "a5"), piece(page, "c5")
    drag(page, "a5", "c5")
    assert (piece(page, "a5"), piece(page, "c5")) == (b, a), "two stones are exchanged"
    page.click("text=Clear")
    page.locator(".tray-piece >> nth=2").hover()
    page.mouse.down()
    page.mouse.move(*middle(page, "b5"), steps=3)
    page.mouse.up()
    assert "3" in "".join(piece(page, "b5")), piece(page, "b5")
    page.context.close()
    page = begin(stage, address, "darkchess", fen="")
    press(page, "a8")
    page.wait_for_selector(f"{BOARD}:not([data-ply='0'])")
    page.context.close()


def by_touch(stage, address):
    """The same with a finger, on a narrow screen, where the page does not scroll under it."""
    page = begin(stage, address, "xiangqi", width=390, has_touch=True)
    page.locator(square("h2")).scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    touch = page.context.new_cdp_session(page)
    send = lambda kind, points: touch.send("Input.dispatchTouchEvent", {
        "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
    (x, y), (u, v) = middle(page, "h2"), middle(page, "h6")
    send("touchStart", [(x, y)])
    for i in range(1, 6):
        send("touchMove", [(x + (u - x) * i / 5, y + (v - y) * i / 5)])
    send("touchEnd", [])
    at_ply(page, 1)
    assert page.evaluate("scrollY") == before
    stage.check(page, "a narrow screen")
    page.context.close()


def ahead(stage, address):
    """A move entered while the engine thinks is played at once, cancelled, or dropped with a word."""
    row = lambda: page.locator("[data-play=cancel]").locator("xpath=..")
    note = lambda: row().inner_text() if row().is_visible() else ""
    page = begin(stage, address, "xiangqi", engine="Nora", amount=4000)
    press(page, "h2", "e2")
    page.wait_for_selector(f"{BOARD}[data-input=ahead]")
    press(page, "b0", "c2")
    assert "Next:" in note() and page.locator(f"{BOARD} .mark-ahead").count() == 2, note()
    stage.check(page, "a move ahead")
    stage.picture(page, "play-ahead")
    page.keyboard.press("Escape")
    assert page.locator(f"{BOARD} .mark-ahead").count() == 0 and not note()
    press(page, "b0", "c2")
    page.click("[data-play=cancel]")
    assert not note()
    # By keyboard.
    page.locator(f"{BOARD} [role=gridcell][tabindex='0']").focus()
    for at in ("b0", "c2"):
        walk(page, at)
        page.keyboard.press("Enter")
    assert "Next:" in note()
    at_ply(page, 3)
    # It has been played: the engine thinks again.
    page.wait_for_selector(f"{BOARD}[data-input=ahead]")
    drag(page, "a0", "a9")
    page.wait_for_selector("main [role=status]:has-text('not legal now')")
    at_ply(page, 4)
    assert state(page)["input"] == "move", "the move is still to be made"
    page.fill("[name=move]", "g3g4")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{BOARD}[data-ply='5'][data-input=ahead]")
    page.fill("[name=move]", "c3c4")
    page.keyboard.press("Enter")
    assert "c3c4" in note(), note()
    at_ply(page, 7)
    page.context.close()
    page = begin(stage, address, "connect6", engine="connect6", amount=3000)
    press(page, "a1")
    page.wait_for_selector(f"{BOARD}[data-ply='1'][data-input=ahead]")
    press(page, "a2", "a3")
    at_ply(page, 3)
    page.context.close()


def resigned(stage, address):
    """The question, by keyboard: Escape and "Play on" go on."""
    page = begin(stage, address, "xiangqi", engine="Nora", amount=100)
    page.wait_for_selector(f"{BOARD}[data-input=move]")
    page.focus("[data-play=resign]")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]")
    stage.check(page, "the question")
    stage.picture(page, "play-resign")
    assert page.evaluate("document.activeElement.dataset.resign") == "no", "Enter does not resign"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog", state="detached")
    assert state(page)["over"] == "no"
    page.keyboard.press("Enter")
    page.click("[data-resign=yes]")
    page.wait_for_selector(f"{BOARD}[data-over=yes]")
    page.context.close()


def won(stage, address):
    """What has won is marked: the line, the corner, the king."""
    cases = [("connect6", "", [["a1"], ["a3", "c3"], ["b1", "c1"], ["e3", "g3"], ["d1", "e1"], ["i3", "k3"], ["f1", "g1"]], "a1"),
             ("einstein", "5/1a3/5/3A1/5 u 1", [["d2", "e1"]], "e1"),
             ("xiangqi", "4k4/R8/9/9/9/9/9/9/9/1R1K5 w - - 0 1", [["b0", "b9"]], "e9")]
    for game, fen, moves, at in cases:
        page = begin(stage, address, game, fen=fen)
        for squares in moves:
            assert page.locator(f"{BOARD} .mark-won").count() == 0
            ply = state(page)["ply"]
            press(page, *squares)
            page.wait_for_selector(f"{BOARD}:not([data-ply='{ply}'])")
        assert page.locator(f"{BOARD} .mark-won").count() == 1, game
        assert "wins the game" in page.get_attribute(square(at), "aria-label")
        stage.check(page, f"{game} has been won", axe=False)
        stage.picture(page, f"won-{game}")
        page.context.close()


def saved(stage, address):
    """A game goes out as a file and comes in again; other files are refused in one sentence."""
    page = begin(stage, address, "xiangqi", engine="Nora", amount=100, clock="10:00+5", names={"name": "Anna"})
    page.wait_for_selector(f"{BOARD}[data-input=move]")
    press(page, "h2", "e2")
    at_ply(page, 2)
    with page.expect_download() as download:
        page.click("[data-play=save]")
    assert download.value.suggested_filename == "xiangqi-ply-2.agon.json"
    file = pathlib.Path(stage.folder.name) / "game.agon.json"
    download.value.save_as(file)
    page.context.close()
    content = json.loads(file.read_text())
    assert content["agon_game"] == 1 and content["game"]["left"][0] <= 605_000, content

    page = stage.page()
    page.goto(f"{address}#play")
    give = lambda name, text: page.set_input_files("[name=saved]", {"name": name, "mimeType": "text/plain", "buffer": text.encode()})
    refused = lambda text: page.wait_for_selector(f"form .error:has-text('{text}')")
    give("games.pgn", "[Event \"?\"]\n\n1. h2e2 *\n")
    refused("“games.pgn” is no saved game")
    give("log.json", "{\"agon_match_log\": 1}")
    refused("this is no saved game")
    give("later.json", json.dumps({**content, "agon_game": 7}))
    refused("format 7; this program reads format 1")
    give("other.json", json.dumps({**content, "game": {**content["game"], "position": {"game": "nogo", "moves": ["h2e2"]}}}))
    refused("move 1: ")
    give("large.json", " " * 70_000)
    refused("too large")
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    stage.check(page, "a file that is refused", axe=False)
    page.set_input_files("[name=saved]", file)
    at_ply(page, 2)
    plates = page.locator(".plate").all_inner_texts()
    assert any("Anna" in text for text in plates) and any("Nora" in text for text in plates), plates
    assert all(re.search(r"(9:5|10:0)\d", text) for text in plates), plates
    page.context.close()


def restarted(stage):
    """The browser keeps games that go on: after a reload and after a restart of the server."""
    engine = f"name=Nora,cmd={stage.programs / 'xiangqi'}"
    process, found = serve(stage, "--engine", engine)
    port = re.search(r":(\d+)/", found[0])[1]
    page = begin(stage, found[0], "xiangqi", engine="Nora", amount=100)
    page.wait_for_selector(f"{BOARD}[data-input=move]")
    press(page, "h2", "e2")
    at_ply(page, 2)
    until(page, "localStorage.getItem('agon-games')?.includes('h2e2')")
    page.reload()
    at_ply(page, 2)
    stage.end(process)
    page.goto("about:blank")
    process, found = serve(stage, "--engine", engine, f"--port={port}")
    page.goto(f"{found[0]}#play")
    page.wait_for_selector(".saved:has-text('Xiangqi: ')")
    # The stream of the server that has ended is not whole.
    stage.errors[page].clear()
    stage.check(page, "the list of saved games")
    stage.portraits(page, "play-form")
    page.focus("[data-saved=go]")
    page.keyboard.press("Enter")
    at_ply(page, 2)
    page.goto(f"{found[0]}#play")
    page.click("[data-saved=forget]")
    page.wait_for_selector("[data-saved=forget]", state="detached")
    page.context.close()
    stage.end(process)
