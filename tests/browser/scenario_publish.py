"""A match published as files and served by a plain server of files below a path: watched while it runs and after its end,
with evaluations, finished games and replays."""

import functools
import http.server
import json
import pathlib
import threading

from stage import until


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def run(stage):
    folder = pathlib.Path(stage.folder.name)
    host = folder / "host"
    host.mkdir()
    handler = functools.partial(Quiet, directory=str(host))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        return published(stage, folder, host / "my pages", f"http://127.0.0.1:{server.server_port}/my%20pages/")
    finally:
        server.shutdown()
        server.server_close()


def published(stage, folder, pages, address):
    log = folder / "published.jsonl"
    engine = f"cmd={stage.programs / 'amazons'}"
    match, _ = stage.start(
        "referee", "match", "--game", "amazons", "--engine", f"name=first,{engine}", "--engine",
        f"name=second,{engine},option.Seed=2", "--movetime", "100", "--margin", "20000", "--games", "6", "-j", "2", "--log", log,
        "--publish", pages, "--quiet")
    deadline = 600
    while not (pages / "index.html").exists():
        assert match.poll() is None and deadline, "no page while the match runs"
        deadline -= 1
        threading.Event().wait(0.1)
    page = stage.page()
    page.goto(address)
    small = page.locator(".boards .board.mini")
    small.first.wait_for()
    before = small.first.get_attribute("data-ply")
    page.wait_for_selector(f".boards .board.mini:not([data-ply='{before}'])")
    page.wait_for_selector("[data-watch=reports]:has-text('depth')")
    assert page.locator("[data-watch=finish]:visible").count() == 0, "nobody can stop the match from here"
    page.locator(".watch-open").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".watch-panel [data-watch=thought]:has-text('-')")
    stage.check(page, "an enlarged board of a published match")
    page.keyboard.press("Escape")
    stage.check(page, "a published match that runs")
    stage.picture(page, "published-running", full_page=True)
    page.wait_for_selector("[data-watch=played] a[href^='#game/']")
    # The end arrives without a reload: all games, no boards.
    page.wait_for_selector("[data-watch=head]:has-text('The match has ended.')")
    assert match.wait(60) == 0, match.returncode
    page.wait_for_selector("[data-watch=head]:has-text('6 of 6 games')")
    until(page, "document.querySelectorAll('[data-watch=played] tbody tr').length === 6")
    assert page.locator(".boards .board").count() == 0
    assert "No game is running." in page.locator("[data-watch=running]").inner_text()
    stage.check(page, "a published match that has ended")
    with page.expect_download() as download:
        page.click("[data-file=pgn]")
    assert pathlib.Path(download.value.path()).read_text().count("[Result ") == 6
    assert page.locator("[data-file=log]").count() == 0, "the log names commands and machines"
    page.click("[data-watch=played] a[href='#game/1/4']")
    page.wait_for_selector("[data-game='4'][data-ply]")
    logged = next(game for game in map(json.loads, log.read_text().splitlines()) if game.get("game") == 3)
    assert page.locator(".moves button").count() == len(logged["moves"].split())
    assert page.locator(".curves .curve").count() == 2, "the evaluations of both engines"
    page.locator("body").press("Home")
    page.wait_for_selector("[data-game='4'][data-ply='0']")
    page.context.close()
    # A link to a ply, later, in Chinese, on a telephone.
    page = stage.page(width=390, dark=True, language="zh-CN")
    page.goto(f"{address}#game/1/2/3")
    page.wait_for_selector("[data-game='2'][data-ply='3']")
    stage.check(page, "a published replay")
    page.goto(f"{address}index.html#watch/1")
    page.wait_for_selector("[data-watch=head]:has-text('比赛已结束')")
    stage.check(page, "a published match in Chinese")
    page.context.close()
    return "a published match live and after its end, evaluations, replays by link"
