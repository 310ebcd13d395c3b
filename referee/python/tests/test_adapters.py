"""Without its library an adapter says how to install it, and the package works."""

import importlib
import subprocess
import sys

import pytest


@pytest.mark.parametrize("module,library,package", [
    ("gymnasium", "gymnasium", "gymnasium"),
    ("pettingzoo", "pettingzoo", "pettingzoo"),
    ("openspiel", "pyspiel", "open_spiel"),
])
def test_a_missing_library(monkeypatch: pytest.MonkeyPatch, module: str, library: str, package: str) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.delitem(sys.modules, f"agon.adapters.{module}", raising=False)
    with pytest.raises(ImportError, match=f"cannot be imported .*: pip install {package}$"):
        importlib.import_module(f"agon.adapters.{module}")


def test_the_package_loads_no_library() -> None:
    code = "import sys, agon, agon.adapters; print({'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
