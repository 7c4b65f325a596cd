"""What an audit is about to do and what that costs, in words."""

from __future__ import annotations

from collections.abc import Sequence

from provado.audit.workers.forecast import Forecast

from .numbers import counted, lasting, percents, plain
from .printable import clean

MANY = 10**9
"""More trials than these are no plan: time ends them."""

ELSE = "the default; --seconds or --samples set another"


def sentences(name: str, forecast: Forecast) -> tuple[str, str]:
    """Return a line on what one audit does, and one on what it costs."""
    parts = []
    if forecast.candidates:
        pairs = f"{forecast.candidates:,} pairs and more like them"
        parts.append(f"looks for the worst neighbors among {pairs}{_most(forecast.searched)}")
    if not forecast.sequential:
        parts.append(f"learns what tells them apart{_most(forecast.explored)}")
    trials = "trials" if forecast.trials > MANY else f"at most {forecast.trials:,} trials"
    way = ", learning from each what to bet on the next" if forecast.sequential else ""
    each = " each" if forecast.pairs > 1 else ""
    certifies = f"certifies {counted(forecast.pairs, 'pair')} by {trials}{each}{way}"
    parts.append(f"{certifies}, with {_confidence(forecast)}")
    processes = f"; {forecast.jobs} processes" if forecast.jobs > 1 else ""
    name = clean(name)
    return f"{name}: {', '.join(parts)}{processes}", f"{name}: {_price(forecast)}"


def together(forecasts: Sequence[Forecast | None], processes: int) -> str:
    """Return one line on many audits; ``None`` stands for one that could not be timed in time."""
    known = [one for one in forecasts if one is not None]
    audits = f"{counted(len(forecasts), 'audit')}, {processes} at a time"
    pairs = counted(sum(one.pairs for one in known), "pair")
    trials = max((one.trials for one in known), default=0)
    each = f" by at most {trials:,} trials each" if 0 < trials <= MANY else ""
    others = len(forecasts) - len(known)
    but = f", but for {others:,} that gave no answer soon" if others else ""
    if not known:
        return f"{audits}: none gave an answer soon"
    seconds = total(known, processes)
    return f"{audits}: {pairs}{each}; drawing takes some {lasting(seconds)} in all{but}"


def total(forecasts: Sequence[Forecast | None], processes: int) -> float:
    """Return how long so many audits draw, side by side; the longest alone if that is more."""
    times = [min(one.total, one.time_limit) for one in forecasts if one is not None]
    return max(sum(times) / processes, *times) if times else 0.0


def _most(runs: int) -> str:
    return f" in at most {runs:,} runs" if runs <= MANY else ""


def _confidence(forecast: Forecast) -> str:
    return f"{percents(forecast.confidence)[0]} confidence"


def _price(forecast: Forecast) -> str:
    if not forecast.cost:
        return f"no run could be timed; it ends after {lasting(forecast.total)}"
    text, given = f"{_cost(forecast.cost)} a run", (forecast.seconds or 0) * forecast.pairs
    if given and forecast.total >= given:
        fit = float(plain(given / forecast.cost, 2))
        text += f"; it takes {lasting(given)}, in which some {fit:,.0f} runs fit"
        text += f" ({ELSE})" if forecast.usual else ""
    elif forecast.sequential:
        text += f"; it takes {lasting(forecast.total)} at most, less where the answer shows sooner"
    else:
        text += f"; drawing takes some {lasting(forecast.total)}"
    if forecast.total > forecast.time_limit:
        limit = lasting(forecast.time_limit)
        text += f", but after {limit} it ends as unknown (--time-limit)"
    return text


def _cost(seconds: float) -> str:
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= size:
            return f"{plain(seconds / size, 2)} {unit}"
    return f"{plain(seconds / 1e-9, 2)} ns"
