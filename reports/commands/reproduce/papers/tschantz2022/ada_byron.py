"""Ada and Byron: the effects of their data points and statuses, exactly and from outside."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from provado.proofs.causal import definitions
from provado.proofs.causal.examples import BITS, ada_and_byron, count_distribution
from provado.proofs.causal.model import Factor, Model, Population, distribution, uniform
from provado.proofs.ledger.tschantz2022 import source

from ...experiment import Answers, Experiment, Findings, PaperClaim, PaperTable, Piece, Scope
from ._paper import shown

if TYPE_CHECKING:
    from provado.audit.experiments.effects.relative import Estimate

FACTORS = ("3/2", "2", "3")
"""e^ε of the survey, exact."""

POINTS = 3
"""Ada, Byron and one more."""

STUDIES = ("D1", "D2", "R1")
"""What is intervened on, and seen, from outside: data points, and Ada's status."""

SAMPLES = (1_000_000, 50_000)
CONFIDENCE = 0.999

_ZERO = Fraction(0)

MULTIPLES = {"D1": 1, "D2": 1, "R1": 2, "R2": 1, "R1 and R2 at once": 2, "R1 and R2 added": 3}
"""The ε of each effect on the output, in multiples of the survey's."""


def parts(setting: Scope) -> Sequence[Piece]:
    """One part an e^ε with all that is exact, and one for each study of it."""
    samples = setting.of(SAMPLES)
    result = []
    for factor in FACTORS:
        result.append(Piece(f"exact, e^ε = {factor}", {"factor": factor}, 0.1))
        for point in STUDIES:
            arguments = {"factor": factor, "point": point, "samples": samples}
            key = f"study of {point}, e^ε = {factor}"
            result.append(Piece(key, arguments, 0.3 + 3.5e-6 * samples))
    return result


