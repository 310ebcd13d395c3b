"""One notation on a screen: what the edge of the board shows is what lists, hints, buttons and engine lines use, in
all games, on all pages, in both languages; what a list shows can be typed."""

import random
import re

from scenario_desk import ADDRESS, enter, state as desk_state, wait_until
from scenario_play import BOARD, GAMES, begin, by_clicks, set_up, state
from scenario_report import made

NUMBERS = "一二三四五六七八九"
DIGITS = "123456789"
# The texts of Xiangqi's edges below and above Red's board, and of its moves, by notation.
CHINESE = f"(?:[帅将仕士相象马车炮兵卒][{NUMBERS}1-9]|[前后中一二三四五][仕士相象马车炮兵卒])[进退平][{NUMBERS}1-9]"
XIANGQI = {
    "chinese": (NUMBERS[::-1], DIGITS, CHINESE),
    "wxf": (DIGITS[::-1], DIGITS, r"[KAEHRCP][1-9+\-a-e][.+\-][1-9]"),
    "text": ("abcdefghi", "", r"[a-i][0-9][-x][a-i][0-9]"),
}
SET_UP = r"set-up \d{6}|布局 \d{6}"
REVEALED = "red|black|[红黑]"


def run(stage):
    engines = []
    for game in GAMES:
        engines += ["--engine", f"name={game},cmd={stage.programs / game},option.Seed=1"]
    process, found = stage.start("referee", "serve", *engines, expect=r"http://\S+/")
    for game in GAMES:
        playing(stage, found[0], game)
    chosen(stage, found[0])
    stage.end(process)
    for game in GAMES:
        listed = operating(stage, game)
        retyped(stage, game, listed)
        replaying(stage, game)
    return f"edges, lists, hints, buttons and engine lines of {len(GAMES)} games in English and Chinese, at three pages"


def edges(page, board=BOARD):
    """The texts of the board's edges."""
    return {edge: page.locator(f"{board} .board-coordinate.{edge}").all_text_contents() for edge in ("below", "above", "left")}


def notation(game, language):
    if game != "xiangqi":
        return "text"
    return "chinese" if language == "zh-CN" else "wxf"


def fits(game, name, labels, edge, where):
    """Each label is one move, with its number and what chance gave, in the notation of the edge."""
    labels = [" ".join(label.split()) for label in labels]
    assert labels, f"{game}, {where}: nothing is shown"
    for label in labels:
        bare = re.sub(r"^\d+\. ", "", label)
        bare = re.sub(r"^[1-6]: ", "", bare) if game == "einstein" else bare
        bare, _, piece = bare.partition(" = ")
        assert not piece or game == "darkchess" and re.match(REVEALED, piece), f"{game}, {where}: {label!r}"
        if re.fullmatch(SET_UP, bare) or game == "einstein" and re.fullmatch("[1-6]", bare):
            continue
        if game == "xiangqi":
            below, above, form = XIANGQI[name]
            assert ("".join(edge["below"]), "".join(edge["above"])) == (below, above), f"{where}: {edge}"
            assert re.fullmatch(form, bare), f"{where}: {label!r} in {name}"
            if name == "chinese":
                # Red's files are Chinese, Black's digits.
                used = [c for c in (bare[1], bare[3]) if c in NUMBERS + DIGITS]
                assert len({c in NUMBERS for c in used}) == 1, f"{where}: {label!r} mixes the numbers of both sides"
        if game != "xiangqi" or name == "text":
            squares = re.findall(r"([a-s])(\d+)", bare)
            assert squares and re.sub(r"[a-s]\d+", "", bare).strip("-x/") == "", f"{game}, {where}: {label!r}"
            for file, rank in squares:
                assert file in edge["below"] and rank in edge["left"], f"{game}, {where}: {label!r} with {edge}"


