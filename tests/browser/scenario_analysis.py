"""Analyses: the engine follows the shown position, a move in an earlier one begins a variation, arrow keys step, comments
and marks stay, two pages show the same, an engine that dies loses nothing, the expectation of chance. By clicks and keys."""

import json
import pathlib
import re

from stage import until
from scenario_play import BOARD, bar, state

GAMES = ["amazons", "connect6", "darkchess", "einstein", "nogo", "xiangqi"]
# Moves that are typed, and another first one that begins a variation.
LINES = {
    "amazons": (["d1-d7/g7", "a7-b7/c7", "g1-g5/e5"], "d1-d2/d3"),
    "connect6": (["j10", "k9l8", "m7n6"], "k10"),
    "darkchess": (["b3", "=C", "a1"], "c4"),
    "einstein": (["set-up", "set-up", "4"], "set-up"),
    "nogo": (["e5", "a1", "c3"], "e4"),
    "xiangqi": (["C2.5", "H8+7", "H2+3"], "C8.5"),
}


def run(stage):
    engines = [word for game in GAMES for word in ("--engine", f"name={game},cmd={stage.programs / game},option.Seed=1")]
    engines += ["--engine", f"name=dies,cmd={stage.programs / 'rogue'},arg=crash-after-output,arg=--at,arg=1"]
    folder = pathlib.Path(stage.folder.name)
    (folder / "xiangqi.pgn").write_text(PGN)
    (folder / "two.sgf").write_text(SGF)
    process, found = stage.start("referee", "serve", "xiangqi.pgn", "two.sgf", *engines, expect=r"http://\S+/")
    address = found[0]
    chance(stage, address)
    dying(stage, address)
    from_play(stage, address)
    files(stage, address, folder)
    long(stage, address)
    for game in GAMES:
        variations(stage, address, game)
    by_keyboard(stage, address)
    drawing(stage, address)
    two_pages(stage, address)
    stage.end(process)
    return f"{len(GAMES)} games with variations, drawing, two pages, chance, a dying engine, files"


def begin(stage, address, game, fen="", **how):
    page = stage.page(**how)
    page.goto(f"{address}#analysis")
    page.select_option("[name=game]", game)
    page.fill("[name=fen]", fen)
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game={game}]")
    return page


def at_ply(page, ply):
    page.wait_for_selector(f"{BOARD}[data-ply='{ply}']")


def play(page, text):
    """Types a move, or presses the outcome of chance."""
    ply = int(state(page)["ply"])
    if page.locator("[data-chance]").count():
        page.click(f"[data-chance='{text}']")
    elif state(page)["input"] == "setup":
        page.click("text=Random")
        page.click("[data-action=setup-done]")
    else:
        page.fill("[name=move]", text)
        page.locator("[name=move]").press("Enter")
    at_ply(page, ply + 1)
    page.locator("body").click(position={"x": 3, "y": 300})


def moves(page):
    return [text.strip() for text in page.locator(".study-moves button").all_inner_texts()]


def current(page):
    return page.locator(".study-moves [aria-current]").inner_text()