def work(arguments: Mapping[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return the exact e^ε of every effect and association, or the limits of one study."""
    factor = Fraction(arguments["factor"])
    if "point" in arguments:
        return study(factor, arguments["point"], arguments["samples"], rng)
    return exact_effects(factor)


def exact_effects(factor: Fraction) -> dict[str, Any]:
    """Return the smallest e^ε of each effect on the output, and of seeing each variable."""
    family = ada_and_byron(factor)
    effects: dict[str, Factor] = {
        name: definitions.definition_9(family, [name], ["O"]).factor
        for name in ("D1", "D2", "R1", "R2")
    }
    effects["R1 and R2 at once"] = definitions.joint_effect(family, ["R1", "R2"], ["O"]).factor
    effects["R1 and R2 added"] = definitions.total_effect(family, ["R1", "R2"], ["O"])
    people = Population(("R1", "R3"), uniform(list(product(BITS, BITS))).weights)
    return {
        "effects": {name: shown(effect) for name, effect in effects.items()},
        "associations": {name: shown(seen(family, people, name)) for name in STUDIES},
    }


def seen(family: Model, people: Population, name: str) -> Factor:
    """Return the smallest e^ε between the outputs given one value of a variable and the other."""
    given = {v: distribution(family, people, ["O"], given={name: v}) for v in BITS}
    return definitions.smallest(
        definitions.Comparison(
            name, v, 1 - v, o, given[v].get(o, _ZERO), given[1 - v].get(o, _ZERO), people
        )
        for v in BITS
        for o in {**given[0], **given[1]}
    ).factor


def study(factor: Fraction, point: str, samples: int, rng: np.random.Generator) -> dict[str, Any]:
    """Return the limits of both effects of one variable on the survey, a black box.

    A data point is intervened on in the survey's own input. Ada's status is one of the two inputs,
    hers and the third person's, of a box that makes the data points itself.
    """
    # Here, so that the experiments are listed without scipy.
    from provado.audit.experiments.effects.observational import effect_study

    rows = [count_distribution(POINTS, count, factor) for count in range(POINTS + 1)]
    chances = np.array([[float(row[o]) for o in range(POINTS + 1)] for row in rows])

    def survey(data: NDArray[Any], *, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        count = int(sum(data)) if point != "R1" else int(2 * data[0] + data[1])
        return rng.choice(POINTS + 1, size=size, p=chances[count])

    statuses = list(product(BITS, BITS))
    people = statuses if point == "R1" else [(ada, ada, other) for ada, other in statuses]
    result = effect_study(
        survey,
        np.array(people),
        point=1 if point == "D2" else 0,
        values=(1, 0),
        epsilon=math.log(factor),
        samples=samples,
        confidence=CONFIDENCE,
        seed=int(rng.integers(2**31)),
        name=f"survey of {point}",
    )
    return {"effect": _limits(result.causal), "association": _limits(result.associative)}


def _limits(estimate: Estimate) -> list[float | None]:
    high = estimate.factor_upper
    return [estimate.factor_lower, high if math.isfinite(high) else None]


def findings(setting: Scope, answers: Answers) -> Findings:
    """Return every effect beside its limits, and what the paper says of them."""
    exact = {factor: answers[f"exact, e^ε = {factor}"] for factor in FACTORS}
    limits = {
        (factor, point): answers[f"study of {point}, e^ε = {factor}"]
        for factor in FACTORS
        for point in STUDIES
    }
    rows = []
    for factor in FACTORS:
        for name, multiple in MULTIPLES.items():
            result = limits[factor, name]["effect"] if name in STUDIES else [None, None]
            own = exact[factor]["effects"][name]
            rows.append((factor, f"effect of {name}", f"{multiple}ε", own, *result))
        for name in STUDIES:
            own = exact[factor]["associations"][name]
            result = limits[factor, name]["association"]
            rows.append((factor, f"association with {name}", "no bound", own, *result))
    table = PaperTable(
        "effects",
        "Effects on the output of the survey and associations with it, as the largest ratio of "
        "two probabilities: exactly, and limits of a study that sees outputs only, with a "
        f"confidence of {CONFIDENCE:.1%} each.",
        ("e^ε", "of what", "printed", "exact", "at least", "at most"),
        rows,
        digits=4,
    )
    settings = (
        ("people", "Ada, her son Byron with the same status, one other with a coin's"),
        ("noise", "geometric, cut off at both ends, in place of the Laplace noise of section 4"),
        ("trials", f"{setting.of(SAMPLES):,} a study"),
    )
    return Findings(settings, (table,), comparisons=_comparisons(exact, limits))


def _comparisons(
    exact: Mapping[str, Mapping[str, Any]], limits: Mapping[tuple[str, str], Mapping[str, Any]]
) -> tuple[PaperClaim, ...]:
    def as_printed(names: Sequence[str]) -> bool:
        return all(
            Fraction(exact[factor]["effects"][name]) == Fraction(factor) ** MULTIPLES[name]
            for factor in FACTORS
            for name in names
        )

    def words(names: Sequence[str]) -> str:
        return "; ".join(
            f"at e^ε = {factor}: "
            + ", ".join(f"{name} {exact[factor]['effects'][name]}" for name in names)
            for factor in FACTORS
        )

    exceeded = {
        factor: Fraction(exact[factor]["associations"]["D1"]) > Fraction(factor)
        for factor in FACTORS
    }
    certified = [
        factor
        for factor in FACTORS
        if limits[factor, "D1"]["association"][0] > float(Fraction(factor))
    ]
    inside = [
        low <= float(Fraction(exact[factor][kind][point])) <= (math.inf if high is None else high)
        for factor in FACTORS
        for point in STUDIES
        for kind, (low, high) in (
            ("effects", limits[factor, point]["effect"]),
            ("associations", limits[factor, point]["association"]),
        )
    ]
    points, statuses = ("D1", "D2"), ("R1", "R2")
    both = ("R1 and R2 at once", "R1 and R2 added")
    return (
        PaperClaim(
            "differential privacy bounds the effect of Ada's data point by ε, whatever the "
            "relation of the statuses",
            "section 1.1",
            f"exactly, {words(points)}.",
            as_printed(points),
        ),
        PaperClaim(
            "intervening on Ada's status has up to double the effect of changing Byron's",
            "section 1.1",
            f"exactly, {words(statuses)}.",
            as_printed(statuses),
        ),
        PaperClaim(
            "the total effect of both statuses is 3ε, 2ε of it from Ada's; the joint effect is 2ε",
            "section 6.3",
            f"exactly, {words(both)}.",
            as_printed(("R1", *both)),
        ),
        PaperClaim(
            "differential privacy does not bound what seeing Ada's data point says of the output",
            "section 1.1",
            "exactly, "
            + ", ".join(
                f"{exact[factor]['associations']['D1']} at e^ε = {factor}" for factor in FACTORS
            )
            + f"; certified from outputs alone at {len(certified)} of {len(FACTORS)}.",
            all(exceeded.values()) and bool(certified),
        ),
        PaperClaim(
            "effects can be measured by experiments, and associations by observational studies, "
            "with or without a causal model",
            "section 8",
            f"{sum(inside)} of {len(inside)} exact values lie within the limits of the studies.",
            all(inside),
        ),
    )


EXPERIMENT = Experiment(
    "tschantz2022/ada_byron",
    "Ada and her son Byron: effects and associations",
    source("sections 1.1 and 6.3"),
    *(parts, work, findings),
)
