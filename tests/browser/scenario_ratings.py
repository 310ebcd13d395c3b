"""The rating list of a folder, opened from files: numbers lead to games and their replays, a tampered log is named, both
languages, all widths."""

import pathlib
import shutil


def run(stage):
    folder = pathlib.Path(stage.folder.name)
    logs = folder / "rated logs"
    (logs / "below").mkdir(parents=True)
    engine = lambda game, name, algorithm: ["--engine", f"name={name},cmd={stage.programs / game},option.Algorithm={algorithm}"]
    three = [word for name, kind in (("a", "greedy"), ("b", "random"), ("<i>c</i>", "random"))
             for word in engine("einstein", name, kind)]
    common = ["--depth", "1", "--quiet", "--seed", "3"]
    stage.command("referee", "tournament", "--game", "einstein", *three, "--games", "4", *common,
                  "--log", logs / "below" / "round-robin.jsonl")
    two = [*engine("nogo", "x", "random"), *engine("nogo", "y", "random")]
    stage.command("referee", "match", "--game", "nogo", *two, "--games", "4", *common, "--log", logs / "nogo.jsonl")
    bad = (logs / "nogo.jsonl").read_text().replace('"reason":"rules"', '"reason":"resignation"', 1)
    (logs / "tampered.jsonl").write_text(bad)
    page_file = folder / "list #1.html"
    made = stage.start("referee", "ratings", logs, "--out", page_file, "--anchor", "b=1000")[0]
    assert made.wait(60) == 1, "a tampered log is an error"
    page = stage.page()
    page.goto(page_file.as_uri())
    assert "tampered.jsonl" in page.locator("#refused").inner_text()
    assert page.locator("main section[id^=list-]").count() == 2
    assert page.locator("main i").count() == 0, "the name of an engine became an element"
    first = page.locator("#list-1")
    assert "1000.0" in first.inner_text() and "einstein, depth 1" in first.inner_text()
    stage.check(page, "a rating list")
    stage.portraits(page, "ratings")
    # A number, the games behind it, the replay of one.
    first.locator("table").first.locator("tbody tr").first.locator("td a").nth(1).click()
    page.wait_for_selector("section[id^=against-]")
    assert page.locator("section[id^=against-]").count() == 2
    assert page.locator("section[id^=against-] tbody tr").count() == 8, "the games of one engine"
    stage.check(page, "the games of an engine")
    stage.picture(page, "ratings-engine", full_page=True)
    link = page.locator("section[id^=against-] tbody a").nth(2)
    number = link.inner_text()
    link.click()
    page.wait_for_selector(f"#viewer[data-game='{number}']")
    page.go_back()
    page.locator("main a").first.click()
    page.wait_for_selector("#list-1")
    # A meeting leads to its games.
    cell = page.locator("#list-1 table").nth(1).locator("td a").first
    cell.click()
    assert "#against-" in page.url, page.url
    page.context.close()
    # The folder of the list moves as it is, also to a host.
    elsewhere = folder / "moved"
    elsewhere.mkdir()
    shutil.copy(page_file, elsewhere / "list #1.html")
    shutil.copytree(folder / "list #1-games", elsewhere / "list #1-games")
    page = stage.page(width=390, dark=True, language="zh-CN")
    page.goto((elsewhere / "list #1.html").as_uri())
    page.wait_for_selector("html[lang=zh-CN]")
    text = page.locator("main").inner_text()
    assert "爱恩斯坦棋，深度 1" in text and "未计入的日志" in text, text
    stage.check(page, "a rating list in Chinese")
    page.locator("#list-1 td a").first.click()
    page.wait_for_selector("section[id^=against-]")
    stage.check(page, "the games of an engine in Chinese")
    page.context.close()
    return "a list of two games with a tampered log, numbers that lead to replays, moved, Chinese"
