"""Private causal discovery: claims, certified bounds, stated sensitivities, accuracy, levels.

Every method that is found in ``mechanisms/graphs/methods`` and claims privacy is in it; a new file
there is a new row here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.graphs.methods.at_total import run_at_total
from provado.mechanisms.graphs.methods.method import Method
from provado.mechanisms.graphs.methods.pc import pc
from provado.mechanisms.graphs.methods.pcd import pc_numeric
from provado.mechanisms.graphs.methods.walk import methods
from provado.mechanisms.graphs.tables.coded import CodedTable
from provado.mechanisms.graphs.tables.numeric import NumericTable, numeric_columns
from provado.mechanisms.regression.kernels import SquaredExponential
from provado.mechanisms.scores.hsic.permutation import draw_permutations
from provado.mechanisms.scores.hsic.permuted import hsic_permuted
from provado.mechanisms.scores.hsic.private_permutation import dphsic
from provado.mechanisms.statement.source import Source
from provado.reports.reproduce.experiment import Answers, Experiment, Part, Setting
from provado.reports.reproduce.findings import Cell, Comparison, Findings, Table
from provado.reports.reproduce.papers._audit import certified_by, release, true_epsilon
from provado.reports.reproduce.sources.networks import load_network
from provado.reports.reproduce.sources.nonlinear_model import nonlinear_model
from provado.reports.reproduce.sources.skeleton_f1 import skeleton_f1

from ._sensitivities import all_stated, largest_move

TOTALS = (1.0, 4.0, 16.0)
DELTA = 1e-3
"""ε and δ of everything that a run of a repaired method spends, shared out beforehand."""

DISCRETE, QUICK_DISCRETE, ROWS = ("cancer", "asia", "sachs"), ("cancer",), 100_000
NUMERIC, QUICK_NUMERIC, RECORDS = ("cancer", "asia"), ("cancer",), 1_000
SEEDS, QUICK_SEEDS = 5, 1
SAMPLES, QUICK_SAMPLES = 200_000, 5_000
NULLS, QUICK_NULLS, BLOCK = 1_000, 100, 100
LEVEL, TESTED = 0.05, 60
"""Level of the permutation tests, and records of each null dataset."""

RANGE = (-3.0, 3.0)
"""Of each standardised numeric column; what lies outside is clipped."""


@cache
def private_methods() -> tuple[Method, ...]:
    """Return the methods that claim privacy, in all versions."""
    return tuple(one for one in methods() if one.private)


def sound(numeric: bool) -> tuple[Method, ...]:
    """Return those without a known flaw, on discrete or on numeric columns."""
    return tuple(m for m in private_methods() if m.flaw is None and m.numeric is numeric)


def audited_as(method: Method) -> str | None:
    """Return the name of a method's graph of three columns in the catalogue."""
    names = {one.name for one in catalogue()}
    wanted = f"{method.name}/graph"
    if method.flaw is not None:
        wanted = f"twin/{method.name}-graph-{method.version}"
    return wanted if wanted in names else None


