"""Real reports with one thing changed: the recheck notices it, or names it as unchecked."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from provado.mechanisms import UsageError
from provado.reports.audit_report.document import digest
from provado.reports.cli.main import main
from provado.reports.commands.recheck.recheck import Rechecked, recheck_document
from tests.reports.mutating import check_parts_once, compute_once, put

TARGETS = """
import numpy as np
from provado.proofs.causal.examples import noisy_count

table = noisy_count(2, 2)

def sound(data, *, size, rng):
    return np.round(sum(data) + rng.laplace(size=size), 2)

def leaky(data, *, size, rng):
    return rng.random(size) < (0.99 if sum(data) > 1 else 0.01)

def gaussian(data, *, size, rng):
    return np.round(sum(data) + rng.normal(scale=4, size=size), 2)

def raises(data):
    raise RuntimeError("boom")

def responses(data, rng):
    return np.where(rng.random(len(data)) < 0.7, data, 1 - np.asarray(data))
"""
CONFIGURATION = """
[audits.first]
target = "mutants_under_test.py:sound"
epsilon = 1.0
data = [1, 0]
relation = "replace-one"
samples = 300

[audits.second]
target = "mutants_under_test.py:leaky"
epsilon = 1.0
data = [1, 1, 0]
relation = "replace-one"
expected = "violation"
samples = 200
"""
BITS = ["--epsilon", "1", "--canaries", "ones.json", "--replacements", "zeros.json"]
PAIR = ["--pair", "d.json", "e.json"]
FEW = [*PAIR, "--samples", "300", "--epsilon", "1"]
KINDS: dict[str, list[str]] = {
    "pure": ["mutants_under_test.py:sound", *FEW],
    "violation": ["mutants_under_test.py:leaky", *FEW],
    "delta": ["mutants_under_test.py:gaussian", *FEW, "--delta", "1e-3"],
    "curve": [
        "mutants_under_test.py:gaussian",
        *PAIR,
        "--samples",
        "3000",
        "--promise",
        "zcdp:0.04",
    ],
    "early": ["mutants_under_test.py:leaky", *FEW, "--stop-early"],
    "pairs": ["mutants_under_test.py:sound", *FEW, *PAIR],
    "seconds": ["mutants_under_test.py:sound", *PAIR, "--epsilon", "1", "--seconds", "0.02"],
    "exact": ["mutants_under_test.py:table", "--epsilon", "0.7"],
    "unknown": ["mutants_under_test.py:raises", *FEW],
    "catalogue": ["--catalogue", "--only", "randomized-response/*", "--samples", "300"],
    "configured": ["--config", "provado.toml", "first", "second"],
    "few": ["mutants_under_test.py:responses", *BITS, "--explore-runs", "1"],
    "few-twin": ["mutants_under_test.py:responses", *BITS, "--epsilon", "0.1", "--runs", "2"],
    "few-delta": [
        *("mutants_under_test.py:responses", *BITS, "--delta", "1e-4", "--guesses", "100"),
        *("--threshold", "0.5"),
    ],
    "few-unknown": ["mutants_under_test.py:raises", *BITS],
}


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """A report of each kind, as the command line leaves it."""
    folder = tmp_path_factory.mktemp("reports")
    (folder / "mutants_under_test.py").write_text(TARGETS)
    (folder / "d.json").write_text("[1, 1]")
    (folder / "e.json").write_text("[1, 0]")
    (folder / "provado.toml").write_text(CONFIGURATION)
    for name, bit in (("ones", 1), ("zeros", 0)):
        (folder / f"{name}.json").write_text(json.dumps([bit] * 300))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for kind, words in KINDS.items():
            main(["audit", *words, "--out", kind, "--jobs", "1"])
    sys.modules.pop("mutants_under_test", None)
    return {kind: json.loads((folder / kind / "audit.json").read_text()) for kind in KINDS}


@pytest.fixture(autouse=True)
def remembering(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compute nothing twice: most mutants leave the counts, and all but one part, as they are."""
    compute_once(monkeypatch)
    check_parts_once(monkeypatch)


Path_ = tuple[Any, ...]


