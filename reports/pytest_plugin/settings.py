"""The plug-in's options: command line before configuration file before default.

With them a test is run again, with exactly the same draws, counts and verdict.
"""

import argparse
import os
import secrets
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from provado.audit.options import domains

SAMPLES = 100_000
"""Certifying trials a pair where nothing else is said: a batch is drawn in a second."""

CONFIDENCE = 0.95
TIME_LIMIT = 600.0


@dataclass(frozen=True)
class SessionOption:
    """An option ``--provado-NAME`` and ``provado_NAME`` in the configuration file."""

    name: str
    read: Callable[[str], Any]
    metavar: str
    help: str

    @property
    def flag(self) -> str:
        """Return the option as it is typed."""
        return f"--provado-{self.name.replace('_', '-')}"

    @property
    def key(self) -> str:
        """Return the key in the configuration file."""
        return f"provado_{self.name}"


OPTIONS = (
    SessionOption(
        "samples",
        domains.samples,
        "N",
        f"certifying trials of a pair in audits that state no number ({SAMPLES:,}), or auto, or "
        "auto:N; on the command line it replaces a time that a test states, too",
    ),
    SessionOption(
        "seconds",
        domains.seconds,
        "S",
        "plan the trials from a time a pair instead; their number then differs from run to run",
    ),
    SessionOption(
        "confidence",
        domains.share,
        "C",
        f"1 - the chance of any false alarm in the whole session ({CONFIDENCE:g})",
    ),
    SessionOption("seed", domains.seed, "N", "the one seed of the session (0)"),
    SessionOption(
        "share",
        domains.share,
        "ALPHA",
        "each test's share of the chance of a false alarm, instead of an equal part",
    ),
    SessionOption(
        "time_limit",
        domains.seconds,
        "S",
        f"seconds after which an audit is given up as unknown ({TIME_LIMIT:g})",
    ),
)


_REDACT = "leave records of the data and outputs out of every message"


@dataclass(frozen=True)
class SessionSettings:
    """What holds for the session.

    samples, seconds: the budget of a pair where a test states none; exactly one is not ``None``.
    pinned: the number of samples was given on the command line.
    confidence: at least 1 − the chance of any false alarm. share: a test's part of it where that
    was given. nightly: the seed is a fresh one. redact: results and messages
    hold no records.
    """

    samples: int | str | None = SAMPLES
    seconds: float | None = None
    pinned: bool = False
    confidence: float = CONFIDENCE
    seed: int = 0
    share: float | None = None
    time_limit: float = TIME_LIMIT
    nightly: bool = False
    redact: bool = False
    again: tuple[str, ...] = ()
    folder: str = "."


def add_options(parser: pytest.Parser) -> None:
    """Register the options and the keys of the configuration file."""
    group = parser.getgroup("provado", "privacy audits (provado)")
    for option in OPTIONS:
        group.addoption(
            option.flag, type=option.read, default=None, metavar=option.metavar, help=option.help
        )
        parser.addini(option.key, option.help, default="")
    group.addoption("--provado-redact", action="store_true", default=False, help=_REDACT)
    parser.addini("provado_redact", _REDACT, type="bool", default=False)
    group.addoption(
        "--provado-nightly",
        action="store_true",
        default=False,
        help="draw a fresh seed, unless --provado-seed is given, and say how to replay it",
    )


def read_settings(config: pytest.Config) -> SessionSettings:
    """Return the settings of a session; raises ``pytest.UsageError`` naming the wrong key."""
    typed = {
        option.name: value
        for option in OPTIONS
        if (value := config.getoption(option.key, default=None)) is not None
    }
    settings = replace(
        combine(typed, {option.name: _from_file(config, option) for option in OPTIONS}),
        redact=config.getoption("provado_redact", default=False) or config.getini("provado_redact"),
        again=_again(config, typed),
        folder=str(config.invocation_params.dir),
    )
    if config.getoption("provado_nightly", default=False) and "seed" not in typed:
        # Of the operating system, and short enough to be typed again.
        return replace(settings, seed=secrets.randbelow(2**32), nightly=True)
    return settings


