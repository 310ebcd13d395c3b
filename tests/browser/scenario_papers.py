"""The page of `referee reproduce all`: every claim in a line, links to its evidence and its command, both languages."""

import pathlib

PARTS = ["every-claim", "our-findings", "xiangqi", "command"]


def run(stage):
    folder = pathlib.Path(stage.folder.name) / "papers"
    stage.command("referee", "reproduce", "all", "--only", "xiangqi", "--folder", folder)
    for width, language in [(1280, "en"), (390, "zh-CN")]:
        overview(stage, folder / "index.html", width, language)
    return "the claims of a paper in a line each, English and Chinese"


def overview(stage, index, width, language):
    page = stage.page(width=width, language=language)
    page.goto(index.as_uri())
    page.wait_for_selector("#switches [data-switch=language]")
    stage.check(page, f"papers-{language}-{width}", axe=True)
    assert page.eval_on_selector_all("main > section", "all => all.map((one) => one.id)") == PARTS
    badge = page.locator("#every-claim tbody .verdict").first
    words = {"en": ("reproduced", "已复现"), "zh-CN": ("已复现", "reproduced")}[language]
    assert badge.inner_text() == words[0], badge.inner_text()
    # Each link of a line leads to an element that is then in view.
    row = page.locator("#every-claim tbody tr").first
    for link in row.locator("a").all():
        target = link.get_attribute("href")
        link.click()
        page.wait_for_function("(id) => location.hash === id", arg=target)
        assert page.locator(target).is_visible(), target
    page.click("#switches [data-switch=language]")
    assert badge.inner_text() == words[1], badge.inner_text()
    # The paper's own page keeps the language.
    page.locator("#xiangqi a[href='xiangqi.html']").click()
    page.wait_for_selector("#claims .verdict")
    assert page.locator("#claims .verdict").first.inner_text() == words[1]
    page.context.close()
