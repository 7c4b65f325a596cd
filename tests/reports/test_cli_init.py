"""``provado init``: what it finds without importing, and that what it writes can be audited."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provado.reports.cli.main import main
from provado.reports.config.keys import template
from provado.reports.config.read import read_configuration
from provado.reports.targets.scan import FoundMechanism, scan_folder

SOURCE = """
import numpy as np
from provado.mechanisms import AddOrRemoveOne, Mechanism, PureDP, Source

1 / 0 if __name__ == "never" else None

def noisy_count(data, *, size, rng):
    return np.round(sum(data) + rng.laplace(scale=1.0, size=size), 2)

def mean(data, epsilon=0.5):
    return round(np.mean(data) + np.random.laplace(scale=1 / epsilon), 2)

def through_a_helper(data):
    return _helper(len(data))

def _helper(x):
    return x + np.random.default_rng(0).gumbel()

def also_needs(data, epsilon, *, bound):
    return data[0] + np.random.standard_normal() / epsilon

def plain(data):
    return sum(data)

def no_data():
    return np.random.laplace()

class Laplace:
    pass

stated = Mechanism(name="mine/stated", run=noisy_count)
_hidden = Mechanism()
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "mine_under_test.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("mine_under_test", None)


def test_what_is_found_and_why(here: Path) -> None:
    found = {one.name: one for one in scan_folder(here)}
    assert list(found) == ["noisy_count", "mean", "through_a_helper", "also_needs", "stated"]
    assert found["noisy_count"].why == "it takes size and rng"
    assert found["mean"].why == "it calls laplace"
    assert found["mean"].epsilon == 0.5
    assert found["through_a_helper"].why == "it calls _helper"
    assert found["also_needs"].needs == ("epsilon", "bound")
    assert found["stated"].stated
    assert "mine_under_test" not in sys.modules


def test_where_nothing_is_looked_for(here: Path) -> None:
    text = "def f(data, size, rng): pass\n"
    for name in ("venv", ".hidden", "tests", "build", "sub"):
        (here / name).mkdir()
        (here / name / "m.py").write_text(text)
    (here / "sub" / "own").mkdir()
    (here / "sub" / "own" / "pyvenv.cfg").write_text("")
    (here / "sub" / "own" / "m.py").write_text(text)
    (here / "test_x.py").write_text(text)
    (here / "broken.py").write_text("def f(:\n")
    (here / "bytes.py").write_bytes(b"\xff\0")
    assert [one.target for one in scan_folder(here) if one.name == "f"] == ["sub/m.py:f"]


