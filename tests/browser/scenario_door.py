"""The first page of `referee serve` without a flag: it leads to a game, to the matches of the folder, also one that begins
later, and opens the desk of an event; by clicks and by keyboard, in both languages."""

import pathlib


def run(stage):
    play(stage, "first.jsonl")
    # What is no log is not listed.
    (pathlib.Path(stage.folder.name) / "notes.jsonl").write_text('{"a":1}\n')
    process, found = stage.start("referee", "serve", expect=r"http://\S+/")
    address = found[0]
    page = stage.page()
    page.goto(address)
    page.wait_for_selector("[data-door=desk] form")
    stage.check(page, "the first page")
    stage.portraits(page, "door")
    page.wait_for_selector("[data-door=desk] form")
    doors = page.locator("[data-door]")
    assert doors.count() >= 3, doors.count()
    for door in doors.all():
        assert door.locator("h2").count() == 1 and door.locator("a, button").count() >= 1, door.inner_text()
    watched(stage, page, address)
    played(stage, page, address)
    page.context.close()
    chinese(stage, address)
    desk(stage, address)
    stage.end(process)
    return "a game, two matches and a desk were reached from the first page"


def play(stage, log):
    engine = f"cmd={stage.programs / 'nogo'}"
    stage.command("referee", "match", "--game", "nogo", "--nodes", "50", "--games", "2", "--log", log, "--quiet",
                  "--engine", f"name=a,{engine}", "--engine", f"name=b,{engine}")


def watched(stage, page, address):
    links = page.locator("[data-door=watch] a")
    assert [text.split(":")[0] for text in links.all_inner_texts()] == ["first"], links.all_inner_texts()
    play(stage, "later.jsonl")
    page.reload()
    links.nth(1).wait_for()
    # The one that changed last is the first.
    assert [text.split(":")[0] for text in links.all_inner_texts()] == ["later", "first"], links.all_inner_texts()
    links.first.click()
    page.wait_for_selector("[data-watch=played] a[href^='#game/']")
    head = page.locator("[data-watch=head]").inner_text()
    assert "later" in head and "2 of 2 games" in head, head
    stage.check(page, "a match from the first page")
    page.goto(address)


def played(stage, page, address):
    """By keyboard alone: the first link leads to a game."""
    page.wait_for_selector("[data-door=play] a")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('href')") == "#play" and page.evaluate(
                "document.activeElement.closest('[data-door]') !== null"):
            break
    else:
        raise AssertionError("the Tab key does not reach the way to a game")
    page.keyboard.press("Enter")
    page.wait_for_selector("form [name=engine]")
    games = page.locator("[name=game] option").count()
    assert games == 6, games
    page.goto(address)


def chinese(stage, address):
    page = stage.page(width=390, dark=True, language="zh")
    page.goto(address)
    page.wait_for_selector("[data-door=desk] form")
    text = page.locator("main").inner_text()
    for part in ("对弈", "观看", "比赛操作台", "赛事"):
        assert part in text, f"{part}: {text}"
    stage.check(page, "the first page in Chinese at 390 px")
    page.context.close()


def desk(stage, address):
    page = stage.page()
    page.goto(address)
    page.select_option("[data-door=desk] [name=event]", "ccgc-nogo")
    # Only an engine of the event's game can be chosen.
    engines = page.locator("[data-door=desk] [name=engine] option")
    assert engines.evaluate_all("all => all.map((one) => one.value)") == ["nogo", ""], engines.all_inner_texts()
    page.select_option("[data-door=desk] [name=team]", "1")
    page.fill("[data-door=desk] [name=team-A]", "Visitors")
    page.press("[data-door=desk] [name=team-A]", "Enter")
    page.wait_for_selector("[data-act=begin]")
    teams = page.locator("#teams").inner_text()
    assert "Visitors" in teams and "nogo" in teams, teams
    stage.check(page, "the desk from the first page")
    files = {path.name for path in pathlib.Path(stage.folder.name).glob("ccgc-nogo*")}
    assert files == {"ccgc-nogo.desk.jsonl", "ccgc-nogo-records"}, files
    # The first page now leads to it.
    page.goto(address)
    page.click("[data-door=desk] a")
    page.wait_for_selector("[data-act=begin]")
    page.context.close()
