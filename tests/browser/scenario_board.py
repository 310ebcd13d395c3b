"""The board alone, fed with views made by hand: clicks, keyboard, languages, sizes, both themes."""

from stage import WIDTHS, Files, until
from views import positions, set_up

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Boards</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="assets/board.css"><link rel="stylesheet" href="assets/style.css">
<script type="module" src="boards.js"></script></head><body>
<header class="bar"><h1>Boards</h1><div id="switches"></div></header>
<main class="page"><div class="columns"><div id="board"></div><section class="panel"><h2 data-i18n="game.GAME"></h2>
<ul id="moves"></ul><div class="boards" id="minis"></div></section></div></main></body></html>"""

SCRIPT = """
import { Board } from './assets/board.js';
import { addSwitches } from './assets/switches.js';
addSwitches(document.getElementById('switches'));
const game = new URLSearchParams(location.search).get('game');
const views = await (await fetch('views.json')).json();
const board = new Board(document.getElementById('board'), {
  onMove(token) { document.getElementById('moves').append(Object.assign(document.createElement('li'), { textContent: token })); },
});
const arrows = { xiangqi: [{ from: 'h9', to: 'g7', rank: 1 }, { from: 'h7', to: 'e7', rank: 2 }, { from: 'b7', to: 'b0', rank: 3 }],
  connect6: [{ squares: ['k10', 'l9'], rank: 1 }], amazons: [{ squares: ['g1', 'h1', 'h5'], rank: 1 }] };
