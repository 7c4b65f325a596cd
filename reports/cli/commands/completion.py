"""``provado completion``: a script that lets a shell complete commands, options and names."""

from __future__ import annotations

import argparse

from provado.mechanisms.catalogue import catalogue
from provado.mechanisms.walk import modules_in
from provado.proofs.ledger import ledger
from provado.reports.documents.exit_status import AS_EXPECTED
from provado.reports.targets.argument_parser import Parser, add_command

HELP = "print a script for completion in bash, zsh or fish"
DESCRIPTION = (
    'Prints a completion script. bash: eval "$(provado completion bash)" in '
    "~/.bashrc. zsh: the same with zsh in ~/.zshrc, after compinit. fish: provado completion "
    "fish > ~/.config/fish/completions/provado.fish."
)


def add(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    parser.add_argument("shell", choices=("bash", "fish", "zsh"))


def run(options: argparse.Namespace) -> int:
    """Print the script for one shell; return the exit status."""
    subparsers = Parser(prog="provado").add_subparsers()
    for command in modules_in(__name__.rpartition(".")[0]):
        add_command(subparsers, command.__name__.rpartition(".")[2], command)
    print(script(subparsers, options.shell))
    return AS_EXPECTED


def script(subparsers: argparse._SubParsersAction[Parser], shell: str) -> str:
    """Return the script, made from what the commands' parsers say.

    Names of the catalogue and ids of the ledger are offered where they are taken, the choices of
    an option where it lists them, else files.
    """
    import shtab

    root = argparse.ArgumentParser(prog="provado")
    root.add_argument("--version", action="version")
    root._add_action(subparsers)
    known = {
        "only": [mechanism.name for mechanism in catalogue()],
        "ids": [entry.id for entry in ledger()],
    }
    for command in subparsers.choices.values():
        for action in command._actions:
            if isinstance(action.metavar, tuple):
                action.metavar = " ".join(action.metavar)
            action.choices = action.choices or known.get(action.dest)
            if action.choices is None and action.nargs != 0:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(root, shell)