def paths(node: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    yield path, node
    if isinstance(node, dict | list):
        keys = node if isinstance(node, dict) else some(node)
        for key in keys:
            yield from paths(node[key], (*path, key))


def some(items: list[Any]) -> list[int]:
    """Return all positions of a short list, and a few of a long one."""
    size = len(items)
    return list(range(size)) if size <= 8 else [0, 1, size // 2, size - 1]


def others(value: Any) -> list[Any]:
    """Return values that a leaf might have been changed to."""
    if isinstance(value, bool):
        return [not value, None]
    if isinstance(value, int):
        return [value + 1, value + 1000, 0] if value else [1]
    if isinstance(value, float):
        return [value * 1.01 + 1e-4, value / 2, "inf"]
    if isinstance(value, str):
        return [f"{value}x", "1", ""] if value else ["x"]
    return [1, 0.5, "x", True]


def mutants(document: dict[str, Any]) -> Iterator[tuple[Path_, dict[str, Any]]]:
    """Yield each leaf changed, each key or item left out, items doubled and exchanged."""
    for path, node in paths(document):
        if path[:1] == ("digest",) or "rule" in path[:-1]:
            continue  # The rule is free-form data, of which nothing is read.
        if isinstance(node, dict):
            for key in node:
                yield (*path, key), put(document, path, {k: v for k, v in node.items() if k != key})
            yield path, put(document, path, {**node, "more": 1})
        elif isinstance(node, list):
            for i in some(node):
                yield path, put(document, path, node[:i] + node[i + 1 :])
                yield path, put(document, path, [*node[: i + 1], *node[i:]])
                swapped = [*node[:i], *node[i + 1 : i + 2], node[i], *node[i + 2 :]]
                yield path, put(document, path, swapped)
            yield path, put(document, path, [*node, 1, "more"])
        else:
            for value in others(node):
                yield path, put(document, path, value)


def unchanged(mutant: dict[str, Any], document: dict[str, Any]) -> bool:
    """Tell whether nothing was changed; 1, 1.0 and true, which are equal, are told apart."""
    same = mutant == document
    return same and json.dumps(mutant, sort_keys=True) == json.dumps(document, sort_keys=True)


def checks(document: dict[str, Any]) -> tuple[Rechecked, ...] | None:
    """Return the answer of the recheck, or ``None`` where the file is refused."""
    try:
        return recheck_document(document)
    except UsageError:
        return None


def named(path: Path_, checked: tuple[Rechecked, ...]) -> bool:
    """Tell whether the answer lists the path as unchecked."""
    one, rest = checked[0], path
    if path[0] == "audits" and len(path) > 1:
        one, rest = checked[path[1] + 1], path[2:]
    text = re.sub(r"^\.", "", "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in rest))
    forms = {text, re.sub(r"\[\d+\]", "[]", text), re.sub(r"pairs\[\d+\]", "pairs[]", text)}
    return any(
        form == field or form.startswith((f"{field}.", f"{field}["))
        for form in forms
        for field in one.unchecked
    ) or (path == ("audits",) and "audits (their order)" in one.unchecked)


def noticed(checked: tuple[Rechecked, ...] | None) -> bool:
    return checked is None or not all(one.agrees for one in checked)


@pytest.mark.parametrize("kind", KINDS)
def test_an_untouched_report_agrees(documents: dict[str, dict[str, Any]], kind: str) -> None:
    checked = checks(documents[kind])
    assert checked is not None
    assert [line for one in checked for line in one.differences] == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.slow)])
def test_what_is_changed_is_noticed_or_named(
    documents: dict[str, dict[str, Any]], kind: str, every: int
) -> None:
    """Of a forger who computes the digest anew."""
    document = documents[kind]
    plain = checks(document)
    assert plain is not None
    escaped, caught = [], 0
    for path, mutant in islice(mutants(document), None, None, every):
        if unchanged(mutant, document):
            continue
        if isinstance(mutant.get("audits"), list) and "digest" in mutant:
            mutant["digest"] = digest(mutant)
        if noticed(checks(mutant)):
            caught += 1
        elif not named(path, plain):
            escaped.append(path)
    assert escaped == []
    assert caught > 100 / every


@pytest.mark.parametrize("kind", KINDS)
def test_with_the_digest_as_it_was_every_change_is_noticed(
    documents: dict[str, dict[str, Any]], kind: str
) -> None:
    document = documents[kind]
    for _, mutant in mutants(document):
        if unchanged(mutant, document):
            continue
        if isinstance(mutant.get("audits"), list) and "digest" in mutant:
            # The digest alone tells, for the least that a reader can check.
            assert digest(mutant) != document["digest"]
    for key, value in (("audits", 7), ("sha256", "0" * 64)):
        assert noticed(checks(put(document, ("digest", key), value)))