def variations(stage, address, game):
    """Moves, back with the arrow key, another move: a variation, and the engine follows."""
    page = begin(stage, address, game)
    line, other = LINES[game]
    for text in line:
        play(page, text)
    page.keyboard.press("Home")
    at_ply(page, 0)
    if game != "einstein":
        page.click("[data-study=analyse]")
        page.wait_for_selector(".engine-lines li:nth-child(3)")
        first = page.locator(".engine-lines li").first.inner_text()
        # The engine follows to another position.
        page.keyboard.press("ArrowRight")
        at_ply(page, 1)
        if game != "darkchess":
            until(page, f"document.querySelector('.engine-lines li .mono')?.textContent && document.querySelector('.engine-lines li').innerText !== {json.dumps(first)}")
            page.wait_for_selector(".engine-lines li:nth-child(3)")
        page.keyboard.press("ArrowLeft")
        at_ply(page, 0)
        page.wait_for_selector(".engine-lines li:nth-child(3)")
        # As many lines as asked.
        page.fill("[data-study=lines]", "12")
        page.locator("[data-study=lines]").blur()
        page.wait_for_selector(".engine-lines li:nth-child(12)")
        page.wait_for_timeout(600)
        if page.locator(".evaluation").is_visible():
            bar(page, game)
        stage.check(page, f"analysing {game}", axe=game in ("xiangqi", "darkchess"))
        # A line of the engine becomes a variation.
        before = len(moves(page))
        page.click("[data-line='2']")
        until(page, f"document.querySelectorAll('.study-moves button').length > {before}")
        page.click("[data-study=analyse]")
        page.wait_for_selector("[data-study=analyse][aria-pressed=false]")
        assert page.locator(".engine-lines li").count() == 12, "the lines stay with their position"
    else:
        before = len(moves(page))
    play(page, other)
    assert page.locator("[data-study=status]").inner_text().startswith("Variation."), game
    assert page.locator(".study-moves .variation [aria-current]").count() == 1, game
    here = "document.querySelector('.study-moves [aria-current]').dataset.node"
    variation = page.evaluate(here)
    page.keyboard.press("ArrowUp")
    until(page, f"{here} !== '{variation}'")
    page.keyboard.press("ArrowDown")
    until(page, f"{here} === '{variation}'")
    page.keyboard.press("End")
    page.keyboard.press("Home")
    at_ply(page, 0)
    # An illegal move is refused with the legal ones, and nothing is lost.
    if game not in ("einstein",):
        page.fill("[name=move]", "no move")
        page.locator("[name=move]").press("Enter")
        page.wait_for_selector(".error:visible")
        stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    count = len(moves(page))
    page.reload()
    page.wait_for_selector(f"{BOARD}[data-game={game}]")
    page.wait_for_selector(".study-moves button >> nth=1")
    assert len(moves(page)) == count, f"{game}: a reload loses moves"
    if game == "xiangqi":
        stage.portraits(page, "study-xiangqi")
    page.context.close()


def by_keyboard(stage, address):
    """With keys alone: moves on the board, stepping, a fork, a mark and an arrow, a comment."""
    page = begin(stage, address, "nogo")
    focus = lambda: page.evaluate("document.activeElement.dataset.at ?? null")
    for _ in range(100):
        if focus():
            break
        page.keyboard.press("Tab")
    here = focus()
    page.keyboard.press("Enter")
    at_ply(page, 1)
    page.keyboard.press("Shift+ArrowLeft")
    at_ply(page, 0)
    page.keyboard.press("ArrowUp")
    assert focus() != here, "on a square that was reached by keyboard, arrow keys walk"
    page.keyboard.press("Enter")
    at_ply(page, 1)
    assert page.locator(".study-moves .variation button").count() == 1
    variation = current(page)
    page.keyboard.press("Shift+ArrowUp")
    until(page, f"document.querySelector('.study-moves [aria-current]').innerText !== {json.dumps(variation)}")
    page.keyboard.press("Shift+ArrowDown")
    until(page, f"document.querySelector('.study-moves [aria-current]').innerText === {json.dumps(variation)}")
    page.keyboard.press("m")
    page.wait_for_selector(f"{BOARD} .note-mark")
    page.keyboard.press("a")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    page.wait_for_selector(f"{BOARD} .note-head")
    assert "circle" in page.locator(f"{BOARD} [role=gridcell][aria-label*=circle]").first.get_attribute("aria-label")
    for _ in range(100):
        if page.evaluate("document.activeElement.tagName") == "TEXTAREA":
            break
        page.keyboard.press("Tab")
    page.keyboard.type("by keyboard")
    page.wait_for_selector(".study-comment:has-text('by keyboard')")
    page.locator("[data-study=promote]").press("Enter")
    page.wait_for_selector("[data-study=status]:has-text('Main line.')")
    page.locator("[data-study=remove]").press("Enter")
    at_ply(page, 0)
    until(page, "document.querySelectorAll('.study-moves button').length === 2")
    stage.check(page, "an analysis by keyboard")
    page.context.close()


