"""What a file or a module has to audit, each with a command that is ready to be typed."""

import inspect
import shlex
from collections.abc import Mapping
from typing import Any

from provado.mechanisms import ExactlyDecidable, Mechanism
from provado.reports.text.formatting import clean

from .load import NoNameError, callables, is_measurement

PAIR = "--pair d0.json d1.json --relation replace-one"
DATA = "--data d.json --relation replace-one"


def offers(asked: NoNameError) -> str:
    """Return the list as lines of text: of each thing to audit what it is, and its command."""
    names = callables(asked.module)
    if not names:
        return f"{clean(asked.text)} has nothing to audit: no function and no Mechanism of its own."
    lines = [f"{clean(asked.text)} has {len(names)} to audit:"]
    claimed = False
    for name in names:
        found = getattr(asked.module, name)
        claim = _claim(found)
        claimed |= "--epsilon" in claim
        lines += ["", f"  {name}: {_words(found)}"]
        if needs := _needs(found):
            lines.append(f"    also takes {', '.join(needs)}: write a function of the data alone")
        else:
            target = shlex.quote(f"{asked.text}:{name}")
            lines.append(f"    {clean(f'provado audit {target} {claim}')}")
    if claimed:
        lines += [
            "",
            "Put your claim in the place of ε, and a dataset of your own (.json, .csv, .npy, "
            ".parquet) in the",
            "place of d.json: the worst pair of neighbors is searched. `provado init` writes a "
            "configuration",
            "with all of them.",
        ]
    return "\n".join(lines)


def _claim(found: Any) -> str:
    """Return the options that state the claim of what states none itself, and its datasets."""
    if isinstance(found, Mechanism):
        return ""
    if isinstance(found, ExactlyDecidable):
        return "--epsilon 1"
    if is_measurement(found):
        return PAIR
    default = getattr(_parameters(found).get("epsilon"), "default", None)
    given = isinstance(default, int | float) and not isinstance(default, bool) and default > 0
    return f"--epsilon {default if given else 1} {DATA}"


def _needs(found: Any) -> list[str]:
    """Return the parameters without a default, beside the data, ``size`` and ``rng``."""
    if isinstance(found, Mechanism | ExactlyDecidable) or is_measurement(found):
        return []
    named = [
        one
        for one in _parameters(found).values()
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)
    ]
    first = next((one for one in named if one.kind is not one.KEYWORD_ONLY), None)
    return [one.name for one in named if one is not first and one.name not in ("size", "rng")]


def _parameters(found: Any) -> Mapping[str, inspect.Parameter]:
    try:
        return inspect.signature(found).parameters
    except (TypeError, ValueError):
        return {}


def _words(found: Any) -> str:
    if isinstance(found, Mechanism):
        return clean(f"a Mechanism, promises {found.promise.words()}")
    if isinstance(found, ExactlyDecidable):
        return "a table of exact probabilities, decided without samples"
    if is_measurement(found):
        return f"a {type(found).__name__}, states its own cost"
    text = (inspect.getdoc(found) or "").strip().partition("\n")[0]
    return clean(text) or "no docstring"
