"""A match is watched while it runs, stopped by its button, and its games are replayed by links."""

import pathlib


def run(stage):
    log = pathlib.Path(stage.folder.name) / "watched.jsonl"
    engine = f"cmd={stage.programs / 'amazons'}"
    match, found = stage.start(
        "referee", "match", "--game", "amazons", "--engine", f"name=first,{engine}", "--engine",
        f"name=second,{engine},option.Seed=2", "--nodes", "500", "--games", "2000", "--concurrency", "2",
        "--log", log, "--serve", "--quiet", expect=r"http://\S+/")
    page = stage.page()
    page.goto(f"{found[0]}#watch/0")
    small = page.locator(".boards .board.mini")
    small.first.wait_for()
    ply = lambda: int(small.first.get_attribute("data-ply"))
    before = ply()
    page.wait_for_selector(f".boards .board.mini:not([data-ply='{before}'])")
    # The first finished game is in the list, with a link.
    page.wait_for_selector("[data-watch=played] a[href^='#game/']")
    stage.check(page, "watching a match", axe=True)
    stage.picture(page, "watch", full_page=True)
    page.click("[data-watch=finish]")
    match.wait(60)
    assert match.returncode == 130, f"stopped as by Ctrl-C is 130, the match ended with {match.returncode}"
    page.context.close()
    games = sum('"moves"' in line for line in log.read_text().splitlines())
    assert 1 <= games < 2000, f"the button stopped the match after {games} games"
    replayed(stage, log)
    return f"a match live, stopped by its button after {games} games, a replay by its link"


def replayed(stage, log):
    server, found = stage.start("referee", "serve", log, expect=r"http://\S+/")
    for width, dark, language in ((1280, False, "en"), (390, True, "zh-CN")):
        page = stage.page(width=width, dark=dark, language=language)
        page.goto(f"{found[0]}#game/0/0/3")
        page.wait_for_selector(".replay")
        place = page.locator("[data-ply][data-game='0']")
        place.wait_for()
        assert place.get_attribute("data-ply") == "3", "the link names the ply"
        page.locator("body").press("ArrowRight")
        assert place.get_attribute("data-ply") == "4" and page.url.endswith("#game/0/0/4"), page.url
        page.locator("body").press("End")
        assert page.locator(".curves .curve").count() == 2 and page.locator(".curve-key").count() == 2
        stage.check(page, f"replay at {width}")
        stage.picture(page, f"replay-{width}", full_page=True)
        page.context.close()
    stage.end(server)