def square(page, at):
    box = page.locator(f"{BOARD} [data-at={at}]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drawing(stage, address):
    """Marks with the right button; a comment; all are kept by position. After a click, arrow keys step."""
    page = begin(stage, address, "xiangqi")
    page.click(f"{BOARD} [data-at=h2]")
    page.click(f"{BOARD} [data-at=e2]")
    at_ply(page, 1)
    page.keyboard.press("ArrowLeft")
    at_ply(page, 0)
    page.keyboard.press("ArrowRight")
    at_ply(page, 1)
    for shape in ("circle", "square", "triangle", "cross", "label"):
        page.select_option("[data-study=shape]", shape)
        at = dict(circle="a0", square="c3", triangle="e4", cross="h9", label="e9")[shape]
        page.click(f"{BOARD} [data-at={at}]", button="right")
        page.wait_for_selector(f"{BOARD} .note-{'text' if shape == 'label' else 'mark'}")
    page.mouse.move(*square(page, "h9"))
    page.mouse.down(button="right")
    page.mouse.move(*square(page, "g7"))
    page.mouse.up(button="right")
    page.wait_for_selector(f"{BOARD} .note-head")
    assert page.locator(f"{BOARD} .note-mark").count() == 6
    page.fill("[data-study=comment]", "The central cannon.")
    page.keyboard.press("Tab")
    page.wait_for_selector(".study-comment:has-text('The central cannon.')")
    stage.picture(page, "study-marks")
    # Another press of the same mark takes it away.
    page.select_option("[data-study=shape]", "circle")
    page.click(f"{BOARD} [data-at=a0]", button="right")
    until(page, "document.querySelectorAll('main .board .note-mark').length === 5")
    page.locator("body").click(position={"x": 3, "y": 300})
    page.keyboard.press("ArrowLeft")
    at_ply(page, 0)
    assert page.locator(f"{BOARD} .note-mark").count() == 0 and page.input_value("[data-study=comment]") == ""
    page.reload()
    page.wait_for_selector(".study-comment:has-text('The central cannon.')")
    page.click("[data-study=last]")
    at_ply(page, 1)
    until(page, "document.querySelectorAll('main .board .note-mark').length === 5")
    assert page.input_value("[data-study=comment]") == "The central cannon."
    stage.check(page, "drawing")
    page.context.close()


def two_pages(stage, address):
    """What one page does is seen on the other; both may change a comment; a position that is deleted is left."""
    page = begin(stage, address, "xiangqi")
    play(page, "C2.5")
    other = page.context.new_page()
    stage.errors[other] = []
    other.goto(page.url)
    at_ply(other, 1)
    play(page, "H8+7")
    other.wait_for_selector(".study-moves button >> nth=2")
    other.keyboard.press("ArrowRight")
    at_ply(other, 2)
    page.click("[data-study=analyse]")
    page.wait_for_selector(".engine-lines li")
    other.wait_for_selector(".engine-lines li")
    other.click("[data-study=analyse]")
    other.wait_for_selector("[data-study=analyse][aria-pressed=true]")
    other.keyboard.press("Home")
    at_ply(other, 0)
    page.wait_for_selector("[data-study=engine-status]:has-text('another page')")
    page.click("[data-study=analyse]")
    other.wait_for_selector("[data-study=engine-status]:has-text('another page')")
    until(page, "!document.querySelector('[data-study=engine-status]').innerText.includes('another page')")
    # Both write: both texts stay.
    other.keyboard.press("End")
    at_ply(other, 2)
    other.evaluate("document.querySelector('[data-study=comment]').value = 'of the second'")
    page.fill("[data-study=comment]", "of the first")
    page.locator("[data-study=comment]").blur()
    other.wait_for_selector(".study-comment:has-text('of the first')")
    other.locator("[data-study=comment]").dispatch_event("change")
    other.wait_for_selector(".error:has-text('both texts are kept')")
    page.wait_for_selector(".study-comment:has-text('of the second')")
    assert page.input_value("[data-study=comment]") == "of the first\nof the second"
    stage.errors[other][:] = [error for error in stage.errors[other] if "409" not in error]
    page.click("[data-study=remove]")
    at_ply(other, 1)
    other.wait_for_selector("[data-study=status]:has-text('Another page deleted')")
    stage.check(other, "the second page of an analysis")
    page.context.close()


def chance(stage, address):
    """EinStein: the expectation is the mean of the outcomes; a die that is drawn; dark chess has its pieces."""
    page = begin(stage, address, "einstein", fen="AB3/Dc3/2f2/5/3ed l -")
    page.click("[data-study=expect]")
    page.wait_for_selector("[data-study=outcomes][data-done=yes]")
    rows = page.locator("[data-study=outcomes] tbody tr").evaluate_all("rows => rows.map((row) => [...row.children].map((cell) => cell.innerText))")
    assert len(rows) == 7, rows
    number = lambda text: float(text.rstrip("%"))
    values = [number(row[2]) for row in rows[:-1]]
    assert abs(number(rows[-1][2]) - sum(values) / 6) < 0.8, rows
    assert [row[1] for row in rows[:-1]] == ["17%"] * 6, rows
    stage.check(page, "the expectation of a die")
    stage.picture(page, "study-expectation", full_page=True)
    page.click("[data-study=roll]")
    at_ply(page, 1)
    page.click("[data-study=analyse]")
    page.wait_for_selector(".engine-lines li")
    page.click("[data-study=analyse]")
    page.context.close()
    page = begin(stage, address, "darkchess")
    play(page, "b3")
    page.click("[data-study=expect]")
    page.wait_for_selector("[data-study=outcomes][data-done=yes]")
    assert page.locator("[data-study=outcomes] tbody tr").count() == 15
    page.context.close()


def dying(stage, address):
    """An engine that ends while it analyses: one sentence, a button to start it again, nothing lost."""
    page = begin(stage, address, "amazons")
    play(page, "d1-d7/g7")
    page.fill("[data-study=comment]", "before the fault")
    page.select_option("[data-study=engine]", "dies")
    page.click("[data-study=analyse]")
    page.wait_for_selector("main .error:has-text('The engine ended while it analysed')")
    assert moves(page) == ["Start", "1. d1-d7/g7"], moves(page)
    page.wait_for_selector(".study-comment:has-text('before the fault')")
    stage.check(page, "an engine that died")
    page.click("[data-study=retry]")
    page.wait_for_selector("main .error:has-text('The engine ended while it analysed')")
    page.select_option("[data-study=engine]", "amazons")
    page.wait_for_selector(".engine-lines li:nth-child(3)")
    assert page.locator("main .error:visible").count() == 0
    page.context.close()


def from_play(stage, address):
    """A game that is played goes to an analysis at the position that is shown."""
    page = stage.page()
    page.goto(f"{address}#play")
    page.select_option("[name=game]", "xiangqi")
    page.select_option("[name=side]", "both")
    page.click("form button.primary")
    page.wait_for_selector(f"{BOARD}[data-game=xiangqi]")
    for text in ("C2.5", "H8+7"):
        page.fill("[name=move]", text)
        page.locator("[name=move]").press("Enter")
        until(page, f"document.querySelector('[name=move]').value === ''")
    at_ply(page, 2)
    page.locator("body").click(position={"x": 3, "y": 300})
    page.keyboard.press("ArrowLeft")
    at_ply(page, 1)
    page.click("[data-play=study]")
    page.wait_for_url(re.compile(r"#analysis/\w+/1$"))
    page.wait_for_selector(".study-moves button >> nth=2")
    at_ply(page, 1)
    assert moves(page) == ["Start", "1. C2.5", "2. H8+7"], moves(page)
    page.click("nav a:has-text('Analysis')")
    page.wait_for_selector("[data-study=list] li")
    stage.check(page, "the list of analyses")
    page.context.close()


SGF = """(;FF[4]GM[18]PB[First]PW[Second]EV[A cup]SZ[10]C[About the game];B[djddgd]C[A good move]CR[dd]AR[dd:gd]
(;W[addgad])(;W[addgdf];B[gjgigh]))(;GM[1]SZ[9]PB[x]PW[y];B[ee];W[aa](;B[bb])(;B[zz];W[cc]))"""
PGN = """[Event "A league"]
[White "Hu"]
[Black "Xu"]
[Result "1-0"]
[Game "Chinese Chess"]

1. C2.5 {[%csl Ge2][%cal Gh2e2] The central cannon.} H8+7 (1... H2+3 2. H2+3) 2. H2+3 1-0

[Game "xiangqi"]
[White "Long"]

1. h2e2 (1. b2e2 h9g7 2. e9e0 c3c4) 1... h9g7 *
"""


def files(stage, address, folder):
    """Files of the command line, by a button and dropped: lists, replays, analyses; what is illegal is told."""
    page = stage.page()
    page.goto(f"{address}#files")
    page.wait_for_selector("[data-files=list] li >> nth=1")
    stage.check(page, "the list of files")
    page.click("[data-files=list] a >> nth=0")
    page.wait_for_selector("[data-files=games] tbody tr >> nth=1")
    stage.check(page, "the games of a file")
    stage.picture(page, "files-games", full_page=True)
    page.click("[data-files=games] a >> nth=0")
    page.wait_for_selector(f"{BOARD}[data-game=xiangqi][data-ply='3']")
    page.keyboard.press("Home")
    at_ply(page, 0)
    page.keyboard.press("ArrowRight")
    at_ply(page, 1)
    stage.check(page, "the replay of a game of a file")
    page.click("[data-open]")
    page.wait_for_selector(".study-comment:has-text('The central cannon.')")
    assert page.locator(".study-moves .variation button").count() == 2, moves(page)
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(f"{BOARD} .note-head")
    assert "Hu – Xu, A league" in page.locator("main h2").first.inner_text()
    # An illegal variation is told with its place; the rest is there.
    page.goto(f"{address}#files/1")
    page.click("[data-open='2']")
    page.wait_for_selector(".warn:has-text('line 12')")
    assert len(moves(page)) == 5, moves(page)
    stage.picture(page, "files-problem", full_page=True)
    stage.check(page, "an analysis with a part left out")
    # By a button: one game is opened at once.
    page.set_input_files("[data-files=input]", files=[{"name": "one.sgf", "mimeType": "text/plain", "buffer": SGF.split("(;GM[1]")[0].encode()}])
    page.wait_for_selector(f"{BOARD}[data-game=amazons]")
    page.wait_for_selector(".study-comment:has-text('A good move')")
    # Dropped: another game's file is refused by one sentence, and the page stays.
    page.evaluate("""() => {
        const data = new DataTransfer();
        data.items.add(new File(['[Event "x"]\\n\\n1. e4 e5 2. Nf3 Nc6 *\\n'], 'chess.pgn'));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }""")
    page.wait_for_selector(".error:has-text('no game known here has the moves')")
    assert page.locator(".study-comment:has-text('A good move')").count() == 1
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    # Out as SGF and in again: the same.
    before = page.locator(".study-moves").inner_text()
    page.select_option("[data-files=form]", "sgf")
    with page.expect_download() as download:
        page.click("[data-files=save]")
    page.set_input_files("[data-files=input]", download.value.path().rename(folder / download.value.suggested_filename))
    old = page.url
    page.wait_for_url(lambda url: url != old)
    page.wait_for_selector(".study-comment:has-text('A good move')")
    assert page.locator(".study-moves").inner_text() == before
    # Forms without variations say what they lack.
    page.select_option("[data-files=form]", "ccgc")
    with page.expect_download():
        page.click("[data-files=save]")
    page.wait_for_selector("[role=status]:has-text('only the main line')")
    page.select_option("[data-files=form]", "pgn")
    with page.expect_download() as download:
        page.locator("[data-files=save]").press("Enter")
    text = download.value.path().read_text()
    assert "[%csl G" in text and "(" in text, text
    page.context.close()


def long(stage, address):
    """A record of 10,000 moves opens: the legal part, with a sentence; stepping still works."""
    page = stage.page()
    page.goto(f"{address}#analysis")
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 10)]
    lines = [f"(1. {a} {b} 2. {c})" for a, b, c in zip(squares * 47, squares[5:] * 51, squares[11:] * 56)]
    lines = [line for line in lines if len(set(line[4:-1].replace("2. ", "").split())) == 3 and "e5" not in line.split()[1]]
    wide = '[Game "nogo"]\n\n1. e5\n' + "\n".join(lines) + "\n*\n"
    page.set_input_files("[data-files=input]", files=[{"name": "wide.pgn", "mimeType": "text/plain", "buffer": wide.encode()}])
    page.wait_for_selector(f"{BOARD}[data-game=nogo]")
    page.wait_for_selector(".study-moves button >> nth=1")
    page.keyboard.press("ArrowRight")
    at_ply(page, 1)
    turns = "".join(f"{2 * n + 1}. h0g2 h9g7 {2 * n + 2}. g2h0 g7h9\n" for n in range(2500))
    long = f'[Game "xiangqi"]\n\n{turns}*\n'
    page.set_input_files("[data-files=input]", files=[{"name": "long.pgn", "mimeType": "text/plain", "buffer": long.encode()}])
    page.wait_for_selector(f"{BOARD}[data-game=xiangqi]")
    page.wait_for_selector(".study-moves button >> nth=3")
    page.keyboard.press("End")
    page.wait_for_selector(f"{BOARD}:not([data-ply='0'])")
    stage.check(page, "a long record", axe=False)
    page.context.close()
