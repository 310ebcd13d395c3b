"""A first-to-4 EinStein match at the desk: by keyboard and by clicks, with a typing error that is taken
back, an engine that crashes, and a desk that is killed; then an arbiter's board of another game, and
flags that fall."""

import json
import pathlib
import signal
import urllib.request

from stage import until

FLAGS = ["desk", "--event", "ccgc-einstein", "--team-a", "Ours", "--team-b", "Theirs"]
ADDRESS = r"http://\S+/desk"

# An engine that crashes when it is started for the first time.
CRASHING = """#!/bin/sh
if [ ! -e crashed ]; then touch crashed; echo 'out of luck' >&2; exit 3; fi
exec "{program}"
"""


def run(stage):
    folder = pathlib.Path(stage.folder.name)
    script = folder / "engine.sh"
    script.write_text(CRASHING.format(program=stage.programs / "einstein"))
    script.chmod(0o755)
    flags = [*FLAGS, "--engine", f"name=engine,cmd={script},dir={folder},depth=1", "--session", "match.jsonl"]
    process, found = stage.start("referee", *flags, expect=ADDRESS)
    page = stage.page(1280)
    page.goto(found[0])
    before_the_first_game(stage, page)
    first_game(stage, page, found[0])
    stage.check(page, "desk, first game")
    stage.picture(page, "desk-1280")
    before = state(found[0])["game"]
    process.send_signal(signal.SIGKILL)
    process.wait(10)
    page.wait_for_selector("#lost:not([hidden])")
    # The page that lost its desk may log failed connections.
    page.context.close()
    process, found = stage.start("referee", *flags, expect=ADDRESS)
    after = state(found[0])["game"]
    assert before["plies"] == after["plies"] and before["number"] == after["number"], (before, after)
    page = stage.page(1920, dark=True)
    page.goto(found[0])
    from_three_metres(page)
    stage.picture(page, "desk-game-1920-dark")
    games = play_match(page, found[0])
    stage.check(page, "desk, end of the match")
    stage.picture(page, "desk-1920-dark")
    records = list((folder / "match-records").glob("game-*/WTN-*.txt"))
    assert len(records) == games, records
    with page.expect_download() as download:
        page.click("[data-act=record]")
    assert download.value.suggested_filename in [record.name for record in records]
    stage.end(process)
    page.context.close()
    arbiter(stage)
    fallen_flags(stage)
    return f"a match of {games} games with a kill, a mistake and a crash; an arbiter's board; fallen flags"


def state(address):
    """The state of the desk, as a page gets it."""
    with urllib.request.urlopen(address.removesuffix("desk") + "api/desk/events", timeout=30) as events:
        for line in events:
            if line.strip() == b"event: state":
                return json.loads(next(events).removeprefix(b"data: "))
    raise AssertionError("the desk sent no state")


def wait_until(page, address, is_so):
    """Waits until the state is so, on the page too."""
    for _ in range(600):
        now = state(address)
        if is_so(now):
            page.wait_for_function("n => Number(document.body.dataset.n) >= n", arg=now["n"])
            return now
        page.wait_for_timeout(50)
    raise AssertionError(f"never so: {now}")


def enter(page, address, text):
    """Types an entry and waits until it is on the board."""
    plies = state(address)["game"]["plies"]
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) > len(plies))


def accept(page, address):
    page.wait_for_selector("[data-act=accept]")
    plies = state(address)["game"]["plies"]
    page.keyboard.press("Enter")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) > len(plies))


def before_the_first_game(stage, page):
    """The board stands there, and each team's plate has the colour of its pieces."""
    page.wait_for_selector("[data-act=begin]")
    assert page.locator("#board [role=gridcell]").count() == 25
    colours = page.locator(".desk-team").evaluate_all("all => all.map((team) => team.dataset.colour)")
    assert sorted(colours) == ["blue", "red"], colours
    stage.check(page, "desk, before the first game")
    stage.portraits(page, "desk-before")


def from_three_metres(page):
    """Board and clocks are as large as the screen allows, which does not scroll."""
    page.wait_for_selector("#board [role=gridcell]")
    # A figure is 0.7 of its font's size.
    high, clocks, board, wide = page.evaluate("""() => [document.documentElement.scrollHeight / innerHeight,
        Math.min(...[...document.querySelectorAll('.clock')].map((clock) => 0.7 * parseFloat(getComputedStyle(clock).fontSize) / innerHeight)),
        document.querySelector('#board .board-frame').getBoundingClientRect().height / innerHeight,
        Math.max(...[...document.querySelectorAll('.clock')].map((clock) => clock.scrollWidth - clock.clientWidth))]""")
    assert high <= 1 and wide <= 0, (high, wide)
    assert clocks >= 0.08 and board >= 0.68, f"figures of {clocks:.1%} and a board of {board:.1%} of the height"


