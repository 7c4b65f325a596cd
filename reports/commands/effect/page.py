"""A study of effects in words, in JSON (form ``provado-effect/1``) and as a page.

The page draws both estimates with limits on a log scale, beside the claimed band.
"""

import math
from dataclasses import replace
from typing import Any

from provado.audit.experiments.effects.observational import EffectStudy
from provado.audit.experiments.effects.relative import Estimate, EventEffect
from provado.mechanisms.definitions.relation import short
from provado.reports.documents import schema
from provado.reports.documents.origin import Provenance, provado_version, versions
from provado.reports.pages.figures import figure
from provado.reports.pages.frame import macros, page, piece
from provado.reports.pages.markup import Markup, tag
from provado.reports.text.cause_and_fix import cause
from provado.reports.text.formatting import certified, clean, down, plain, text_table, up
from provado.reports.text.redact import MARK, masked, redact
from provado.reports.text.terminal import WIDTH, shortened


def render(study: EffectStudy, made: Provenance | None = None) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    sides = [f"{clean(study.point)} = {value}" for value in values_of(study)]
    parts = (
        ("summary", "Summary", [tag("p", text) for text in sentences(study)]),
        ("plot", "Effect sizes", [plot(study)]),
        ("counts", "Counts", [_template().counts(shown(study), *sides)]),
        ("methods", "How to read this", [_template().methods(study.confidence)]),
    )
    return page(clean(title(study)), parts, made=made, style=piece("effect.css"), bare=True)


def sentences(study: EffectStudy) -> list[str]:
    """Return what the study says, in printable sentences."""
    every = (causal_sentence, associative_sentence, no_effect_sentence)
    return [clean(say(study)) for say in every]


def cells(effect: EventEffect) -> list[str]:
    """Return how many outputs showed an event, and the ratio with its limits."""
    return [f"{effect.hits:,}", f"{effect.other_hits:,}", plain(effect.ratio), limits(effect)]


def _template() -> Any:
    return macros("commands/effect/page.html", cells=cells, event=name, plain=plain)


_LEFT, _RIGHT = 3.0, 97.0
"""Of the strip's width, in percent: marks at the ends of the axis are not cut."""

_MOST = math.log(1e6)
"""Beyond this ratio everything is drawn at the edge."""


def plot(study: EffectStudy) -> Markup:
    """Return the plot of both estimates of each event."""
    pairs = shown(study)
    reach = _reach(study, pairs)
    x = figure.Axis(math.exp(-reach), math.exp(reach), _LEFT, _RIGHT, log=True)
    ticks = [figure.Tick(x.place(tick), f"{tick:g}") for tick in sorted({1.0, *x.ticks()})]
    rows = []
    for one, other in pairs:
        estimates = (("causal", one), ("associative", other))
        said = "; ".join(f"{kind} {plain(e.ratio)} ({limits(e)})" for kind, e in estimates)
        rows.append((name(one), f"{name(one)}: {said}", estimates))
    d, d_prime = values_of(study)
    point, band = clean(study.point), None
    legend = [
        ("causal", f"causal: do({point} = {d}) / do({point} = {d_prime})"),
        ("associative", f"associative: given {point} = {d} / given {d_prime}"),
    ]
    if study.epsilon is not None:
        band = [x.place(math.exp(sign * min(study.epsilon, 700.0))) for sign in (-1, 1)]
        legend.append(("claim", f"the claim, ε = {plain(study.epsilon)}"))
    return Markup(_template().plot(rows, x, ticks, band, legend))


def _reach(study: EffectStudy, pairs: list[tuple[EventEffect, EventEffect]]) -> float:
    """Return the logarithm of the largest ratio shown, at least 2."""
    ends = [end for pair in pairs for item in pair for end in (item.low, item.high, item.ratio)]
    sizes = [abs(math.log(end)) for end in ends if 0 < end < math.inf]
    return min(1.05 * max([math.log(2), study.epsilon or 0.0, *sizes]), _MOST)


def redacted(study: EffectStudy) -> EffectStudy:
    """Return a study without values of the data, which are NaN, and without outputs."""
    causal, associative = (
        replace(
            estimate,
            events=tuple(replace(event, event=masked(event.event)) for event in estimate.events),
        )
        for estimate in (study.causal, study.associative)
    )
    shown = replace(study, causal=causal, associative=associative, audit=redact(study.audit))
    return replace(shown, values=(math.nan, math.nan), base=(math.nan,))


def values_of(study: EffectStudy) -> tuple[str, ...]:
    """Return both values of the data point in words; a redacted study has none."""
    return tuple(MARK if math.isnan(value) else plain(value) for value in study.values)


def title(study: EffectStudy) -> str:
    """Return what was compared, in one line."""
    d, d_prime = values_of(study)
    return f"{study.name}: the effect of {study.point} = {d} against {study.point} = {d_prime}"


