"""A first-to-4 match of EinStein at the desk over HTTP, killed in the middle; the pages of `serve`."""

import http.client
import json
import re
import time
import urllib.parse

from stage import TIMEOUT


class Desk:
    """A desk and its page."""

    def __init__(self, stage, *arguments):
        self.process = stage.start("referee", "desk", "--session", "s.jsonl", *arguments)
        out, err = self.process.files

        def address():
            found = re.search(r"http://\S+", out.read_text(errors="replace"))
            assert found or self.process.poll() is None, err.read_text(errors="replace")
            return found

        url = urllib.parse.urlsplit(stage.until("an address", address)[0])
        self.host, self.base = url.netloc, url.path.removesuffix("desk")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.host, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json"} if body else {}
        connection.request(method, self.base + path, body, headers)
        return connection, connection.getresponse()

    def act(self, **act):
        connection, answer = self.ask("POST", "api/desk", json.dumps({"act": act}))
        text = answer.read().decode()
        connection.close()
        assert answer.status == 200, f"{act}: {text}"

    def shown(self):
        """The first state that a page gets."""
        connection, answer = self.ask("GET", "api/desk/events")
        event = None
        while True:
            line = answer.readline().decode()
            assert line, f"the events end with status {answer.status}"
            line = line.rstrip("\n")
            if line.startswith("event: "):
                event = line[7:]
            elif line.startswith("data: ") and event == "state":
                connection.close()
                return json.loads(line[6:])

    def play_out(self, plies=10**6):
        """Plays the game on, at most so many steps: the engine for its team, the first legal move for
        the other one, dice rolled at the desk. Returns whether the game has ended."""
        deadline = time.monotonic() + TIMEOUT
        while plies and time.monotonic() < deadline:
            state = self.shown()
            game = state["game"]
            if game["ruled"] is not None:
                self.act(do="end", why="rules")
                return True
            if game["view"]["turn"] == "chance":
                self.act(do="roll")
            elif game["on_duty"] == state["engine_team"]:
                if game["proposal"] is None:
                    time.sleep(0.1)
                    continue
                self.act(do="accept")
            elif game["set_up_due"]:
                self.act(do="play", text="123456")
            else:
                self.act(do="play", text=game["view"]["legal"]["moves"][0][0])
            plies -= 1
        assert not plies, "the game does not end"
        return False


def run(stage):
    arguments = ["--event", "ccgc-einstein", "--engine", "name=ours,cmd=../bin/einstein.exe,depth=1",
                 "--first-to", "4", "--place", "南京"]
    desk = Desk(stage, *arguments)
    desk.act(do="begin")
    assert not desk.play_out(plies=7)
    before = desk.shown()["game"]
    desk.process.kill()
    desk.process.wait()
    stage.until("an end of the engine", lambda: not stage.running("einstein"))
    desk = Desk(stage, *arguments)
    after = desk.shown()["game"]
    assert after["plies"] == before["plies"] and after["view"]["moves"] == before["view"]["moves"]
    number = 1
    while not desk.play_out() or not desk.shown()["match"]["over"]:
        desk.act(do="begin")
        number += 1
    points = [team["half_points"] for team in desk.shown()["teams"]]
    assert max(points) == 8 and sum(points) == 2 * number, points
    records = sorted((stage.folder / "s-records").rglob("*.txt"))
    assert len(records) == number, records
    names = [str(path.relative_to(stage.folder)) for path in records]
    assert all(re.search(r"\d{4}\.\d\d\.\d\d", path.read_text(encoding="utf-8")) for path in records)
    stage.command("referee", "verify", names[0])
    return f"{number} games, one over a kill; {len(records)} records"
