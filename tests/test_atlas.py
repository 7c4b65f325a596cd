"""The atlas: rows of a package that is made here, how they are recorded, and which are faulty."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import dblquad, quad
from scipy.special import ndtr

from benchmarks.atlas import __main__ as atlas
from benchmarks.atlas import audits, enclosures, package
from benchmarks.atlas.enclosures import _by_grid, enclosure, sampled_gaussian
from benchmarks.atlas.package import Package
from benchmarks.atlas.packages.atlas_row import (
    bits,
    by_scales,
    counted,
    discrete_laplace,
    learned,
    least_epsilon,
    low_bits,
    response,
)
from benchmarks.atlas.table import cells, faults, markdown

ROWS = '''
"""A package of two mechanisms and an accountant."""

import random

from atlas_row import Rows, counted

PACKAGE = {"name": "fake", "version": "1.0", "what": "a made package"}
rows = Rows(PACKAGE, "the answer of one person")
SAYS = {"epsilon": 1.1, "pairs": [[0, 1]], "claim": "It is […] private.", "place": "METADATA"}


def sound(data):
    return data ^ (random.random() > 0.75)


rows.row("sound", **SAYS)(sound)


def check():
    return counted(leaky, (0, 1), lambda one: one == 0, 2000)


def leaky(data):
    return data ^ (random.random() > 0.95)


rows.row("leaky", check=check, **SAYS)(leaky)


def adds(epsilon):
    rows.accountant(
        f"says {epsilon}",
        epsilon=lambda: epsilon,
        mechanism={"kind": "response", "epsilon": 0.5, "steps": 2},
        claim="private.",
        place="METADATA",
    )


adds(1.5)
adds(0.5)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "packages"
    made.mkdir()
    shutil.copy(package.PACKAGES / "atlas_row.py", made)
    (made / "fake_rows.py").write_text(ROWS)
    (made / "left_out.py").write_text(
        'LEFT_OUT = [{"name": "big", "version": "2", "what": "", "left_out": "needs a GPU"}]'
    )
    (made / "fake-1.0.dist-info").mkdir()
    (made / "fake-1.0.dist-info" / "METADATA").write_text(
        "Name: fake\nVersion: 1.0\n\nIt is, 'they\n# say',\nprivate.\n"
    )
    for module in (package, audits):
        monkeypatch.setattr(module, "PACKAGES", made)
    monkeypatch.setattr(atlas, "ENVIRONMENTS", tmp_path / "build")
    monkeypatch.setattr(Package, "interpreter", lambda _: sys.executable)
    return tmp_path


def test_a_package_is_audited_recorded_and_resumed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert atlas.main(["--samples", "4000"], folder) == 0
    found = {row["name"]: row for row in json.loads((folder / "atlas.json").read_text())["rows"]}
    verdicts = {name: row["verdict"] for name, row in found.items()}
    assert verdicts == {
        "sound": "no violation found",
        "leaky": "violation",
        "says 1.5": "proved",
        "says 0.5": "violation",
        "": "not audited",
    }
    assert found["sound"]["lower"] <= math.log(3) < 1.1 <= found["sound"]["detectable"]
    assert found["leaky"]["check"]["epsilon"] > 1.1
    assert found["says 0.5"]["lower"] == pytest.approx(1)
    page = (folder / "atlas.md").read_text()
    assert "1 packages, 4 rows: 2 violation, 1 no violation found, 1 proved." in page
    draft = (folder / "atlas" / "fake-leaky.md").read_text()
    assert draft.startswith("# fake 1.0, leaky: violates its claim ε = 1.1")
    assert "METADATA: “It is […] private.”" in draft
    assert str(folder) not in draft.partition("To repeat it")[0]
    monkeypatch.setattr(atlas, "audited", None)  # what is recorded is not audited again
    assert atlas.main(["fake"], folder) == 0
    assert atlas.main(["nothing"], folder) == 2


def declared(folder: Path, file: str, text: str) -> dict[str, Any]:
    """Return the rows by name after another run, with this text in a file of its own."""
    for old in (folder / "packages").glob("*_rows.py"):
        old.unlink()
    (folder / "packages" / file).write_text(text)
    atlas.main(["fake", "--samples", "4000"], folder)
    return {row["name"]: row for row in json.loads((folder / "atlas.json").read_text())["rows"]}


def test_a_row_is_audited_again_where_a_check_was_added(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unchecked = ROWS.replace("check=check, ", "")
    assert declared(folder, "a_rows.py", unchecked)["leaky"]["check"] is None
    audit, again = atlas.audited, []

    def counting(*given: Any) -> Any:
        again.append(given[2]["key"])
        return audit(*given)

    monkeypatch.setattr(atlas, "audited", counting)
    assert declared(folder, "b_rows.py", ROWS)["leaky"]["check"]["epsilon"] > 1.1
    before = json.loads((folder / "atlas.json").read_text())["rows"]
    before = next(row for row in before if row["name"] == "sound")
    exact = ROWS.replace('"sound", ', '"sound", exact=lambda: (1.0986, "ln 3"), ')
    found = declared(folder, "c_rows.py", exact)
    assert found["sound"].pop("exact") == {"epsilon": 1.0986, "how": "ln 3"}
    assert found["sound"] == before
    shown = cells(before | {"exact": {"epsilon": 1.0986, "how": "ln 3"}})
    assert shown[-1] == "ε = 1.0986 by its parameters: ln 3"
    earlier = (folder / "atlas.json").read_text()
    declared(folder, "c_rows.py", exact)
    assert (folder / "atlas.json").read_text() == earlier
    assert again == ["leaky"]  # the ε of its parameters is added to what was found


def test_a_row_on_which_nothing_is_detectable_is_no_pass(folder: Path) -> None:
    atlas.main(["fake", "--samples", "20"], folder)
    rows = json.loads((folder / "atlas.json").read_text())["rows"]
    (sound,) = (row for row in rows if row["name"] == "sound")
    assert sound["detectable"] is None
    assert sound["verdict"] == "unknown"
    assert re.fullmatch(r"no ε was detectable in \d+ trials: .*", cells(sound)[5])


def test_a_claim_that_is_no_quotation_is_an_error(folder: Path) -> None:
    file = folder / "packages" / "fake_rows.py"
    file.write_text(ROWS.replace("It is […] private.", "It is ever so private."))
    with pytest.raises(Exception, match="ever so private"):
        atlas.main(["fake"], folder)


def test_the_files_of_the_packages_can_be_read() -> None:
    found = list(package.packages())
    assert len({one.name for one in found}) == len(found)
    assert all(bool(one.file) != bool(one.left_out) for one in found)


BASE: dict[str, Any] = {"package": "a", "version": "1", "name": "b", "key": "c", "epsilon": 1.0}


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"verdict": "no violation found", "lower": 0.9}, []),
        ({"verdict": "no violation found", "lower": 0.9, "exact": {"epsilon": 1, "how": ""}}, []),
        (
            {"verdict": "no violation found", "lower": 0.9, "exact": {"epsilon": 1.2, "how": ""}},
            ["the ε of its parameters is above the claim"],
        ),
        ({"verdict": "violation", "lower": 2.0, "check": {"epsilon": 1.5, "how": ""}}, []),
        (
            {"verdict": "violation", "lower": 2.0, "check": None},
            ["violation without an independent check"],
        ),
        (
            {"verdict": "violation", "lower": 2.0, "check": {"epsilon": 0.9, "how": ""}},
            ["the independent check does not confirm the violation"],
        ),
    ],
)
def test_a_violation_needs_its_check(row: dict[str, Any], words: list[str]) -> None:
    assert faults(BASE | row) == words
    assert cells(BASE | row)[:3] == ("a 1", "b", "ε = 1")


def test_a_table_has_no_more_rows_than_share_alpha() -> None:
    with pytest.raises(ValueError, match="401 rows"):
        markdown([BASE | {"verdict": "proved"}] * 401)


def test_plain_checks_count_what_happens() -> None:
    rng = np.random.default_rng(0)
    epsilon, _ = counted(lambda p: rng.random() < p, (0.5, 0.1), bool, 20_000)
    assert 1.3 < epsilon < math.log(5)
    epsilon, _ = counted(lambda p: rng.random() < p, (0.3, 0.3), bool, 2000)
    assert epsilon == 0
    epsilon, _ = learned(lambda x: x + rng.laplace(), (0.0, 1.0), low_bits, "low bits", 5000)
    assert epsilon > 2
    epsilon, _ = learned(lambda x: round(x + rng.laplace()), (0.0, 1.0), low_bits, "low bits", 5000)
    assert epsilon <= 1


def test_tables_of_probabilities_have_the_least_epsilon_of_their_noise() -> None:
    answers = [response(one, "abc", 0.6) for one in "ab"]
    assert least_epsilon(*answers) == pytest.approx(math.log(3))
    # At ε the larger of both is 0.6 - 0.2 e^ε.
    assert least_epsilon(*answers, 0.2) == pytest.approx(math.log(2))
    assert least_epsilon({0: 0.5, 1: 0.5}, {0: 1.0}) == math.inf
    assert least_epsilon({0: 0.5, 1: 0.5}, {0: 1.0}, 0.5) == pytest.approx(0, abs=1e-12)
    for ends in ({}, {"low": 0, "high": 3}):
        noisy = [discrete_laplace(one, 2.0, **ends) for one in (0, 3)]
        assert all(math.fsum(one.values()) == pytest.approx(1) for one in noisy)
        assert least_epsilon(*noisy) == pytest.approx(1.5)
    chances = [
        {
            out: math.prod((p if bit else 1 - p) for bit, p in zip(out, on, strict=True))
            for out in ((0, 0), (0, 1), (1, 0), (1, 1))
        }
        for on in ((0.6, 0.2), (0.2, 0.6))
    ]
    assert bits(0.6, 0.2)()[0] == pytest.approx(least_epsilon(*chances))
    assert bits(0.75)()[0] == pytest.approx(2 * math.log(3))


def test_scales_of_noise_that_is_left_out_give_epsilon() -> None:
    def two(data: list[float]) -> Any:
        return np.random.laplace(data, [2.0, 4.0])  # noqa: NPY002, what packages call

    def one(data: float) -> float:
        return data + np.random.normal(scale=2.0)  # noqa: NPY002

    assert by_scales(two, [[0, 0], [1, 1]])() == (0.75, "laplace noise of scale 2, 4")
    with pytest.raises(ValueError, match="2 and 2 noises for 1 numbers"):
        by_scales(lambda data: sum(two(data)), [[0, 0], [1, 1]])()
    low, high = enclosure("gaussian", 1e-5, sigma=2.0)
    assert low <= by_scales(one, [0.0, 1.0], "normal", 1e-5)()[0] <= high * (1 + 1e-9)
    assert len({one(0.0) for _ in range(5)}) == 5  # the noise is back


@pytest.mark.parametrize(("scale", "delta"), [(1.0, 1e-6), (1.0, 0.1), (4.0, 0.01)])
def test_an_enclosure_holds_the_closed_form_of_laplace_noise(scale: float, delta: float) -> None:
    low, high = enclosure("laplace", delta, scale=scale)
    assert low <= 1 / scale + 2 * math.log1p(-delta) <= high
    assert high - low < 1e-6


def test_an_enclosure_holds_what_two_laplace_noises_lose() -> None:
    epsilon = 1.5

    def mass(loss: float) -> float:
        return math.exp((loss - 1) / 2) / 4

    def gain(total: float) -> float:
        return -math.expm1(epsilon - total)

    # Each loss is 1 with probability one half, has this mass between -1 and 1, or is -1.
    delta = 0.25 * gain(2) + quad(lambda loss: mass(loss) * gain(1 + loss), 0.5, 1)[0]
    delta += dblquad(lambda a, b: mass(a) * mass(b) * gain(a + b), 0.5, 1, lambda b: 1.5 - b, 1)[0]
    low, high = enclosure("laplace", delta, 2, scale=1.0)
    assert low - 1e-9 <= epsilon <= high + 1e-9
    assert high - low < 1e-6


@pytest.mark.parametrize(("steps", "delta"), [(1, 1e-6), (16, 1e-5), (100, 0.01)])
@pytest.mark.parametrize("side", [0, 1])
def test_the_grid_encloses_what_has_a_closed_form(steps: int, delta: float, side: int) -> None:
    low, high = _by_grid(sampled_gaussian(4.0, 1.0)[side], steps, delta)
    exact = enclosure("gaussian", delta, steps, sigma=4.0)
    assert low <= exact[0] <= exact[1] <= high
    assert high - low < 1e-6


@pytest.mark.parametrize(("sigma", "rate", "delta"), [(1.0, 0.05, 1e-5), (2.0, 0.5, 1e-3)])
def test_an_enclosure_holds_one_sampled_step(sigma: float, rate: float, delta: float) -> None:
    low, high = enclosure("sampled gaussian", delta, sigma=sigma, rate=rate)
    for epsilon, sign in ((low, 1), (high, -1)):
        place = sigma**2 * math.log((math.expm1(epsilon) + rate) / rate) + 0.5
        removed = rate * ndtr((1 - place) / sigma) + (1 - rate - math.exp(epsilon)) * ndtr(
            -place / sigma
        )
        assert sign * (removed - delta) >= -1e-6 * delta
    assert high - low < 1e-6


def test_a_division_and_a_merging_that_change_places_enclose_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    divided, merged = enclosures._divided, enclosures._merged
    monkeypatch.setattr(enclosures, "_divided", merged)
    monkeypatch.setattr(enclosures, "_merged", divided)
    monkeypatch.setattr(enclosures, "GAP", 1e-4)
    low, high = enclosure("laplace", 0.01, scale=1.0)
    assert not low <= 1 + 2 * math.log1p(-0.01) <= high


def test_sampling_of_everyone_is_no_sampling() -> None:
    low, high = enclosure("sampled gaussian", 1e-5, 4, sigma=2.0, rate=1 - 1e-12)
    exact = enclosure("gaussian", 1e-5, 4, sigma=2.0)
    assert low <= exact[0] + 1e-6
    assert exact[1] - 1e-6 <= high