def numbered(game, labels):
    """The moves are counted from 1, without gaps; only set-ups have no number."""
    labels = [label for label in labels if not re.match(SET_UP, label)]
    numbers = [int(label.split(".")[0]) for label in labels]
    assert numbers == list(range(1, len(numbers) + 1)) and numbers, f"{game}: {labels}"
    first = labels[0]
    assert game != "einstein" or re.match(r"1\. [1-6]: [a-e][1-5][-x]", first), first
    assert game != "darkchess" or re.match(r"1\. [a-d][1-8] = ", first), first


def texts(page, selector):
    return [" ".join(text.split()) for text in page.locator(selector).all_text_contents()]


def playing(stage, address, game):
    """The page to play: two moves, a hint, an analysis, a move that is refused."""
    page = begin(stage, address, game, side="both")
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
    page.click("[data-play=analyse]")
    page.wait_for_selector(".engine-lines li:nth-child(2)")
    page.fill("[name=move]", "no move")
    page.locator("[name=move]").press("Enter")
    page.wait_for_selector(".error:has-text('Legal:')")
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    error = page.locator(".error:visible").inner_text()
    assert "`" not in error and "“no move”" in error, error
    for language in ("en", "zh-CN"):
        if language == "zh-CN":
            page.click("[data-switch=language]")
        name, edge, where = notation(game, language), edges(page), f"playing in {language}"
        moves = texts(page, "main .moves .move")
        fits(game, name, moves, edge, f"{where}, the list")
        numbered(game, moves)
        page.wait_for_selector(".engine-lines .mono:not(:empty)")
        for line in texts(page, ".engine-lines .mono"):
            fits(game, name, split(game, line), edge, f"{where}, an engine line")
        hint = page.locator("main p[role=status]", has_text=re.compile("Hint|提示")).inner_text()
        fits(game, name, [re.search("(?:Hint: |提示：)(.*?)(?: You| The|你|首|$)", hint)[1]], edge, f"{where}, the hint")
        legal = page.locator(".error:visible").inner_text()
        legal = re.split("Legal: |可走：", legal)[1].split(", ")
        fits(game, name, legal, edge, f"{where}, the legal moves")
        if game == "darkchess":
            colours = page.locator(f"{BOARD} .colours").inner_text()
            assert re.search("red.*black|black.*red" if language == "en" else "红方.*黑方|黑方.*红方", colours, re.S), colours
        stage.picture(page, f"notation-{game}-{language}")
    page.context.close()


def split(game, line):
    """The moves of a line: dice before a move and revealed pieces after it belong to it."""
    if game == "darkchess":
        return re.split(r" (?=[a-d][1-8])", line)
    if game == "einstein":
        return re.split(r" (?=[1-6]:)|(?<=\d) (?=[a-e][1-5][-x]|[1-6]$)", line)
    return line.split(" ")


def chosen(stage, address):
    """The notation of Xiangqi is chosen for each language, remembered, and followed by all parts of the page."""
    page = begin(stage, address, "xiangqi", side="both")
    by_clicks(page, random.Random(1))
    page.wait_for_selector(f"{BOARD}[data-ply='1']")
    now = lambda: next(name for name, (below, above, _) in XIANGQI.items()
                       if ("".join(edges(page)["below"]), "".join(edges(page)["above"])) == (below, above))
    first = lambda: fits("xiangqi", now(), texts(page, "main .moves .move"), edges(page), f"chosen {now()}")
    assert now() == "wxf", now()
    for expected in ("text", "chinese", "wxf", "text"):
        page.click("[data-switch=notation]")
        assert now() == expected, f"{now()} instead of {expected}"
        first()
    page.click("[data-switch=language]")
    assert now() == "chinese", "Chinese has its own choice"
    page.click("[data-play=flip]")
    flipped = edges(page)
    assert "".join(flipped["below"]) == DIGITS[::-1] and "".join(flipped["above"]) == NUMBERS, flipped
    page.click("[data-play=flip]")
    label = page.get_attribute(f"{BOARD} [data-at=e0]", "aria-label")
    assert label.startswith("5路10线"), f"seen by Black, who is to move: {label}"
    page.reload()
    page.wait_for_selector(f"{BOARD}[data-game=xiangqi]")
    assert now() == "chinese", now()
    page.click("[data-switch=language]")
    assert now() == "text", "the choice in English is remembered"
    first()
    # The letters of a chosen notation are those of the screen reader, too.
    assert page.get_attribute(f"{BOARD} [data-at=e0]", "aria-label").startswith("e0,")
    stage.check(page, "a chosen notation")
    page.context.close()
    page = begin(stage, address, "nogo", side="both")
    assert not page.locator("[data-switch=notation]").is_visible(), "one notation needs no switch"
    page.context.close()