board.show(views[game], { interactive: true, arrows: arrows[game] });
window.board = board;
window.view = views[game];
for (const view of Object.values(views)) {
  const place = document.createElement('div');
  document.getElementById('minis').append(place);
  new Board(place, { mini: true }).show(view);
}
"""

# Widths and whether the theme is dark.
CHECKED = [(390, False), (1280, True), (1920, False)]

# The squares pressed and the token that must come of it; a square that is not legal is refused first.
MOVES = {
    "xiangqi": (["e4", "h9", "i7"], "h9i7"),
    "darkchess": (["c6", "b5", "c5"], "b5c5"),
    "connect6": (["j10", "l12", "k12"], "l12k12"),
    "nogo": (["e7", "a1"], "a1"),
    "amazons": (["a7", "g1", "h1", "g1"], "g1h1g1"),
    "einstein": (["e1", "c4", "d3"], "c4d3"),
    "set-up": (["a5", "b5", "c5", "a4", "b4", "a3"], "123456"),
}


def run(stage):
    views = {**positions(), "set-up": set_up()}
    pages = {"views.json": views, "boards.js": SCRIPT,
             **{f"{game}.html": PAGE.replace("GAME", view["game"]) for game, view in views.items()}}
    with Files(pages) as files:
        for game in views:
            by_clicks(stage, files, game)
            by_keyboard(stage, files, game)
            looks(stage, files, game)
        xiangqi(stage, files)
        switches(stage, files)
        wood_or_flat(stage, files)
        motion(stage, files)
    return f"{len(views)} boards by clicks and by keyboard, at {len(WIDTHS)} widths, light and dark, English and Chinese"


def opened(stage, files, game, **how):
    page = stage.page(**how)
    page.goto(f"{files.address}/{game}.html?game={game}")
    page.wait_for_selector("#board [role=gridcell]")
    return page


def made(page):
    return page.locator("#moves li").all_text_contents()


def by_clicks(stage, files, game):
    squares, token = MOVES[game]
    page = opened(stage, files, game)
    for i, square in enumerate(squares):
        page.click(f'#board [data-at="{square}"]')
        if i == 0 and game != "set-up":
            said = page.locator(".board-note").inner_text()
            assert "not legal" in said, f"{game}: {square} should be refused, the board said {said!r}"
            assert page.locator("#board .mark-target").count() > 0, f"{game}: no legal squares are shown"
    if game == "set-up":
        page.click("[data-action=setup-done]")
    assert made(page) == [token], f"{game}: {made(page)} instead of {token}"
    page.context.close()


def by_keyboard(stage, files, game):
    squares, token = MOVES[game]
    page = opened(stage, files, game)
    focus = page.locator('#board [role=gridcell][tabindex="0"]')
    assert focus.count() == 1, "one square is in the tab order"
    focus.focus()
    for number, square in enumerate(squares, 1):
        walk(page, square)
        page.keyboard.press(str(number) if game == "set-up" else "Enter")
    if game == "set-up":
        page.focus("[data-action=setup-done]")
        page.keyboard.press("Enter")
    assert made(page) == [token], f"{game}, keyboard: {made(page)} instead of {token}"
    page.context.close()


def walk(page, square):
    """Moves the focus with the arrow keys only."""
    where = page.evaluate("""square => {
        const all = [...document.querySelectorAll('#board [role=gridcell]')].map((e) => e.dataset.at);
        const files = document.querySelector('#board [role=row]').children.length;
        const [a, b] = [all.indexOf(document.activeElement.dataset.at), all.indexOf(square)];
        return [b % files - a % files, Math.floor(b / files) - Math.floor(a / files)];
    }""", square)
    for steps, keys in zip(where, (("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
        for _ in range(abs(steps)):
            page.keyboard.press(keys[steps > 0])
    assert page.evaluate("document.activeElement.dataset.at") == square, square


def looks(stage, files, game):
    """All widths, both themes, both languages; axe-core once in each theme, as it takes longest."""
    for width in WIDTHS:
        for dark in (False, True):
            if not stage.pictures and (width, dark) not in CHECKED:
                continue
            language = "zh-CN" if dark else "en"
            page = opened(stage, files, game, width=width, dark=dark, language=language)
            name = f"{game}-{width}-{'dark-zh' if dark else 'light-en'}"
            stage.check(page, name, axe=(width, dark) in CHECKED[:2])
            stage.picture(page, name)
            page.context.close()


def xiangqi(stage, files):
    """Pieces are on their intersections; the river and the palaces are where players know them."""
    page = opened(stage, files, "xiangqi")
    characters = page.evaluate("import('./assets/pieces.js').then((pieces) => pieces.hasCharacters())")
    # The corner of the square around a point: a0 is the lower left one of ten ranks. Files are numbered on both edges.
    corner = lambda file, rank: (10 + 44 * file, 30 + 44 * (9 - rank))
    middle = lambda file, rank: tuple(x + 22 for x in corner(file, rank))
    piece = lambda file, rank: page.locator("#board g[transform='translate({} {})'] text".format(*corner(file, rank)))
    for file, rank, character, letter in [(4, 2, "炮", "C"), (1, 7, "砲", "c"), (4, 0, "帥", "K"), (4, 9, "將", "k"),
                                          (0, 9, "車", "r")]:
        assert piece(file, rank).text_content() == (character if characters else letter), (file, rank)
    marked = page.locator("#board .mark-last").evaluate_all("all => all.map((e) => [+e.getAttribute('x'), +e.getAttribute('y')])")
    assert sorted(marked) == sorted([x + 1, y + 1] for x, y in (corner(7, 2), corner(4, 2))), marked
    for name in page.locator("#board .board-river").all():
        assert middle(0, 5)[1] < float(name.get_attribute("y")) < middle(0, 4)[1], "on the river"
    lines = "".join(page.locator("#board .board-line").evaluate_all("all => all.map((e) => e.getAttribute('d'))"))
    line = lambda a, b: "M{},{}L{},{}".format(*middle(*a), *middle(*b))
    for file in range(1, 8):
        assert line((file, 9), (file, 5)) in lines and line((file, 4), (file, 0)) in lines, f"file {file}"
        assert line((file, 9), (file, 0)) not in lines, f"file {file} crosses the river"
    assert line((0, 9), (0, 0)) in lines and line((8, 9), (8, 0)) in lines
    for top in (9, 2):
        assert line((3, top), (5, top - 2)) in lines and line((5, top), (3, top - 2)) in lines, "palace"
    page.context.close()


def switches(stage, files):
    """Language, theme and letters change the page at once and are remembered."""
    page = opened(stage, files, "xiangqi")
    drawn = lambda: page.locator("#board .board-picture").inner_html()
    characters = page.evaluate("import('./assets/pieces.js').then((pieces) => pieces.hasCharacters())")
    # Without a font that has the characters the page shows letters from the start.
    assert ("帥" in drawn()) == ("楚河" in drawn()) == characters
    page.click("[data-switch=letters]")
    assert "帥" not in drawn() and "楚河" not in drawn() and ">K<" in drawn()
    page.click("[data-switch=language]")
    assert page.locator("h2").first.inner_text() == "中国象棋"
    assert page.get_attribute("html", "lang") == "zh-CN"
    label = page.get_attribute('#board [data-at="e0"]', "aria-label")
    assert "红" in label, label
    page.click("[data-switch=theme]")
    page.click("[data-switch=theme]")
    ground = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
    dark = ground()
    page.reload()
    page.wait_for_selector("#board [role=gridcell]")
    assert ground() == dark and page.get_attribute("html", "data-theme") == "dark"
    assert page.locator("h2").first.inner_text() == "中国象棋" and "帥" not in drawn()
    page.goto(f"{files.address}/xiangqi.html?game=xiangqi&lang=en")
    page.wait_for_selector("#board [role=gridcell]")
    assert page.locator("h2").first.inner_text() == "Xiangqi", "the address decides the language"
    stage.check(page, "xiangqi in letters")
    before = page.locator(".board-note").inner_text()
    page.evaluate("""board.show({ ...view, ply: view.ply + 1, turn: 0,
        shown: [...view.shown, { token: 'h9g7', text: 'h9-g7', wxf: 'H8+7', by: 1, number: 2 }] })""")
    said = page.locator(".board-note").inner_text()
    assert said != before and said == "Move 2: H8+7. Red to move.", said
    page.context.close()


def wood_or_flat(stage, files):
    """Boards of wood with shaded pieces, or flat ones: by choice, remembered, reached by keyboard."""
    page = opened(stage, files, "connect6")
    shaded = lambda: page.locator("#board [fill^='url(#agon-']").count()
    assert shaded() == 7, "seven stones are shaded"
    assert page.locator("#board .board-grain").first.evaluate("e => getComputedStyle(e).display") == "inline"
    page.focus("[data-switch=more] summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.get_attribute("html", "data-board") == "flat" and shaded() == 0
    assert page.locator("#board .board-grain").first.evaluate("e => getComputedStyle(e).display") == "none"
    stage.check(page, "flat boards and the menu")
    stage.picture(page, "board-flat-1280")
    page.keyboard.press("Escape")
    assert page.locator("[data-switch=board]").is_hidden(), "Escape closes the menu"
    page.reload()
    page.wait_for_selector("#board [role=gridcell]")
    assert shaded() == 0, "the choice is remembered"
    page.context.close()


def motion(stage, files):
    """A piece is seen on its way, unless the reader or the system wants none."""
    step = """() => { board.show({ ...view, ply: view.ply + 1, turn: 0, last: ['h9', 'g7'],
        pieces: view.pieces.map((piece) => (piece.at === 'h9' ? { ...piece, at: 'g7' } : piece)) });
        return document.getAnimations().map((way) => way.effect.getKeyframes()[0].transform); }"""
    page = opened(stage, files, "xiangqi")
    assert page.evaluate(step) == ["translate(318px, 30px)"], "the horse comes from h9"
    until(page, "document.getAnimations().length === 0")
    page.click("[data-switch=more] summary")
    page.click("[data-switch=motion]")
    page.reload()
    page.wait_for_selector("#board [role=gridcell]")
    assert page.evaluate(step) == [], "the reader switched it off"
    page.context.close()
    page = opened(stage, files, "xiangqi", reduced_motion="reduce")
    assert page.evaluate(step) == [], "the system wants no motion"
    page.context.close()
