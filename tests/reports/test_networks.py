from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from provado.mechanisms import UsageError
from provado.mechanisms.graph_discovery.methods.pc import Test as CiTest
from provado.mechanisms.graph_discovery.methods.pc import pc
from provado.reports.commands.reproduce.sources.networks import (
    NETWORKS,
    load_network,
    parse_bif,
    skeleton_f1,
)

needs_pgmpy = pytest.mark.skipif(
    importlib.util.find_spec("pgmpy") is None, reason="pgmpy is not installed"
)

TEXT = """
network unknown {
}
variable rain {
  type discrete [ 2 ] { yes, None };
}
variable grass-wet {
  type discrete [ 3 ] { <5, 5-12, 12+ };
}
variable sprinkler {
  type discrete [ 2 ] { on, off };
}
probability ( rain ) {
  table 0.2, 0.8;
}
probability ( sprinkler | rain ) {
  (yes) 0.01, 0.99;
  (None) 0.4, 0.6;
}
probability ( grass-wet | sprinkler, rain ) {
  (on, yes) 0.1, 0.2, 0.7;
  (off, yes) 0.3, 0.3, 0.4;
  (on, None) 0.2, 0.5, 0.3;
  (off, None) 1.0, 0.0, 0.0;
}
"""

SIZES = {
    "earthquake": (5, 4),
    "cancer": (5, 4),
    "asia": (8, 8),
    "survey": (6, 6),
    "alarm": (37, 46),
    "sachs": (11, 17),
    "child": (20, 25),
}
"""Vertices and edges; the paper's Table 1 has 10 edges for asia, whose network has 8."""


def test_the_format_is_read_in_full():
    net = parse_bif(TEXT)
    assert net.names == ("rain", "grass-wet", "sprinkler")
    assert net.levels == (("yes", "None"), ("<5", "5-12", "12+"), ("on", "off"))
    assert net.parents == ((), (2, 0), (0,))
    assert net.tables[1].shape == (2, 2, 3)
    assert net.tables[1][0, 1].tolist() == [0.2, 0.5, 0.3]
    assert net.directed.tolist() == [[0, 1, 1], [0, 0, 0], [0, 1, 0]]
    assert net.skeleton.sum() == 6


def test_samples_have_the_joint_law_of_the_network():
    net = parse_bif(TEXT)
    n = 200_000
    data = net.sample(n, np.random.default_rng(5))
    assert data.levels == (2, 3, 2)
    counts = np.bincount(np.ravel_multi_index(tuple(data.codes), (2, 3, 2)), minlength=12)
    rain, wet, sprinkler = net.tables
    law = np.einsum("r,rs,srw->rws", rain, sprinkler, wet).ravel()
    assert law.sum() == pytest.approx(1)
    assert np.all(counts[law == 0] == 0)
    assert np.all(abs(counts / n - law) <= 5 * np.sqrt(law * (1 - law) / n))
    # The parents' order matters: with the axes exchanged the law is another.
    other = np.einsum("r,rs,rsw->rws", rain, sprinkler, wet).ravel()
    assert np.any(abs(counts / n - other) > 5 * np.sqrt(law * (1 - law) / n))
    again = net.sample(n, np.random.default_rng(5))
    assert np.array_equal(again.codes, data.codes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (TEXT, "", "names no variable"),
        ("  (yes) 0.01, 0.99;\n", "", "'sprinkler'.*each row"),
        ("0.2, 0.8", "0.2, 0.9", "'rain'.*sum to 1"),
        ("(yes) 0.01", "(maybe) 0.01", "'sprinkler'.*maybe"),
        ("( sprinkler | rain )", "( sprinkler | snow )", "'snow'"),
        ("probability ( rain ) {\n  table 0.2, 0.8;\n}", "", "'rain' has no table"),
        ("0.01, 0.99", "0.01, much", "much"),
        (
            "probability ( rain ) {\n  table 0.2, 0.8;",
            "probability ( rain | rain ) {\n  (yes) 1, 0;\n (None) 1, 0;",
            "cycle",
        ),
    ],
)
def test_broken_texts_are_named(old, new, message):
    with pytest.raises(UsageError, match=message):
        parse_bif(TEXT.replace(old, new)).sample(5, np.random.default_rng(0))


@needs_pgmpy
@pytest.mark.parametrize("name", NETWORKS)
def test_the_networks_have_their_size(name):
    net = load_network(name)
    assert (len(net.names), int(net.skeleton.sum()) // 2) == SIZES[name]


@needs_pgmpy
def test_a_level_called_none_stays_text():
    net = load_network("child")
    assert net.levels[net.names.index("CardiacMixing")][0] == "None"


@needs_pgmpy
def test_pc_finds_a_network_from_its_rows():
    net = load_network("survey")
    data = net.sample(100_000, np.random.default_rng(0))
    found = pc(data, alpha=0.01, test=CiTest.CHI_SQUARED)
    assert skeleton_f1(found.skeleton, net.skeleton) == 1


@needs_pgmpy
def test_an_unknown_network_is_named():
    with pytest.raises(UsageError, match="'atlantis'"):
        load_network("atlantis")
