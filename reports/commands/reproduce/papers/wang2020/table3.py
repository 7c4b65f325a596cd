"""Table 3: how many tests of independence Priv-PC and EM-PC ask."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from provado.mechanisms.graph_discovery.methods.pc import Test, pc
from provado.mechanisms.graph_discovery.search.skeleton import largest_order
from provado.proofs.ledger.wang2020 import source

from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope
from ._paper import ALPHA, ROWS, SMALL, listed, methods, networks, released, rows_of

PRIV, EM = released("Priv-PC"), released("EM-PC")

PRINTED: Mapping[str, tuple[int, int]] = {
    "asia": (95, 216),
    "cancer": (37, 57),
    "earthquake": (40, 61),
    "survey": (29, 38),
    "alarm": (1843, 12979),
    "sachs": (165, 1224),
    "child": (1162, 7393),
}
"""Of Priv-PC and EM-PC."""

SAVED: Mapping[bool, tuple[float, float]] = {True: (0.344, 0.560), False: (0.843, 0.868)}
"""What section 4.3 says that Priv-PC saves, least and most: on small networks, on larger ones."""

EPSILON, RUNS = 1.0, 5

_SECONDS = {**dict.fromkeys(SMALL, 0.2), "asia": 0.6, "sachs": 2.5, "child": 8.0, "alarm": 9.0}


def parts(setting: Scope) -> Sequence[Piece]:
    """One part a network and run."""
    runs = 1 if setting.quick else RUNS
    return [
        Piece(
            f"{network}/{run}",
            {"network": network, "run": run, "rows": ROWS, "rows_seed": setting.seed},
            _SECONDS[network],
        )
        for network in networks(setting.quick)
        for run in range(runs)
    ]


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return how many tests each asked, and how many were asked again on all rows."""
    data = rows_of(*(arguments[name] for name in ("network", "run", "rows", "rows_seed")))
    ours = methods(data, "Priv-PC")[PRIV](EPSILON, rng)
    theirs = methods(data, "EM-PC")[EM](EPSILON, rng)
    order = largest_order(data.n, len(data.names))
    plain = pc(data, alpha=ALPHA, test=Test.KENDALL, max_order=order, stable=False)
    return {
        "priv": ours.tests,
        "again": len(ours.answers),
        "em": theirs.tests,
        "plain": plain.tests,
    }


def saved(priv: float, em: float) -> float:
    """Return the share of EM-PC's tests that Priv-PC does without."""
    return 1 - priv / em


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return the mean numbers beside the printed ones, and what they say of section 4.3."""
    names = networks(setting.quick)
    mean = {
        n: {
            kind: float(np.mean([a[kind] for key, a in answers.items() if key.startswith(f"{n}/")]))
            for kind in ("priv", "again", "em", "plain")
        }
        for n in names
    }
    ours = {n: saved(mean[n]["priv"], mean[n]["em"]) for n in names}
    theirs = {n: saved(*PRINTED[n]) for n in PRINTED}
    table = PaperTable.of_columns(
        "tests",
        "Tests of independence, means over runs: those of the sieve, those asked again on all rows "
        "by the examination, EM-PC's; what Priv-PC saves of EM-PC's; and PC without privacy.",
        ("network", names),
        ("Priv-PC", [mean[n]["priv"] for n in names]),
        ("printed", [PRINTED[n][0] for n in names]),
        ("examined", [mean[n]["again"] for n in names]),
        ("EM-PC", [mean[n]["em"] for n in names]),
        ("printed", [PRINTED[n][1] for n in names]),
        ("saved", [ours[n] for n in names]),
        ("printed numbers save", [theirs[n] for n in names]),
        ("PC", [mean[n]["plain"] for n in names]),
        digits=4,
    )
    settings = (
        ("rows", f"{ROWS:,}, drawn from the networks of pgmpy"),
        ("runs", str(1 if setting.quick else RUNS)),
        ("ε of a round", f"{EPSILON:g}; the paper does not say which"),
    )
    return Findings(settings, (table,), comparisons=_comparisons(mean, ours, theirs))


def _within(shares: Mapping[str, float]) -> bool:
    """Return whether shares saved, to three digits, lie within what section 4.3 says."""
    return all(
        SAVED[n in SMALL][0] <= round(share, 3) <= SAVED[n in SMALL][1]
        for n, share in shares.items()
    )


def _comparisons(
    mean: Mapping[str, Mapping[str, float]], ours: Mapping[str, float], theirs: Mapping[str, float]
) -> tuple[PaperClaim, ...]:
    factor = {n: mean[n]["priv"] / PRINTED[n][0] for n in mean}
    plain = {n: mean[n]["priv"] / mean[n]["plain"] for n in mean}
    more = {n: mean[n]["em"] / PRINTED[n][1] for n in mean}
    smallest, others = (
        [share for n, share in ours.items() if (n in SMALL) == small] for small in (True, False)
    )
    return (
        PaperClaim(
            "Priv-PC asks fewer tests than EM-PC on every network",
            "Table 3",
            f"saved: {listed(ours, '.1%')}.",
            all(share > 0 for share in ours.values()),
        ),
        PaperClaim(
            "Priv-PC saves a larger share of the tests on larger networks",
            "Table 3, section 4.3",
            f"least on larger networks {min(others):.1%}, most on small ones {max(smallest):.1%}.",
            min(others) > max(smallest),
        ),
        PaperClaim(
            "Priv-PC saves 34.4 to 56.0 % of the tests on small and 84.3 to 86.8 % on larger "
            "networks, as counted here",
            "section 4.3",
            f"saved: {listed(ours, '.1%')}.",
            _within(ours),
            "Beside the printed numbers there are here so many times as many tests, Priv-PC: "
            f"{listed(factor, '.2f')}; EM-PC: {listed(more, '.2f')}. Priv-PC asks nearly as many "
            f"as PC on the same rows, {listed(plain, '.2f')} times; the paper says nothing of "
            "the ε of a round for this table.",
        ),
        PaperClaim(
            "the same, by the paper's own Table 3",
            "section 4.3",
            f"its numbers save {listed(theirs, '.1%')}.",
            _within(theirs),
        ),
    )


EXPERIMENT = Experiment(
    "wang2020/table3",
    "number of independence tests of Priv-PC and EM-PC",
    source("Table 3, section 4.3"),
    *(parts, work, findings),
    needs=("pgmpy",),
)
