"""With which settings and versions a run was made, and what of it replays."""

from __future__ import annotations

from collections.abc import Sequence

from provado.reports.pages.element import Child, Markup, join, tag
from provado.reports.pages.frame import facts
from provado.reports.tasks.run import Run
from provado.reports.text.formatting import percent, plain

from .evidence import origin, signature
from .group import Item, linked


def environment(run: Run, items: Sequence[Item]) -> Markup:
    """Return where the run is from, its settings, versions and replay, and a line to sign."""
    return join(
        tag("h3", "Origin"),
        origin(run),
        tag("h3", "Settings"),
        facts(_settings(run)),
        tag("h3", "Versions"),
        facts([("Provado", run.provado), *run.versions.items()]),
        tag("h3", "Replay"),
        tag("p", *_replay(items)),
        tag("h3", "To be signed"),
        signature(),
    )


def _settings(run: Run) -> list[tuple[str, str]]:
    asked = run.settings
    samples = "each audit’s own"
    if isinstance(asked.samples, int):
        samples = f"{asked.samples:,} trials an audit"
    elif asked.samples is not None:
        samples = "as few as each audit takes"
    if asked.seconds is not None:
        samples = f"as many as fit into {plain(asked.seconds)} s an audit"
    return [
        ("Confidence", f"{percent(asked.confidence)}, all audits together"),
        ("Samples", samples),
        ("Seed", str(asked.seed)),
        ("Stops early", "yes" if asked.stop_early else "no"),
        ("Time limit", f"{plain(asked.time_limit)} s an audit"),
        ("Exit status", str(run.exit_status)),
    ]


def _replay(items: Sequence[Item]) -> list[Child]:
    unseeded = [item for item in items if item.result.seedable is False]
    said: list[Child] = [
        "The command at the end of each section draws the same samples again, with the same "
        "versions."
    ]
    if unseeded:
        said += [
            " The samplers of these take no seed, so running them again draws other samples; "
            "the recorded counts can still be rechecked: ",
            *linked(unseeded),
            ".",
        ]
    return said