def first_game(stage, page, address):
    """Set-ups, a crash, a mistake; ends within the first game."""
    page.wait_for_selector("[data-act=begin]")
    page.keyboard.press("Enter")
    accept(page, address)
    remarks = json.dumps(state(address)["remarks"])
    assert "failed" in remarks and "restarted" in remarks and "out of luck" in remarks, remarks
    enter(page, address, "654321")
    # The key of the die, which was wrong, then the right one.
    page.wait_for_selector("#chance:not([hidden])")
    page.keyboard.press("2")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) == 3)
    page.keyboard.press("F2")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) == 2)
    page.wait_for_selector("#chance:not([hidden])")
    page.keyboard.press("5")
    accept(page, address)
    # The opponent's roll by a click, an illegal move, then a legal one of those that are offered.
    page.click("#chance [data-token='3']")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) == 5)
    page.keyboard.type("a1a1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#refused .desk-legal button")
    # The browser logs the refusal as a failed request.
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    stage.check(page, "desk, a refused move")
    page.click("#refused .desk-legal button")
    wait_until(page, address, lambda s: len(s["game"]["plies"]) == 6)
    # A clock is set, with its reason.
    page.keyboard.press("F8")
    page.wait_for_selector("dialog[open]")
    page.fill("dialog [name=left]", "3:00")
    page.fill("dialog [name=note]", "the referee's clock")
    stage.check(page, "desk, setting a clock")
    page.keyboard.press("Enter")
    wait_until(page, address, lambda s: "set_clock" in json.dumps(s["remarks"]))


def play_match(page, address):
    """Plays until the match is over; returns the number of games."""
    while True:
        now = wait_until(page, address, lambda s: True)
        game = now["game"]
        if now["match"]["over"]:
            return len(now["match"]["games"])
        number = game["number"]
        if game["end"]:
            page.wait_for_selector("[data-act=begin]")
            page.keyboard.press("Enter")
            wait_until(page, address, lambda s: s["game"]["number"] > number)
        elif game["ruled"]:
            page.wait_for_selector("[data-act=result]")
            page.keyboard.press("Enter")
            wait_until(page, address, lambda s: s["game"]["end"])
        elif game["view"]["turn"] == "chance":
            page.wait_for_selector("#chance:not([hidden])")
            plies = len(game["plies"])
            page.keyboard.press("F3")
            wait_until(page, address, lambda s: len(s["game"]["plies"]) > plies)
        elif game["on_duty"] == now["engine_team"]:
            accept(page, address)
        elif game["set_up_due"]:
            enter(page, address, "123456")
        else:
            enter(page, address, game["view"]["legal"]["moves"][-1][0])


def arbiter(stage):
    """Both sides by hand, on a phone and in Chinese."""
    flags = ["desk", "--game", "connect6", "--tc", "15:00", "--session", "arbiter.jsonl"]
    process, found = stage.start("referee", *flags, expect=ADDRESS)
    page = stage.page(390, language="zh-CN")
    page.goto(found[0])
    page.wait_for_selector("[data-act=begin]")
    page.keyboard.press("Enter")
    wait_until(page, found[0], lambda s: s["game"])
    enter(page, found[0], "J10")
    enter(page, found[0], "J9 K11")
    # The third turn by two clicks.
    for square in ["k10", "k9"]:
        page.click(f".board [data-at={square}]")
    wait_until(page, found[0], lambda s: len(s["game"]["plies"]) == 3)
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    page.fill("#text", "j10")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=着法 “j10” 不合规则：j10 已有棋子")
    stage.errors[page][:] = [error for error in stage.errors[page] if "400" not in error]
    stage.check(page, "desk, arbiter's board")
    stage.picture(page, "desk-390-zh", full_page=True)
    page.context.close()
    stage.end(process)


def fallen_flags(stage):
    """A flag falls: more time, then lost on time. Beeps come only after a key, while the sound is on."""
    flags = ["desk", "--game", "nogo", "--tc", "4", "--team-a", "Ours", "--session", "flags.jsonl"]
    process, found = stage.start("referee", *flags, expect=ADDRESS)
    page = stage.page(1280)
    page.goto(found[0])
    page.wait_for_selector("[data-act=begin]")
    beeps = lambda: int(page.evaluate("document.body.dataset.beeps ?? 0"))
    assert beeps() == 0, "no sound before a key"
    page.keyboard.press("Enter")
    wait_until(page, found[0], lambda s: s["game"])
    enter(page, found[0], "e5")
    page.wait_for_selector("#flag:not([hidden])")
    wait_until(page, found[0], lambda s: s["game"]["flag"])
    stage.check(page, "desk, a fallen flag")
    stage.picture(page, "desk-flag-1280")
    assert page.locator(".desk-team .clock").nth(1).inner_text() == "0:00"
    until(page, "Number(document.body.dataset.beeps ?? 0) >= 3")
    more_time(page, "0:30")
    page.wait_for_selector("#flag", state="hidden")
    # The sound is off from now on, also after a reload.
    page.click("[data-switch=sound]")
    page.reload()
    page.wait_for_selector("[data-switch=sound][aria-pressed=false]")
    page.wait_for_selector(".desk-team .clock.low")
    more_time(page, "0:01")
    page.wait_for_selector("#flag:not([hidden])")
    assert beeps() == 0, "the sound is off"
    page.keyboard.press("F10")
    now = wait_until(page, found[0], lambda s: s["game"]["end"])
    assert now["game"]["end"]["why"] == "time" and now["game"]["end"]["winner"] == 0, now["game"]["end"]
    page.wait_for_selector("#flag", state="hidden")
    page.context.close()
    stage.end(process)


def more_time(page, time):
    """Sets the clock of the team that needs it, with the reason."""
    page.keyboard.press("F8")
    page.wait_for_selector("dialog[open]")
    page.fill("dialog [name=left]", time)
    page.fill("dialog [name=note]", "the referee allows it")
    page.keyboard.press("Enter")
    page.wait_for_selector("dialog[open]", state="detached")