def parts(setting: Setting) -> Sequence[Part]:
    """One part an audit, a stated sensitivity, a sample of a network, and a block of nulls."""
    quick = setting.quick
    found = []
    samples = QUICK_SAMPLES if quick else SAMPLES
    for name in sorted({n for m in private_methods() if (n := audited_as(m)) is not None}):
        arguments: dict[str, Any] = {"release": name, "samples": samples, "seed": setting.seed}
        found.append(Part(f"release/{name}", arguments, 1.0 + samples * 4e-5))
    for number, stated in enumerate(all_stated()):
        key = f"sensitivity/{stated.methods}: {stated.what}"
        found.append(Part(key, {"stated": number}, 4.0))
    for seed in range(QUICK_SEEDS if quick else SEEDS):
        for network in QUICK_DISCRETE if quick else DISCRETE:
            found.append(Part(f"f1/discrete/{network}/{seed}", {"discrete": network}, 6.0))
        for network in QUICK_NUMERIC if quick else NUMERIC:
            found.append(Part(f"f1/numeric/{network}/{seed}", {"numeric": network}, 8.0))
    for block in range((QUICK_NULLS if quick else NULLS) // BLOCK):
        found.append(Part(f"level/{block}", {"nulls": BLOCK}, 2.0))
    return found


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Do one part."""
    if "release" in arguments:
        return release(arguments["release"], arguments["samples"], arguments["seed"])
    if "stated" in arguments:
        stated = all_stated()[arguments["stated"]]
        moved, d, d_prime = largest_move(stated)
        pair = {"d": list(d), "d_prime": list(d_prime)}
        return {
            **pair,
            "moved": moved,
            "bound": stated.bound,
            "n": stated.n,
            "ledger": stated.ledger,
        }
    if "discrete" in arguments:
        return _discrete(arguments["discrete"], rng)
    if "numeric" in arguments:
        return _numeric(arguments["numeric"], rng)
    return _levels(arguments["nulls"], rng)


def _discrete(network: str, rng: np.random.Generator) -> dict[str, Any]:
    model = load_network(network)
    data = model.sample(ROWS, rng)
    plain = skeleton_f1(pc(data, alpha=0.1, stable=False).skeleton, model.skeleton)
    return {"plain": plain, "f1": _all_f1(sound(False), data, model.skeleton, rng)}


def _numeric(network: str, rng: np.random.Generator) -> dict[str, Any]:
    graph = load_network(network)
    names = graph.names
    above = {n: [names[j] for j in graph.parents[i]] for i, n in enumerate(names)}
    columns = nonlinear_model(above, rng).sample(RECORDS, rng, standardised=True)
    ordered = {name: columns[name] for name in names}
    data = numeric_columns(ordered, ranges=dict.fromkeys(names, RANGE))
    plain = pc_numeric(data, alpha=LEVEL, rng=rng, bandwidth=1.0, max_order=1)
    f1 = skeleton_f1(plain.skeleton, graph.skeleton)
    return {"plain": f1, "f1": _all_f1(sound(True), data, graph.skeleton, rng)}


def _all_f1(
    chosen: Sequence[Method],
    data: CodedTable | NumericTable,
    truth: Any,
    rng: np.random.Generator,
) -> dict[str, list[float]]:
    """Return F1 of each method at each total, which is shared out before the data are looked at."""
    found: dict[str, list[float]] = {}
    for method, stream in zip(chosen, rng.spawn(len(chosen)), strict=True):
        for total in TOTALS:
            run = run_at_total(method, data, epsilon=total, delta=DELTA, rng=stream)
            found.setdefault(method.name, []).append(skeleton_f1(run.skeleton, truth))
    return found


def _levels(nulls: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return how often each permutation test rejects where columns are independent."""
    kernel = SquaredExponential(1.0)
    rejected = {"HSIC, valid p-value": 0, "HSIC, printed p-value": 0, "dpHSIC, ε = 1": 0}
    for _ in range(nulls):
        u, v = rng.uniform(-1, 1, (2, TESTED))
        orders = draw_permutations(TESTED, 99, rng)
        found = hsic_permuted(u, v, orders, kernel, kernel)
        rejected["HSIC, valid p-value"] += float(found.p_valid) <= LEVEL
        rejected["HSIC, printed p-value"] += float(found.p_printed) <= LEVEL
        rejected["dpHSIC, ε = 1"] += dphsic(u, v, kernel, kernel, epsilon=1.0, rng=rng)
    return {"nulls": nulls, "rejected": {name: int(count) for name, count in rejected.items()}}


def findings(setting: Setting, answers: Answers) -> Findings:
    """Return the tables, and whether claims, sensitivities and levels hold."""
    quick = setting.quick
    releases = _of(answers, "release/")
    stated = _of(answers, "sensitivity/")
    levels = _level_rows(_of(answers, "level/"))
    tables = (
        _claims(releases),
        _sensitivities(stated),
        _accuracy("discrete", _of(answers, "f1/discrete/"), f"{ROWS:,} rows of a network"),
        _accuracy(
            "numeric", _of(answers, "f1/numeric/"), f"{RECORDS:,} records of a nonlinear model"
        ),
        Table(
            "levels",
            f"Rejections at the level {LEVEL:g} where two columns of {TESTED} records are "
            "independent, with a 95 % Clopper–Pearson interval.",
            ("test", "nulls", "rejected", "share", "lowest", "highest"),
            tuple(levels),
        ),
    )
    settings = (
        ("budget", f"δ = {DELTA:g}; rounds and their ε are fixed before the data are looked at"),
        ("trials of an audit", f"{QUICK_SAMPLES if quick else SAMPLES:,}"),
        ("samples of a network", str(QUICK_SEEDS if quick else SEEDS)),
    )
    return Findings(settings, tables, comparisons=_comparisons(releases, stated, levels))


def _of(answers: Answers, prefix: str) -> dict[str, Mapping[str, Any]]:
    return {k.removeprefix(prefix): a for k, a in answers.items() if k.startswith(prefix)}


def _claims(releases: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for method in private_methods():
        name = audited_as(method)
        version, flaw = method.version or "", method.flaw.words if method.flaw else "none known"
        if name is None or name not in releases:
            rows.append((method.title, version, None, None, None, "not audited", flaw))
        else:
            a = releases[name]
            cells = (a["claim"], true_epsilon(a), certified_by(a), a["verdict"])
            rows.append((method.title, version, *cells, flaw))
    return Table(
        "claims",
        "Each method on three columns and a few records, where the distribution of whole runs is "
        "known: its claim, the exact ε of the pair that is audited, and the certified lower bound.",
        ("method", "version", "claim", "exact ε", "certified ε ≥", "verdict", "known flaw"),
        tuple(rows),
    )


def _sensitivities(stated: Mapping[str, Mapping[str, Any]]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for key, a in stated.items():
        methods_of, _, what = key.partition(": ")
        said = "exceeded" if _exceeded(a) else "not exceeded"
        rows.append(
            (methods_of, what, a["n"], a["bound"], a["moved"], a["moved"] / a["bound"], said)
        )
    return Table(
        "sensitivities",
        "The sensitivity that a method takes for its test, against the largest change over all "
        "datasets of so few records and a few values. Not exceeded there is no proof; what is "
        "known in general stands in the ledger.",
        ("method", "test and its stated sensitivity", "records", "stated", "largest change",
         "ratio", "", "in general"),
        tuple(rows),
    )  # fmt: skip


def _exceeded(answer: Mapping[str, Any]) -> bool:
    return bool(answer["moved"] > answer["bound"] * (1 + 1e-9) + 1e-9)


def _accuracy(kind: str, answers: Mapping[str, Mapping[str, Any]], what: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    networks = list(dict.fromkeys(key.partition("/")[0] for key in answers))
    for network in networks:
        own = [a for key, a in answers.items() if key.startswith(f"{network}/")]
        for name in own[0]["f1"]:
            middle = np.median([a["f1"][name] for a in own], axis=0)
            rows.append((network, name, *map(float, middle)))
        rows.append(
            (network, "PC, not private", *[float(np.median([a["plain"] for a in own]))] * 3)
        )
    return Table(
        f"f1_{kind}",
        f"Median F1 of the skeleton at equal total ε, δ = {DELTA:g}, of the methods without a "
        f"known flaw; {what}.",
        ("network", "method", *(f"ε = {total:g}" for total in TOTALS)),
        tuple(rows),
    )


def _level_rows(answers: Mapping[str, Mapping[str, Any]]) -> list[tuple[Cell, ...]]:
    from scipy.stats import beta

    rows: list[tuple[Cell, ...]] = []
    blocks = list(answers.values())
    nulls = sum(block["nulls"] for block in blocks)
    for name in blocks[0]["rejected"]:
        count = sum(block["rejected"][name] for block in blocks)
        low = float(beta.ppf(0.025, count, nulls - count + 1)) if count else 0.0
        high = float(beta.ppf(0.975, count + 1, nulls - count)) if count < nulls else 1.0
        rows.append((name, nulls, count, count / nulls, low, high))
    return rows


def _comparisons(
    releases: Mapping[str, Mapping[str, Any]],
    stated: Mapping[str, Mapping[str, Any]],
    levels: Sequence[tuple[Cell, ...]],
) -> tuple[Comparison, ...]:
    found = []
    for method in private_methods():
        name = audited_as(method)
        if name is not None and name in releases:
            a = releases[name]
            broken = a["violation"]
            found.append(
                Comparison(
                    f"{', '.join(filter(None, (method.title, method.version)))}: a run is "
                    f"{a['claim']}",
                    method.flaw.ledger[0] if method.flaw and method.flaw.ledger else "as repaired",
                    f"ε ≥ {certified_by(a)} is certified of a graph of three columns.",
                    False if broken else None,
                    method.flaw.words if method.flaw else "",
                    a["verdict"],
                )
            )
    for key, a in stated.items():
        found.append(
            Comparison(
                f"stated sensitivity of {key}",
                a["ledger"],
                f"moves by {a['moved']:.4g} of {a['bound']:.4g} on {a['n']} records: counts "
                f"{list(a['d'])} and {list(a['d_prime'])}.",
                False if _exceeded(a) else None,
                verdict="exceeded" if _exceeded(a) else "not exceeded",
            )
        )
    for test, nulls, count, share, low, _ in levels:
        found.append(
            Comparison(
                f"{test} keeps the level {LEVEL:g}",
                "permutation tests",
                f"{count} rejections of {nulls} ({float(share or 0):.3f}).",
                float(low or 0) <= LEVEL,
            )
        )
    return tuple(found)


EXPERIMENT = Experiment(
    name="comparison/private_discovery",
    title="private causal discovery: what is claimed, what holds, what it is worth",
    source=Source("The methods of four papers and two later ones", "as implemented here"),
    parts=parts,
    work=work,
    findings=findings,
    needs=("pgmpy",),
)
