"""The cause of a violation and its usual fix in sentences; what to do about an ``unknown``."""

import math

from provado.audit.events.cause import CauseKind
from provado.audit.result import AuditResult, PairResult
from provado.mechanisms import Verdict
from provado.reports.text import formatting

UNKNOWN = "The distribution of the output depends on the data; no single cause was identified."
IDEAL = "Exact real arithmetic is assumed: low-order bits of outputs were not tested."


def cause(result: AuditResult) -> str:
    """Return the sentences on the cause of a violation; empty for any other verdict.

    Where two bounds were taken, they say which: only through low-order bits, or also apart from
    them. A bound apart from them may stand alone, where they tell nothing more.
    """
    if result.verdict is not Verdict.VIOLATION or not result.pairs:
        return ""
    apart, released = (
        max((p.epsilon_lower for p in result.pairs if p.rounded is rounded), default=None)
        for rounded in (True, False)
    )
    sentences: list[str] = []
    if released is not None and apart is not None:
        low = f"ε ≥ {formatting.down(apart)}"
        only = f"Only through low-order bits (ε ≥ {formatting.down(released)})"
        sentences.append(
            f"Also apart from low-order bits: {low}."
            if apart > result.epsilon
            else f"{only}; apart from them no violation was found ({low})."
        )
    pair = result.explained_pair
    if pair is not None:
        sentences.append(pair.cause.words or UNKNOWN)
    if result.search is not None and result.search.outside_data:
        sentences.append(
            "The pair that was chosen has a record unlike those in the data: if none such can "
            "occur, state the domain."
        )
    return " ".join(sentences)


FIXES = {
    CauseKind.BITS: "Use a sampler made for floating point, such as discrete Laplace or snapping",
    CauseKind.NO_NOISE: (
        "Add noise to it on every path, also for empty data, from a generator without a fixed "
        "seed, or do not release it"
    ),
    CauseKind.SHARED: "Draw new noise for each number that is released",
    CauseKind.SHIFT: "Clip each record, or raise the noise scale to at least sensitivity/ε",
    CauseKind.SCALE: "Calibrate the noise to public numbers: stated bounds, or a noisy count",
    CauseKind.SEVERAL: (
        "Divide ε among all numbers, or use the sensitivity of all of them together"
    ),
    CauseKind.SUPPORT: "Add noise without bounds, and on every path, also for small data",
    CauseKind.EXCEPTION: (
        "Clip or drop records instead of raising; check types before reading data"
    ),
    CauseKind.NAN: "Replace missing values before clipping: NaN passes every comparison",
    CauseKind.KEYS: "Release a fixed list of keys, or select keys privately with a threshold",
    CauseKind.ORDER: "Sort by name, or shuffle; rank by noisy values only",
    CauseKind.LENGTH: "Pad the output to a fixed length, or release a noisy length",
    CauseKind.TYPE: "Return one type on every path, also for small data",
    CauseKind.CHOICE: (
        "Choose a text or an answer with enough noise, as the exponential mechanism does with "
        "scores times ε/(2 × sensitivity)"
    ),
    CauseKind.SHAPE: (
        "Raise the noise, or answer truthfully less often: no output may be more than e^ε times as "
        "likely under one dataset"
    ),
    CauseKind.RARE: "Errors, defaults and fallbacks are outputs, too: they need noise",
}
"""The usual fix of each cause, without its full stop."""


def fix(result: AuditResult, pair: PairResult) -> str:
    """Return the usual fix of the cause named for a pair; empty where there is none."""
    usual = FIXES.get(pair.cause.tail_of or pair.cause.kind, "")
    if result.curve is not None:
        usual = usual.replace(" to at least sensitivity/ε", "")
    return f"{usual}{_scale(result, pair)}." if usual else ""


def _scale(result: AuditResult, pair: PairResult) -> str:
    """Compute the least noise scales for the record of the pair; empty where none is known."""
    if pair.cause.shift is None or not result.epsilon:
        return ""
    shift, curve = float(f"{pair.cause.shift:.2g}"), result.curve
    if curve is not None:
        if curve.family not in ("gdp", "zcdp") or not curve.parameter:
            return ""
        mu = curve.parameter if curve.family == "gdp" else math.sqrt(2 * curve.parameter)
        return f": for Gaussian noise and this record, a standard deviation of {shift / mu:.3g}"
    quotient = f"{shift:g}/{formatting.plain(result.epsilon)} = {shift / result.epsilon:.3g}"
    if not result.delta:
        return f": about {quotient} for Laplace noise and this record"
    from provado.mechanisms.textbook.gaussian import analytic_sigma

    sigma = analytic_sigma(result.epsilon, result.delta, shift)
    return (
        f": for this record about {quotient} for Laplace noise, or a standard deviation of "
        f"{sigma:.3g} for Gaussian noise"
    )


TO_DO = (
    (
        "adds the rest",
        "Audit a function of the data, and of rng if it draws noise, that calls the mechanism with "
        "the rest.",
    ),
    ("one number for each", "Give --score mine.py:score: it returns a number for each canary."),
    (
        "ended with status",
        "Find out what ends the process, such as os._exit or a crash of compiled code: a mechanism "
        "has to return or raise.",
    ),
    ("the time allowed", "Repeat the command with --seconds of at least what the reason names."),
    ("no trial was made", "Give it more time with --seconds."),
    ("no answer", "Give it more time with --time-limit, or find out what hangs."),
    ("interrupted", "Repeat it; with --journal FILE, --resume continues an interrupted run."),
    ("memory", "Use a smaller dataset, return fewer numbers, or run fewer --jobs."),
    ("killed", "Most likely it ran out of memory: use a smaller dataset, or fewer --jobs."),
    ("the score ", "Call the score on an output: it returns a number for each canary, none NaN."),
    (
        "raised",
        "Call the mechanism yourself, several times, on the dataset that the reason names. What it "
        "spends or counts, such as a budget, has to be created anew in each call.",
    ),
    ("keeps state", "Create counters, caches and generators anew in each call."),
    ("no plain data", "Return numbers, text, lists, arrays, data frames or simple objects."),
    ("cannot be read", "Give a function from an output to plain values with --read."),
    ("noise", "Draw one independent noise for each of the `size` outputs."),
    ("not independent", "Create generators, counters and caches anew in each call."),
    ("changed the dataset", "Let the mechanism work on a copy of its data."),
    ("", "Correct what the reason names, and repeat the command."),
)
"""Parts of the reason of an ``unknown``, each with what to do; the first that applies."""


def what_to_do(reason: str) -> str:
    """Return what to do about an ``unknown`` of this reason."""
    return next(todo for part, todo in TO_DO if part in reason)
