"""What an entry says beyond a bound, in words, must be a part of its theorem that is named here."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from provado.proofs.ledger import Entry, ledger

STRONG = re.compile(
    r"\b(smallest|no (?:smaller|larger|factor|fewer|other|more)|if and only if|iff|only if|exactly|"
    r"sharp|reached|only ever|equivalent|converse|not imply|strictly|tight|unique|neither|need|"
    r"best|largest|the other way round|no finite|necessary|full support|of \([\d, ]+\) values)\b",
    re.IGNORECASE,
)
"""Words of sharpness, of uniqueness, of a converse, and of how small an example is."""

BOTH_WAYS = {
    *("prop1", "prop2", "prop3", "prop5", "sec3-one-distribution", "sec6-1-eq28", "table1-row2"),
    *("table1-row3", "table1-row4", "table1-row5", "table1-row6", "table1-row8"),
}
UNBOUNDED = "exists s s', neighbors m s s' /\\ bound < {0} s' - {0} s) /\\ log_unbounded (@{0} R)"
FULL = "population m P /\\ (forall d, d \\in datasets (domains m) -> 0 < P d)"
TWO_BITS = "[seq size values | values <- domains m] = [:: 2; 2]%N"
REACHED = "exists D D' : dataset (R * R) m, replace_one D D' /\\ `|{0} D - {0} D'| = "

BACKED: dict[tuple[str, str], str] = {
    **{(f"tschantz2022/{name}", "equivalent"): " <-> " for name in BOTH_WAYS},
    ("tschantz2022/prop1", "need"): " <-> ",
    ("tschantz2022/sec6-1-eq28", "if and only if"): "definition_1 t m <-> definition_9 t m",
    (
        "tschantz2022/appendix-b",
        "not imply",
    ): "definition_10 1 m P & forall t : R, ~ definition_1 t m",
    ("tschantz2022/appendix-b", "of (2,) values"): "values <- domains m] = [:: 2]%N",
    ("tschantz2022/table1-row3", "converse"): "definition_1 2%:R m & ~ definition_3 2%:R m",
    ("tschantz2022/table1-row3", "not imply"): "definition_1 2%:R m & ~ definition_3 2%:R m",
    ("tschantz2022/table1-row3", "of (2, 2) values"): TWO_BITS,
    ("tschantz2022/sec7-posterior-change", "no smaller"): "s < t ^+ 2 -> exists",
    ("tschantz2022/sec7-posterior-change", "no factor"): (
        "s * posterior_without m prior i v o d < posterior m prior o d /\\ "
        "s * posterior m prior o' d < posterior_without m prior i v o' d"
    ),
    ("tschantz2022/sec7-posterior-change", "the other way round"): (
        "posterior_without m prior i v o d <= t ^+ 2 * posterior m prior o d"
    ),
    ("tschantz2022/post-processing", "no larger"): "brp t M x [:: y; z] /\\ brp t M x [:: z]",
    ("audit/guess", "only ever"): "forall side, (forall o, rule o != Some (~~ side)) -> right m",
    ("kusner2016/thm1-kendall", "reached"): REACHED.format("kendall") + "4%:R / m%:R",
    ("kusner2016/thm1-spearman", "reached"): REACHED.format("spearman") + "6%:R / (m%:R + 1)",
    ("kusner2016/iqr-global-unbounded", "no finite"): UNBOUNDED.format("interquartile_range"),
    ("kusner2016/iqr-global-unbounded", "neither"): UNBOUNDED.format("interquartile_range"),
    ("kusner2016/variance-unbounded", "no finite"): UNBOUNDED.format("variance"),
    ("kusner2016/variance-unbounded", "neither"): UNBOUNDED.format("variance"),
    ("tschantz2022/post-processing", "need"): "brp t M x [:: y; z] /\\ brp t M x [:: z]",
    ("tschantz2022/prop3", "full support"): "population m P -> (definition_1 t m <-> ",
    # These words do not claim: a condition, a rule of the algorithm, and a name.
    ("audit/betting", "no factor"): "forall history o, 0 <= factor t delta (stake history) o",
    ("kusner2016/thm6", "only if"): "stable_release domains f e eps level",
    ("zhang2023/thm5", "largest"): "rank_margin r",
}
for _id in ("tschantz2022/prop4", "tschantz2022/table1-row7"):
    BACKED |= {
        (_id, "converse"): "definition_7 1 m P & forall t : R, ~ definition_1 t m",
        (_id, "not imply"): "definition_7 1 m P & forall t : R, ~ definition_1 t m",
        (_id, "full support"): FULL,
        (_id, "of (2, 2) values"): TWO_BITS,
    }

ENTRIES = [entry for entry in ledger() if entry.theorem is not None]


def strong(entry: Entry) -> set[tuple[str, str]]:
    """Return the strong words with which an entry says what its theorem states."""
    assert entry.theorem is not None
    own = [entry.words, entry.scope] if entry.theorem.of == entry.claim else []
    found = STRONG.findall("\n".join([*own, entry.theorem.of.formula]))
    return {(entry.id, word.lower()) for word in found}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_strong_words_are_parts_of_the_theorem(entry: Entry) -> None:
    assert entry.theorem is not None
    assert {pair for pair in strong(entry) if pair not in BACKED} == set()
    parts = {pair: part for pair, part in BACKED.items() if pair[0] == entry.id}
    text = entry.theorem.statement.text
    assert {pair for pair, part in parts.items() if part not in text} == set()


def test_no_word_is_listed_that_nobody_says() -> None:
    assert set().union(*map(strong, ENTRIES)) == set(BACKED)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("sec7-posterior-change", "No smallest power exists."),
        ("sec6-1-eq28", "The largest effect size is the smallest e^ε."),
        ("table1-row3", "It is strictly more than DP."),
        ("post-processing", "X affects ⟨Y, Z⟩ exactly as much as Y."),
        ("lemma1", "The population drops out only if all data points are set."),
    ],
)
def test_words_that_no_part_backs_are_found(name: str, words: str) -> None:
    entry = next(one for one in ENTRIES if one.id == f"tschantz2022/{name}")
    assert not strong(replace(entry, words=words)) <= set(BACKED)