def limits_table(study: EffectStudy) -> str:
    """Return both estimates side by side; lower limits are rounded down, upper ones up."""
    percent = f"{100 * study.causal.level:.4g} %"
    heads = ("causal", f"limits ({percent})", "associative", "limits")
    rows = [
        (name(one), *(part for each in (one, other) for part in (plain(each.ratio), limits(each))))
        for one, other in shown(study)
    ]
    rows.append(("largest, either way", "", _range(study.causal), "", _range(study.associative)))
    if study.epsilon is not None:
        factor = plain(math.exp(study.epsilon))
        inside = f"{plain(math.exp(-study.epsilon))} to {factor}"
        rows.append((f"ε = {plain(study.epsilon)} allows", "", inside, "", ""))
    rows.insert(0, ("ratio of the event", *heads))
    cells = [(row[0], *(cell.replace(" to ", "–") for cell in row[1:])) for row in rows]
    room = WIDTH - sum(max(map(len, column)) + 2 for column in list(zip(*cells, strict=True))[1:])
    fitting = [(shortened(event, room), *others) for event, *others in cells]
    return text_table(fitting, right=range(1, len(heads) + 1))


def causal_sentence(study: EffectStudy) -> str:
    """Return the sentence on what was intervened on, and what that certifies."""
    d, d_prime = values_of(study)
    base = MARK if any(map(math.isnan, study.base)) else short(list(study.base), 60)
    where = f"Causal: {study.point} was set to {d} or {d_prime} in the dataset {base}"
    claim = math.inf if study.epsilon is None else study.epsilon
    result = f"the mechanism's ε is at least {certified(study.epsilon_lower, claim)}"
    if study.epsilon is None:
        return f"{where}, all else fixed; {result}."
    if study.violation:
        verdict = f"above the claimed {plain(study.epsilon)}: a certified violation"
        if why := cause(study.audit):
            return f"{where}, all else fixed; {result}, {verdict}. {why}"
    else:
        verdict = f"which does not exceed the claimed {plain(study.epsilon)}"
    return f"{where}, all else fixed; {result}, {verdict}."


def associative_sentence(study: EffectStudy) -> str:
    """Return the sentence on what correlation in the population adds."""
    d, d_prime = values_of(study)
    claim = math.inf if study.epsilon is None else math.exp(study.epsilon)
    factor = certified(study.associative.factor_lower, claim)
    start = (
        f"Associative: datasets were drawn given {study.point} = {d} or {d_prime}; "
        f"outputs differ by a factor of at least {factor}"
    )
    if study.association_exceeds and not study.violation:
        return (
            f"{start}, above e^ε: data points correlated with {study.point} reveal it as well, "
            "which differential privacy does not bound."
        )
    if study.association_exceeds:
        return f"{start}, above e^ε, as the mechanism's own ε is."
    if study.associative.factor_lower > study.causal.factor_upper:
        return f"{start}, more than any causal effect: correlation between data points adds it."
    return f"{start}; correlation is not seen to add to the causal effect."


def no_effect_sentence(study: EffectStudy) -> str:
    """Return whether Fisher's test saw an effect at all, against ε = 0, with its p-value."""
    p = float(study.p_value)
    seen = (
        f"An effect of {study.point} was seen"
        if p <= 1 - study.confidence
        else f"No effect of {study.point} was seen, which does not show that there is none"
    )
    return (
        f"{seen}: without an effect (ε = 0), causal counts would differ this much with "
        f"probability p = {plain(p)} (permutation test)."
    )


def shown(study: EffectStudy) -> list[tuple[EventEffect, EventEffect]]:
    """Return the events of both estimates, without those that neither saw."""
    pairs = zip(study.causal.events, study.associative.events, strict=True)
    return [
        (one, other)
        for one, other in pairs
        if one.hits + one.other_hits + other.hits + other.other_hits
    ]


def name(effect: EventEffect) -> str:
    """Return an event's name, short enough for a table."""
    return shortened(clean(effect.event), 40)


def limits(effect: EventEffect) -> str:
    """Return limits rounded outward."""
    return f"{down(effect.low, 3)} to {up(effect.high, 3)}"


def _range(estimate: Estimate) -> str:
    return f"{down(estimate.factor_lower)} to {up(estimate.factor_upper)}"


def study_to_json(study: EffectStudy, population: str) -> dict[str, Any]:
    """Return the document that ``effect.json`` holds."""
    counts = study.audit.counts
    return {
        "schema": schema.EFFECT,
        "provado": provado_version(),
        "versions": versions(),
        "mechanism": study.name,
        "population": population,
        "point": study.point,
        "values": schema.plain(study.values),
        "base": [schema.number(value) for value in study.base],
        "epsilon": study.epsilon,
        "factor": None if study.epsilon is None else schema.number(math.exp(study.epsilon)),
        "confidence": study.confidence,
        "samples": study.samples,
        "seed": study.seed,
        "causal": {**_estimate(study.causal), "words": causal_sentence(study)},
        "associative": {**_estimate(study.associative), "words": associative_sentence(study)},
        "audit": {
            "epsilon_lower": schema.number(study.audit.epsilon_lower),
            **{key: getattr(counts, key) for key in ("correct", "wrong", "abstained")},
            "confidence": study.audit.confidence,
        },
        "epsilon_lower": schema.number(study.epsilon_lower),
        "p_value_of_no_effect": {"value": float(study.p_value), "fraction": str(study.p_value)},
        "violation": study.violation if study.epsilon is not None else None,
        "association_exceeds": study.association_exceeds if study.epsilon is not None else None,
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    """Return an estimate with its events' names, of which an output may have made long ones."""
    events = tuple(
        replace(event, event=short(event.event) if len(event.event) > 200 else event.event)
        for event in estimate.events
    )
    return {
        **schema.plain(replace(estimate, events=events)),
        "factor_lower": schema.number(estimate.factor_lower),
        "factor_upper": schema.number(estimate.factor_upper),
    }
