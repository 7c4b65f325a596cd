"""Completion scripts for shells, made from what the commands' parsers say."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """One option: its name, what it means, whether a value follows, and the values if listed."""

    name: str
    words: str
    takes: bool
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offered:
    """One command: its options, and the words that may stand alone; no words means files."""

    name: str
    words: str
    options: tuple[Option, ...]
    arguments: tuple[str, ...] = ()


def offered_by(
    name: str,
    words: str,
    parser: argparse.ArgumentParser,
    known: Mapping[str, Sequence[str]],
) -> Offered:
    """Return what a command's parser takes; ``known`` has values by option or argument."""
    options, arguments = [], []
    for action in parser._actions:
        values = [*map(str, action.choices or ()), *known.get(action.dest, ())]
        if not action.option_strings:
            arguments += values
        for option in action.option_strings:
            if not option.startswith("--"):
                continue
            listed = tuple(values) or tuple(known.get(option, ()))
            options.append(Option(option, _plain(action.help), action.nargs != 0, listed))
    return Offered(name, _plain(words), tuple(options), tuple(arguments))


def bash(offered: Sequence[Offered]) -> str:
    """Return the script for bash; it needs no bash-completion package."""
    cases = []
    for one in offered:
        values = [
            f"      {o.name}) words={shlex.quote(' '.join(o.values))} ;;"
            if o.values
            else f"      {o.name}) files=1 ;;"
            for o in one.options
            if o.takes
        ]
        other = f"      *) words={shlex.quote(' '.join(one.arguments))}"
        files = "" if one.arguments else "; files=1"
        options = " ".join(o.name for o in one.options)
        cases += [
            f"    {one.name})",
            f"      options={shlex.quote(options)}",
            '      case "$before" in',
            *values,
            f"{other}{files} ;;",
            "      esac ;;",
        ]
    commands = " ".join(one.name for one in offered)
    return f"""\
_provado() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
  local options="" words="" files="" reply
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    options="--help --version" words={shlex.quote(commands)}
  else
    case "${{COMP_WORDS[1]}}" in
{chr(10).join(cases)}
    esac
  fi
  case "$word" in
    -*) words="$options" files="" ;;
  esac
  while IFS= read -r reply; do COMPREPLY+=("$reply"); done < <(
    compgen -W "$words" -- "$word"
    [ -n "$files" ] && compgen -f -- "$word"
  )
}}
complete -o filenames -F _provado provado
"""


def zsh(offered: Sequence[Offered]) -> str:
    """Return the script for zsh, to be evaluated after ``compinit``."""
    commands = [f"    {shlex.quote(f'{one.name}:{one.words}')}" for one in offered]
    cases = []
    for one in offered:
        specs = [f"        {shlex.quote(_zsh_option(option))}" for option in one.options]
        rest = f"*: :({' '.join(one.arguments)})" if one.arguments else "*: :_files"
        lines = " \\\n".join([*specs, f"        {shlex.quote(rest)}"])
        cases.append(f"    {one.name})\n      _arguments \\\n{lines} ;;")
    return f"""\
#compdef provado
_provado() {{
  local -a commands
  commands=(
{chr(10).join(commands)}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
{chr(10).join(cases)}
  esac
}}
compdef _provado provado
"""


def fish(offered: Sequence[Offered]) -> str:
    """Return the script for fish."""
    lines = []
    for one in offered:
        words = shlex.quote(one.words)
        lines.append(f"complete -c provado -n __fish_use_subcommand -f -a {one.name} -d {words}")
        here = f"complete -c provado -n {shlex.quote(f'__fish_seen_subcommand_from {one.name}')}"
        if one.arguments:
            lines.append(f"{here} -f -a {shlex.quote(' '.join(one.arguments))}")
        for option in one.options:
            line = f"{here} -l {option.name[2:]} -d {shlex.quote(option.words)}"
            if option.takes:
                line += f" -x -a {shlex.quote(' '.join(option.values))}" if option.values else " -r"
            lines.append(line)
    return "\n".join(lines) + "\n"


def _zsh_option(option: Option) -> str:
    words = option.words.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    spec = f"*{option.name}[{words}]"
    if not option.takes:
        return spec
    return f"{spec}: :({' '.join(option.values)})" if option.values else f"{spec}: :_files"


def _plain(words: str | None) -> str:
    """Return a help text on one line, without what a shell's quotes cannot hold."""
    return " ".join((words or "").replace("'", "’").replace("%%", "%").split())


SHELLS: dict[str, Callable[[Sequence[Offered]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