def operating(stage, game):
    """The desk with an engine: the list, the proposal, the legal moves, the engine's line. Returns the list."""
    flags = ["desk", "--game", game, "--session", f"notation-{game}.jsonl", "--team-a", "Ours", "--team-b", "Theirs",
             "--engine", f"name=engine,cmd={stage.programs / game},depth=1,option.Seed=1", "--team", "A"]
    process, found = stage.start("referee", *flags, expect=ADDRESS)
    page = stage.page()
    page.goto(found[0])
    page.wait_for_selector("[data-act=begin]")
    page.keyboard.press("Enter")
    now = wait_until(page, found[0], lambda s: s["game"])
    dice = random.Random(game)
    while not (now["game"]["proposal"] and count(now) > 2):
        step(page, found[0], now, dice)
        now = desk_state(found[0])
    wait_until(page, found[0], lambda s: True)
    page.fill("#text", "no move")
    page.keyboard.press("Enter")
    page.wait_for_selector("#refused .desk-legal button")
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    refused = page.locator("#refused .error").inner_text()
    # Stones may be typed apart, so Connect6 quotes what it reads.
    assert "`" not in refused and "“no move”" in refused.replace("nomove", "no move"), refused
    lists = {}
    for language in ("en", "zh-CN"):
        if language == "zh-CN":
            page.click("[data-switch=language]")
        name, edge, where = notation(game, language), edges(page, "#board"), f"the desk in {language}"
        lists[language] = texts(page, "#moves li")
        fits(game, name, lists[language], edge, f"{where}, the list")
        numbered(game, lists[language])
        fits(game, name, texts(page, "#proposal strong"), edge, f"{where}, the proposal")
        fits(game, name, texts(page, "#refused .desk-legal button"), edge, f"{where}, the nearest moves")
        chips = texts(page, "#proposal .desk-legal button")
        assert not chips or not fits(game, name, chips, edge, f"{where}, the legal moves")
        assert chips or game not in ("xiangqi", "einstein"), f"{where}: no legal moves"
        for line in texts(page, "#engine .mono"):
            fits(game, name, split(game, line), edge, f"{where}, the engine's line")
        report = page.locator("#proposal .note").nth(1).inner_text()
        own_unit = game in ("amazons", "xiangqi")
        wins = "wins in|步胜"
        assert re.search(f"{wins}|score [+-]?\\d+\\.\\d\\d|评分 [+-]?\\d+\\.\\d\\d" if own_unit else f"{wins}|expected score [\\d.]+%|期望得分 [\\d.]+%", report), report
        if game == "darkchess":
            roles = page.locator("#teams .role").all_inner_texts()
            colours = ("red", "black") if language == "en" else ("红方", "黑方")
            assert sorted(re.split("[,，]", role)[0] for role in roles) == sorted(colours), roles
        stage.picture(page, f"notation-desk-{game}-{language}")
    stage.check(page, f"the desk, {game}", axe=game == "xiangqi")
    page.context.close()
    stage.end(process)
    return lists


def count(now):
    return sum(ply["player"] is not None for ply in now["game"]["plies"])


