"""Finds the configuration that holds in a folder."""

import importlib.util
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from provado.mechanisms import UsageError
from provado.reports.config.keys import is_name
from provado.reports.config.read import Configuration, Spec, is_configuration, read_configuration
from provado.reports.text import did_you_mean

NAMES = ("provado.toml", "pyproject.toml")


def find_configuration(given: Path | None = None) -> Configuration | None:
    """Return the configuration to use, or ``None`` where there is none.

    given: the file that the user names. Without it, the first folder from the current one upward
    that holds a ``provado.toml``, or a ``pyproject.toml`` with ``[tool.provado]``; both in one
    folder raise ``UsageError``, since one of them would be silently without effect.
    """
    if given is not None:
        return read_configuration(given)
    try:
        here = Path.cwd()
    except OSError as error:
        raise UsageError(f"the current folder cannot be read: {error.strerror}") from error
    for folder in (here, *here.parents):
        found = [folder / name for name in NAMES if is_configuration(folder / name)]
        if len(found) > 1:
            raise UsageError(
                f"{shown(found[0])}: {shown(found[1])} has [tool.provado] too; keep one of them"
            )
        if found:
            return read_configuration(found[0], str(shown(found[0])))
    return None


def shown(file: Path) -> Path:
    """Return a path as it is reached from the current folder."""
    return Path(os.path.relpath(file))


@dataclass(frozen=True)
class Chosen:
    """Targets that were typed, and what is asked for of the configuration.

    configuration: ``None`` where nothing of it is.
    """

    plain: tuple[str, ...]
    specs: tuple[Spec, ...] = ()
    configuration: Configuration | None = None

    def out(self, typed: Path | None) -> Path | None:
        """Return the folder for reports: the one typed, or that of the configuration."""
        if typed is not None or self.configuration is None:
            return typed
        out = self.configuration.run.get("out")
        return None if out is None else shown(self.configuration.folder / out)


def choose(targets: Sequence[str], table: str, config: Path | None) -> Chosen:
    """Return what is asked for.

    targets: those typed; without any, all that the configuration has. table: ``prove`` or
    ``replay``. config: the file typed. Raises ``UsageError`` where there is nothing to do, and for
    a name that nothing has.
    """
    names = [text for text in targets if is_name(text)]
    if targets and not names:
        if config is not None:
            raise UsageError(
                "--config: nothing of it is asked for; leave the TARGETs out or name one"
            )
        return Chosen(tuple(targets))
    configuration = find_configuration(config)
    if configuration is None:
        if not targets:
            raise UsageError(
                f"nothing to {table}: give a TARGET, or write [{table}.NAME] into provado.toml"
            )
        return Chosen(tuple(targets))
    known = configuration.proofs if table == "prove" else configuration.replays
    if not targets:
        if not known:
            raise UsageError(f"{configuration.source.shown}: it has no table [{table}.NAME]")
        return Chosen((), tuple(known.values()), configuration)
    configured = [
        text for text in names if is_known(text, known, configuration, f"[{table}.{text}]")
    ]
    twice = next((name for name in configured if configured.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"TARGET {twice!r}: it is given twice; once is enough")
    plain = tuple(text for text in targets if text not in configured)
    specs = tuple(known[name] for name in configured)
    return Chosen(plain, specs, configuration if specs else None)


def is_known(text: str, known: Mapping[str, Spec], configuration: Configuration, what: str) -> bool:
    """Tell whether the configuration has this name; else a module must have it.

    what: is missing, in words, where neither has: raises ``UsageError``.
    """
    if text in known:
        return True
    try:
        module = importlib.util.find_spec(text.partition(".")[0])
    except (ImportError, ValueError):
        module = None
    if module is not None or Path(f"{text}.py").is_file():
        return False
    more = did_you_mean.hint(text, list(known)) or f"; it has {', '.join(known) or 'none'}"
    raise UsageError(f"target {text!r}: {configuration.source.shown} has no {what}{more}")
