"""The effect-size page: both estimates with limits on a log scale, beside the claimed band."""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.experiments.effects.observational import EffectStudy
from provado.audit.experiments.effects.relative import EventEffect
from provado.reports.commands.effect.words import (
    associative_sentence,
    causal_sentence,
    limits,
    name,
    no_effect_sentence,
    shown,
    title,
)
from provado.reports.documents.versions import provado_version, versions
from provado.reports.pages.element import Markup, tag
from provado.reports.pages.frame import facts, frame, piece, section
from provado.reports.pages.table import table
from provado.reports.text.numbers import plain
from provado.reports.text.printable import clean

from .plot import plot


def render(study: EffectStudy) -> str:
    """Return the page as text. It needs no network, no script and no other file."""
    sentences = (causal_sentence, associative_sentence, no_effect_sentence)
    sections = (
        section("summary", "Summary", *(tag("p", clean(say(study))) for say in sentences)),
        section("plot", "Effect sizes", plot(study)),
        section("counts", "Counts", _table(study)),
        section("methods", "How to read this", *_methods(study)),
        section(
            "versions", "Versions", facts({"Provado": provado_version(), **versions()}.items())
        ),
    )
    footer = f"Provado {provado_version()}"
    return frame(clean(title(study)), sections, footer=footer, style=piece("effect.css"))


def _table(study: EffectStudy) -> Markup:
    d, d_prime = (f"{clean(study.point)} = {plain(value)}" for value in study.values)
    heads = ["event"]
    for kind, estimate in (("do", "causal"), ("given", "associative")):
        heads += [f"{kind} {d}", f"{kind} {d_prime}", f"{estimate} ratio", f"{estimate} limits"]
    rows = [(name(one), *_cells(one), *_cells(other)) for one, other in shown(study)]
    return table("Outputs that showed each event", heads, rows, visible=False)


def _cells(one: EventEffect) -> Sequence[str]:
    return f"{one.hits:,}", f"{one.other_hits:,}", plain(one.ratio), limits(one)


def _methods(study: EffectStudy) -> list[Markup]:
    return [
        tag(
            "p",
            "Each trial tossed a fair coin between the two values. The causal estimate set the "
            "data point in one dataset and held all others; the associative one drew whole "
            "datasets from the population given the data point's value. Events were chosen on "
            "samples that were thrown away. Limits are Clopper–Pearson limits of the coin's side "
            f"in the trials that showed the event; all limits hold together with probability "
            f"{study.confidence:.6g} at least.",
        ),
        tag(
            "p",
            "ε-differential privacy keeps every causal ratio between e^−ε and e^ε (Tschantz, Sen, "
            "Datta 2022, equations 26 to 28). It promises nothing of the associative ratio, so "
            "that one outside the band is no violation.",
        ),
    ]
