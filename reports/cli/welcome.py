"""What ``provado`` says where no command is given."""

from __future__ import annotations

from collections.abc import Mapping

TRY = (
    ("provado audit --catalogue --only 'laplace*' --seconds 2", "audit some built-in mechanisms"),
    ("provado init --stdout", "find the mechanisms in this folder's Python files"),
    ("provado verify kusner2016/thm5-proof", "decide a published statement, with its argument"),
)
"""Commands that run anywhere in seconds, and what they do."""


def welcome(commands: Mapping[str, str]) -> str:
    """Return what the program can do, by command and in few words, and what to try first."""
    wide = max(map(len, commands))
    does = [f"  provado {name:{wide}}  {words}" for name, words in commands.items()]
    tries = [f"  {command}\n      {words}" for command, words in TRY]
    return "\n".join(
        [
            "Provado proves, refutes and audits privacy claims, and reports what was found.",
            "",
            *does,
            "",
            "To try:",
            *tries,
            "",
            "Your own function: provado audit my.py lists what is in my.py, with a command for "
            "each.",
            "All options of a command: provado COMMAND --help.",
        ]
    )