def test_a_file_is_written_once(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("wrote provado.toml: 5 mechanisms found\n")
    written = (here / "provado.toml").read_bytes()
    assert main(["init"]) == 2
    assert "provado.toml: it is there already; --force replaces it" in capsys.readouterr().err
    (here / "provado.toml").write_text("mine")
    assert main(["init", "--stdout"]) == 0
    assert capsys.readouterr().out.encode() == written
    assert (here / "provado.toml").read_text() == "mine"
    assert main(["init", "--force"]) == 0
    assert (here / "provado.toml").read_bytes() == written
    assert main(["init", "--force", "--stdout"]) == 2


def test_a_folder_without_mechanisms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert "no mechanisms found" in capsys.readouterr().out
    assert read_configuration(tmp_path / "provado.toml").audits == {}
    assert main(["audit"]) == 2
    assert "provado.toml: it has no audits" in capsys.readouterr().err


def filled(text: str) -> str:
    """Take away the signs in front of the keys that an audit waits for."""
    return re.sub(r"(?m)^# (epsilon|relation|data) = ", r"\1 = ", text)


def test_what_is_written_tells_what_to_fill_in_and_then_audits(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "mine_under_test.py").write_text(SOURCE.partition("class Laplace")[0])
    assert main(["init"]) == 0
    file = here / "provado.toml"
    for key in ("epsilon", "data", "relation"):
        capsys.readouterr()
        assert main(["audit", "noisy_count"]) == 2
        told = capsys.readouterr().err
        found = re.match(r"provado: error: provado\.toml, line (\d+): audits\.noisy_count\.", told)
        assert found is not None
        lines = file.read_text().split("\n")
        waiting = lines[int(found[1]) - 1]
        assert waiting.startswith(f"# {key} = ")
        lines[int(found[1]) - 1] = waiting.removeprefix("# ")
        file.write_text("\n".join(lines))
    assert main(["audit", "noisy_count", "--samples", "2000"]) == 0
    file.write_text(filled(file.read_text()))
    assert main(["audit", "--samples", "2000", "--time-limit", "100"]) in (0, 1)
    assert "3 audits" in capsys.readouterr().out


def test_functions_of_one_name_get_names_of_their_own(here: Path) -> None:
    (here / "sub").mkdir()
    (here / "sub" / "more.py").write_text("def mean(data, size, rng): pass\n")
    document = tomllib.loads(template(scan_folder(here)))
    assert document["audits"]["sub-more-mean"]["target"] == "sub/more.py:mean"
    assert document["audits"]["mine_under_test-mean"]["target"] == "mine_under_test.py:mean"


NAMES = st.text(st.characters(categories=("Lu", "Ll", "Nd")), min_size=1, max_size=6).map(
    "f".__add__
)
PATHS = st.text(st.characters(codec="utf-8", exclude_characters="/\0:"), min_size=1, max_size=6)


@settings(max_examples=100)
@given(
    st.lists(
        st.builds(
            FoundMechanism,
            name=NAMES,
            target=st.builds("{}.py:{}".format, PATHS.filter(str.strip), NAMES),
            why=st.just("it calls noise"),
            line=st.integers(1, 99),
            stated=st.booleans(),
            epsilon=st.none() | st.floats(1e-300, 1e300),
            needs=st.lists(NAMES, max_size=1).map(tuple),
        ),
        max_size=4,
    )
)
def test_whatever_is_found_is_written_so_that_it_parses(
    tmp_path_factory: pytest.TempPathFactory, found: list[FoundMechanism]
) -> None:
    file = tmp_path_factory.mktemp("written") / "provado.toml"
    for text in (template(found), filled(template(found))):
        file.write_bytes(text.encode())
        audits = read_configuration(file).audits
        usable = [one for one in found if not one.needs]
        assert [spec.settings["target"] for spec in audits.values()][: len(usable)] == [
            one.target for one in usable
        ]


FORMS = """
from functools import partial
import functools
import numpy as np
import opendp.prelude as dp
from diffprivlib.mechanisms import Laplace

def scaled(scale, data, rng): return sum(data) + scale * rng.random()
def clipped(data, bound, *, scale=1.0): return min(sum(data), bound) + np.random.laplace(0, scale)
def fixed(data): return sum(data)

class Count:
    def __init__(self, scale): self.scale = scale
    def __call__(self, data, *, size, rng): return sum(data) + rng.laplace(0, self.scale, size)

class Total:
    def __call__(self, data): return sum(data)

short = lambda data: len(data) + np.random.laplace()
by_position = partial(scaled, 2.0)
by_name = functools.partial(clipped, bound=3)
lacks_bound = functools.partial(clipped, scale=2)
unknown = partial(np.random.laplace, 0)
spread = partial(clipped, **{"bound": 3})
count: Count = Count(2.0)
total = Total()
chain = dp.t.make_sum() >> dp.m.then_laplace(1.0)
library = Laplace(epsilon=1, sensitivity=1)
drawn = np.random.laplace(size=3)
_chain = dp.m.make_laplace(1.0)
"""


def test_every_form_that_an_audit_takes_is_found(here: Path) -> None:
    (here / "mine_under_test.py").write_text(FORMS)
    found = {one.name: one for one in scan_folder(here)}
    assert {name: one.why for name, one in found.items()} == {
        "scaled": "it takes rng",
        "clipped": "it calls laplace",
        "short": "it calls laplace",
        "by_position": "it takes rng",
        "by_name": "it calls laplace",
        "lacks_bound": "it calls laplace",
        "count": "it takes size and rng",
        "chain": "it is made by then_laplace",
        "library": "it is made by Laplace",
    }
    lacking = {name: one.needs for name, one in found.items() if one.needs}
    assert lacking == {"scaled": ("data",), "clipped": ("bound",), "lacks_bound": ("bound",)}
    assert [name for name, one in found.items() if one.pairs] == ["chain", "library"]


def test_each_form_audits_once_its_claim_is_filled_in(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [line for line in FORMS.splitlines() if "opendp" not in line and "chain" not in line]
    (here / "mine_under_test.py").write_text("\n".join(lines))
    assert main(["init"]) == 0
    file = here / "provado.toml"
    text = re.sub(r"(?m)^# (epsilon|relation|data|pairs) = ", r"\1 = ", file.read_text())
    # A sum's Laplace noise of the library takes a number, not records.
    file.write_text(text.replace("[[[0, 1, 1], [0, 1, 0]]]", "[[2, 1]]"))
    named = ["short", "by_position", "by_name", "count", "library"]
    assert main(["audit", *named, "--samples", "500", "--explore", "500"]) in (0, 1)
    said = capsys.readouterr().out
    assert all(name in said for name in named)
    assert "unknown" not in said