def step(page, address, now, dice):
    """Lets one ply be played: the engine's, a roll, a set-up, or any legal move."""
    game = now["game"]
    plies = len(game["plies"])
    is_on = lambda s: len(s["game"]["plies"]) > plies
    if game["proposal"]:
        page.wait_for_selector("[data-act=accept]")
        page.keyboard.press("Enter")
    elif game["view"]["turn"] == "chance":
        page.wait_for_selector("#chance:not([hidden])")
        page.keyboard.press("F3")
    elif game["on_duty"] == now["engine_team"]:
        # The clock of an engine that moves first is started by hand.
        if page.locator("#hint:has-text('its clock starts')").count():
            page.keyboard.press("Enter")
        wait_until(page, address, lambda s: s["game"]["proposal"])
        return
    elif game["set_up_due"]:
        enter(page, address, "123456")
    else:
        legal = game["view"]["legal"]
        moves = [move[0] for move in legal["moves"]] if legal["kind"] == "list" else [
            "".join(legal["points"][i:i + legal["count"]]) for i in range(0, 20, 2)]
        enter(page, address, dice.choice(moves))
    wait_until(page, address, is_on)


def retyped(stage, game, lists):
    """The lists of both languages, typed line by line, give the same game."""
    ends = []
    for language, lines in lists.items():
        process, found = stage.start("referee", "desk", "--game", game, "--session", f"typed-{game}-{language}.jsonl",
                                     expect=ADDRESS)
        page = stage.page(language=language)
        page.goto(found[0])
        page.wait_for_selector("[data-act=begin]")
        page.keyboard.press("Enter")
        wait_until(page, found[0], lambda s: s["game"])
        for line in lines:
            entry = re.sub("^(set-up|布局) ", "", line)
            entry, _, piece = entry.partition(" = ")
            # Into the field: outside of it a digit is a die.
            plies = len(desk_state(found[0])["game"]["plies"])
            page.fill("#text", entry)
            page.press("#text", "Enter")
            wait_until(page, found[0], lambda s: len(s["game"]["plies"]) > plies)
            if piece:
                page.wait_for_selector("#chance:not([hidden])")
                page.click(f"#chance [aria-label='{piece}'] >> nth=0")
                wait_until(page, found[0], lambda s: s["game"]["view"]["turn"] != "chance")
        assert texts(page, "#moves li") == lines, f"{game}: {lines} came back as {texts(page, '#moves li')}"
        ends.append(desk_state(found[0])["game"]["view"]["fen"])
        assert not stage.errors[page], stage.errors[page][:3]
        page.context.close()
        stage.end(process)
    assert len(set(ends)) == 1, f"{game}: {ends}"


def replaying(stage, game):
    """The report: its list, its line on the move, what it says of the start, the pages' edges; the columns of its table."""
    report = made(stage, game, ["left", "right"])
    page = stage.page()
    page.goto(f"{report.as_uri()}#game-1-ply-0")
    page.wait_for_selector("#viewer[data-ply='0']")
    for language in ("en", "zh-CN"):
        if language == "zh-CN":
            page.click("[data-switch=language]")
        name, edge, where = notation(game, language), edges(page, "#viewer"), f"the report in {language}"
        moves = texts(page, "#viewer .moves .move")
        fits(game, name, moves, edge, f"{where}, the list")
        numbered(game, moves)
        last = max(int(move.split(".")[0]) for move in moves if re.match(r"\d+\. ", move))
        page.locator("body").press("Home")
        assert re.search(rf"\b{last}\b", page.locator(".replay-info").inner_text()), page.locator(".replay-info").inner_text()
        assert page.locator("tr[data-game='1'] td.n").nth(2).inner_text() == str(last), "the table counts the same moves"
        page.locator("body").press("End")
        info = page.locator(".replay-info").inner_text()
        said = re.match(r"(?:Move (\d+) of \d+: |第 (\d+)/\d+ 着：)(.*?)(?: \((?:left|right|chance)\)|（)", info)
        assert said and (said[1] or said[2]) == str(last), info
        assert f"{last}. {said[3]}" == moves[-1], f"{info} after {moves[-1]}"
        ticks = page.locator(".curve-text").all_text_contents()
        assert max((int(tick) for tick in ticks if tick.isdigit()), default=0) <= last, f"{game}: {ticks} of {last}"
    assert not stage.errors[page], stage.errors[page][:3]
    page.context.close()
