"""The examples in the docstrings and on the page do what they say."""

import doctest
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import agon
import pytest

PAGE = Path(__file__).parent.parent / "README.md"


def documented() -> Iterator[tuple[str, Any]]:
    yield "agon", agon
    for name in agon.__all__:
        thing = getattr(agon, name)
        yield name, thing
        if inspect.isclass(thing):
            for attribute, value in vars(thing).items():
                if not attribute.startswith("_"):
                    yield f"{name}.{attribute}", value


@pytest.mark.parametrize("name,thing", list(documented()), ids=lambda x: x if isinstance(x, str) else "")
def test_examples(name: str, thing: Any) -> None:
    text = thing.__doc__
    if not isinstance(thing, (int, str)):
        assert text, f"{name} has no docstring"
        run(name, text)


# The sections of the page whose heading is a library, and its module.
LIBRARIES = {"Gymnasium": "gymnasium", "PettingZoo": "pettingzoo", "OpenSpiel": "pyspiel"}


def test_the_page() -> None:
    if PAGE.exists():
        sections = re.split("^(?=##)", PAGE.read_text(), flags=re.M)
        own = [section for section in sections if section.lstrip("# ").split("\n")[0] not in LIBRARIES]
        assert run("README", "".join(own)) > 5 and len(sections) == len(own) + len(LIBRARIES)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_library_on_the_page(library: str) -> None:
    pytest.importorskip(LIBRARIES[library])
    if PAGE.exists():
        section = PAGE.read_text().split(f"### {library}\n")[1].split("\n##")[0]
        assert run(library, section) > 3


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_adapter(library: str) -> None:
    pytest.importorskip(LIBRARIES[library])
    module = importlib.import_module(f"agon.adapters.{library.lower()}")
    assert run(module.__name__, module.__doc__ or "") > 3


def run(name: str, text: str) -> int:
    examples = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(examples)
    assert found.failed == 0, name
    return found.attempted


def test_there_are_examples() -> None:
    texts = [thing.__doc__ or "" for _, thing in documented()]
    assert sum(text.count(">>>") for text in texts) > 40
