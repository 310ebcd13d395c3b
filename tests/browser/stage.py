"""What scenarios share: the browser, the programs, a server of files, axe-core, screenshots."""

import functools
import http.server
import json
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The files that reports and the server share, and those of the server.
ASSETS = [ROOT / "referee" / part / "src" / "assets" for part in ("report", "web")]
WIDTHS = {390: 844, 1280: 800, 1920: 1080}
# Scenarios read English text wherever they run.
ENGLISH = {**os.environ, "LC_ALL": "C"}
# A machine may be busy with something else; nothing waits this long otherwise.
TIMEOUT_MS = 60_000
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
          "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")


class Stage:
    """Opens pages and starts programs; ends all of them."""

    def __init__(self, chromium, programs, pictures):
        self.chromium = chromium
        self.programs = programs
        self.pictures = pathlib.Path(pictures).resolve() if pictures else None
        self.errors = {}
        self.processes = []

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.playwright = sync_playwright().start()
        # Chromium's own sandbox needs rights that a container does not give; all pages are ours.
        # It must ask nothing of its maker's hosts, which a test machine may not reach.
        self.browser = self.playwright.chromium.launch(
            executable_path=self.chromium,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking",
                  "--disable-component-update", "--disable-sync", "--no-first-run"])
        if self.pictures:
            self.pictures.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()
        for process in self.processes:
            end(process)
        self.folder.cleanup()

    def page(self, width=1280, dark=False, language="en", **more):
        """A page that fails the scenario on any script error or refused resource."""
        context = self.browser.new_context(
            viewport={"width": width, "height": WIDTHS[width]}, locale=language,
            color_scheme="dark" if dark else "light", **more)
        context.set_default_timeout(TIMEOUT_MS)
        page = context.new_page()
        # Each page has a list of its own: a page left open must not fail the check of another.
        errors = self.errors[page] = []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda line: errors.append(f"{line.text} ({line.location.get('url')})")
                if line.type == "error" else None)
        return page

    def clear(self):
        """Closes the pages, ends the programs and removes the files of a scenario, whether it passed or failed."""
        for context in list(self.browser.contexts):
            context.close()
        for process in self.processes:
            end(process)
        self.processes.clear()
        self.errors.clear()
        self.folder.cleanup()
        self.folder = tempfile.TemporaryDirectory()

    def check(self, page, name, axe=True):
        """Nothing was logged as an error, axe-core finds nothing, nothing is cut off."""
        assert not self.errors[page], f"{name}: {self.errors[page][:3]}"
        found = Axe().run(page).response["violations"] if axe else []
        told = [f"{v['id']}: {v['help']}: {v['nodes'][0]['html'][:200]}" for v in found]
        assert not told, f"axe-core on {name}: " + "; ".join(told)
        wide = page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"{name}: the page is {wide} px wider than the screen"

    def picture(self, page, name, **more):
        """A screenshot, if they are kept."""
        if self.pictures:
            page.screenshot(path=str(self.pictures / f"{name}.png"), **more)

    def portraits(self, page, name):
        """Screenshots of a page at all widths, light in English and dark in Chinese, and printed."""
        if not self.pictures:
            return
        size = page.viewport_size
        page.evaluate("window.keyboard = document.activeElement")
        for dark in (False, True):
            page.emulate_media(color_scheme="dark" if dark else "light")
            page.click("[data-switch=language]") if dark else None
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(300)
                self.picture(page, f"{name}-{width}-{'dark-zh' if dark else 'light-en'}", full_page=True)
        page.click("[data-switch=language]")
        page.set_viewport_size({"width": 794, "height": 1123})
        page.emulate_media(media="print", color_scheme="light")
        page.wait_for_timeout(300)
        self.picture(page, f"{name}-print", full_page=True)
        page.emulate_media(media="screen")
        page.set_viewport_size(size)
        # The keyboard is where it was, not at the switch.
        page.evaluate("keyboard.focus()")

    def start(self, program, *arguments, expect=None):
        """Starts a program; with `expect`, waits for a line that matches and returns the match."""
        log = open(pathlib.Path(self.folder.name) / f"{len(self.processes)}.log", "w+b")
        process = subprocess.Popen(
            [str(self.programs / program), *map(str, arguments)], stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, cwd=self.folder.name, env=ENGLISH)
        self.processes.append(process)
        if expect is None:
            return process, None
        deadline = time.monotonic() + TIMEOUT_MS / 1000
        while time.monotonic() < deadline:
            text = pathlib.Path(log.name).read_text(errors="replace")
            if found := re.search(expect, text):
                return process, found
            if process.poll() is not None:
                raise AssertionError(f"{program} ended with {process.returncode}: {text[-2000:]}")
            time.sleep(0.05)
        raise AssertionError(f"{program} never printed {expect}: {text[-2000:]}")

    def command(self, program, *arguments):
        """Runs a program to its end; returns what it printed."""
        done = subprocess.run(
            [str(self.programs / program), *map(str, arguments)], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, cwd=self.folder.name, timeout=TIMEOUT_MS / 1000, env=ENGLISH)
        assert done.returncode == 0, f"{program} {arguments}: {done.stdout}{done.stderr}"
        return done.stdout

    def end(self, process):
        end(process)


def until(page, expression):
    """Waits until an expression is true: the pages' own policy forbids the browser's way."""
    deadline = time.monotonic() + TIMEOUT_MS / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, f"never: {expression}"
        page.wait_for_timeout(50)


def end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(10)


class Files:
    """Serves pages made here beside the assets, under the server's content security policy."""

    def __init__(self, pages):
        handler = functools.partial(_Handler, pages)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, pages, *arguments):
        self.pages = pages
        super().__init__(*arguments)

    def do_GET(self):
        name = self.path.split("?")[0].removeprefix("/")
        kinds = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
        kind = kinds.get(name.rsplit(".")[-1], "text/html; charset=utf-8")
        asset = next((f / name.removeprefix("assets/") for f in ASSETS if (f / name.removeprefix("assets/")).exists()), None)
        if name in self.pages:
            page = self.pages[name]
            body = page if isinstance(page, str) else json.dumps(page)
        elif name.startswith("assets/") and asset and asset.parent in ASSETS:
            body = asset.read_text()
        else:
            self.send_response(204 if name == "favicon.ico" else 404)
            self.end_headers()
            return
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass
