"""The comparison with other programs finds no difference, and finds one that is put in."""

import importlib.util
import random
from typing import Any

import agon
import pytest
from agon import bench, selftest


def test_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    for name, module in (("pyspiel", "pyspiel"), ("pyffish", "pyffish")):
        if importlib.util.find_spec(module) is None:
            assert selftest.main(["--against", name]) == 2
            assert "pip install" in capsys.readouterr().err
        else:
            assert selftest.main(["--against", name, "--games", "2"]) == 0
            assert "are the same" in capsys.readouterr().out


class Other:
    """OpenSpiel's amazons as our own rules play it, with faults."""

    def __init__(self, fault: str) -> None:
        self.fault, self.ours = fault, agon.Game("amazons", "q3/4/4/3Q w")

    def load_game(self, name: str, parameters: dict[str, Any]) -> "Other":
        return self

    def new_initial_state(self) -> "Other":
        return self

    def is_chance_node(self) -> bool:
        return False

    def is_terminal(self) -> bool:
        return self.ours.is_over

    def current_player(self) -> int:
        return self.ours.turn ^ (self.fault == "turn" and len(self.ours.moves) == 2)

    def legal_actions(self) -> list[int]:
        legal = list(self.ours.legal_actions())
        return legal[1:] if self.fault == "legal actions" and self.ours.chosen else legal

    def apply_action(self, action: int) -> None:
        self.ours.play(action)

    def returns(self) -> list[float]:
        first, second = self.ours.returns()
        return [second, first] if self.fault == "result" else [first, second]


class Small(selftest.Amazons):
    def start(self, generator: random.Random) -> tuple[Any, agon.Game]:
        return self.game, agon.Game("amazons", "q3/4/4/3Q w")


@pytest.mark.parametrize("fault", ["turn", "legal actions", "result"])
def test_a_difference_is_found(fault: str) -> None:
    assert Small(Other("")).play(random.Random(1))[1] == "decided"
    with pytest.raises(selftest.Difference, match=f"amazons: {fault} in `"):
        Small(Other(fault)).play(random.Random(1))


def test_speed_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    bench.main(["--seconds", "0.01", "--batch", "100", "nogo"])
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[0] == "nogo" and all(int(figure.replace(",", "")) > 1000 for figure in line[1:])
