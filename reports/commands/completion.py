"""``provado completion``: a script that lets a shell complete commands, options and names."""

from __future__ import annotations

import argparse

from provado.mechanisms.catalogue import catalogue
from provado.proofs.ledger import ledger
from provado.reports import commands
from provado.reports.completion import SHELLS, Offered, offered_by
from provado.reports.exit_status import AS_EXPECTED

HELP = "print a script for completion in bash, zsh or fish"


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Register the command."""
    parser = subparsers.add_parser(
        "completion",
        help=HELP,
        description='Prints a completion script. bash: eval "$(provado completion bash)" in '
        "~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: provado completion "
        "fish > ~/.config/fish/completions/provado.fish.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("shell", choices=sorted(SHELLS))


def run(options: argparse.Namespace) -> int:
    """Print the script for one shell; return the exit status."""
    names = tuple(mechanism.name for mechanism in catalogue())
    ids = tuple(entry.id for entry in ledger())
    print(SHELLS[options.shell](_offered(names, ids)), end="")
    return AS_EXPECTED


def _offered(names: tuple[str, ...], ids: tuple[str, ...]) -> tuple[Offered, ...]:
    subparsers = argparse.ArgumentParser().add_subparsers()
    commands.add(subparsers, commands.names())
    words = {one.dest: one.help or "" for one in subparsers._choices_actions}
    return tuple(
        offered_by(name, words.get(name, ""), parser, {"--only": names, "ids": ids})
        for name, parser in subparsers.choices.items()
    )