def combine(typed: Mapping[str, Any], filed: Mapping[str, Any]) -> SessionSettings:
    """Return the settings from the command line and from the configuration file.

    ``None`` or a missing key leaves an option open. Raises ``pytest.UsageError`` where samples and
    seconds come from the same place.
    """
    typed, filed = ({k: v for k, v in item.items() if v is not None} for item in (typed, filed))
    chosen: dict[str, Any] = {**filed, **typed, "pinned": "samples" in typed}
    for place, names in (
        (typed, "--provado-samples and --provado-seconds"),
        (filed, "provado_samples and provado_seconds"),
    ):
        if {"samples", "seconds"} <= place.keys():
            raise pytest.UsageError(f"{names} are both given: an audit needs one of them")
    if "seconds" in typed or ("seconds" in filed and "samples" not in typed):
        chosen["samples"] = None
    else:
        chosen.pop("seconds", None)
    return SessionSettings(**chosen)


def _again(config: pytest.Config, typed: Mapping[str, Any]) -> tuple[str, ...]:
    """Return words on limits, on the selection by marks, and on the root of the node ids."""
    limits = [item for item in OPTIONS if item.name in typed.keys() & {"confidence", "time_limit"}]
    words = [word for limit in limits for word in (limit.flag, repr(typed[limit.name]))]
    marks = str(config.getoption("markexpr", default=""))
    if marks and any(word.startswith("-m") for word in config.invocation_params.args):
        words += ["-m", marks]
    if config.rootpath != config.invocation_params.dir:
        words.append(f"--rootdir={config.rootpath}")
    return tuple(words)


def _from_file(config: pytest.Config, value: SessionOption) -> Any:
    try:
        text = config.getini(value.key)
        return value.read(text) if text else None
    except argparse.ArgumentTypeError as error:
        raise pytest.UsageError(f"{value.key}: {error}") from None
    except TypeError:
        raise pytest.UsageError(f"{value.key}: write the value as a text, in quotes") from None


def run_again(
    item: pytest.Item, settings: SessionSettings, *, share: float | None, samples: int | str | None
) -> str:
    """Return the ``pytest`` command for one test.

    share: the test's share of the chance of a false alarm, where it makes audits. samples: the
    number of trials where it came from the settings or from a time.
    """
    place, colons, name = item.nodeid.partition("::")
    # Node ids are relative to the root, what is typed to the current folder.
    place = os.path.relpath(item.config.rootpath / place, settings.folder)
    words = ["pytest", f"{place}{colons}{name}", "--provado-seed", str(settings.seed)]
    words += [] if share is None else ["--provado-share", repr(share)]
    words += [] if samples is None else ["--provado-samples", str(samples)]
    return shlex.join([*words, *settings.again])


def session_again(arguments: Sequence[str], seed: int) -> str:
    """Return the command that repeats a session which drew its seed."""
    kept = [word for word in arguments if word != "--provado-nightly"]
    return shlex.join(["pytest", *kept, "--provado-seed", str(seed)])


def in_python(name: str, arguments: dict[str, Any], call: str = "audit") -> str:
    """Return the call of a function of ``provado.audit``; what has no short text is named."""
    callee = name.rpartition(".")[2]
    words = [callee if callee.isidentifier() else "mechanism"]
    words += [f"{key}={literal(value, key)}" for key, value in arguments.items()]
    return f"provado.audit.{call}({', '.join(words)})"


def literal(value: Any, name: str, longest: int = 400) -> str:
    """Return Python text that makes ``value`` again, or ``name`` where there is no short one."""
    text = _text(value)
    return name if text is None or len(text) > longest else text


def _text(value: Any) -> str | None:
    from provado.mechanisms.definitions import relation

    if value is None or isinstance(value, bool | int | str | bytes | float):
        return repr(value) if type(value).__module__ == "builtins" else None
    if isinstance(value, Fraction) or type(value).__module__ == relation.__name__:
        return repr(value)
    if type(value) in (list, tuple):
        parts = [_text(item) for item in value]
        if any(part is None for part in parts):
            return None
        inside = ", ".join(str(part) for part in parts)
        if type(value) is list:
            return f"[{inside}]"
        return f"({inside},)" if len(parts) == 1 else f"({inside})"
    if type(value).__name__ == "ndarray" and value.size <= 40 and value.dtype.kind in "biuf":
        return f"np.array({value.tolist()!r}, dtype={value.dtype.name!r})"
    return None
