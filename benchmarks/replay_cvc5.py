"""Answers an SMT-LIB script on the standard input with the package cvc5, one line a check-sat.

Run by an interpreter that has the package; it imports nothing of ours.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any


def main() -> int:
    """Print what the script's commands answer."""
    cvc5: Any = importlib.import_module("cvc5")
    solver = cvc5.Solver()
    solver.setOption("incremental", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.stdin.read(), "script")
    symbols = parser.getSymbolManager()
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return 0
        print(command.invoke(solver, symbols), end="")


if __name__ == "__main__":
    sys.exit(main())
