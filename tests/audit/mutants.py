"""Mutants of ``audit``: small changes that alter the law of the experiment, all of which must die.

``python -m tests.audit.mutants`` runs the fast tests on each of them and prints the survivors;
words pick those that have one of them in their file or in what they break. Before, it runs them on
the package as it is: tests that fail there would kill everything.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.audit.planted import MUTANTS, Mutant

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

FIRST = {
    "bounds/binomial.py": ("test_binomial_bound.py", "test_one_side.py"),
    "bounds/ladder.py": ("test_ladder_bound.py", "test_curve_limits.py"),
    "bounds/method.py": ("test_one_side.py", "test_curve_audits.py"),
    "pipeline/curve_plan.py": ("test_curve_audits.py",),
    "bounds/trade_off.py": ("test_trade_off.py",),
    "one_run": ("test_one_run.py", "test_one_run_curve.py", "test_one_run_bound.py"),
    "bounds/betting.py": (
        "test_product_bound.py",
        "test_one_side.py",
        "test_betting_bound.py",
        "test_detectable_epsilon.py",
    ),
    "events/online_learner.py": ("test_product_bound.py", "test_one_side.py"),
    "bounds/": ("test_betting_bound.py", "test_detectable_epsilon.py", "test_one_side.py"),
    "bounds/counts.py": ("test_counts_and_effects.py",),
    "events/": ("test_learn_rule.py", "test_audit_verdicts.py"),
    "trials/experiment.py": (
        "test_checkpoints.py",
        "test_coin_and_sides.py",
        "test_no_draw_twice.py",
        "test_independence.py",
        "test_resumed.py",
    ),
    "pipeline/explore.py": ("test_shares_of_alpha.py", "test_no_draw_twice.py", "test_rounding.py"),
    "options/request.py": ("test_shares_of_alpha.py",),
    "pipeline/session.py": (
        "test_shares_of_alpha.py",
        "test_watch.py",
        "test_broken_mechanisms.py",
        "test_audit_verdicts.py",
        "test_curve_audits.py",
    ),
    "trials/executor.py": ("test_executor.py",),
    "trials/checkpoint.py": ("test_resumed.py",),
    "bounds/alpha_spending.py": ("test_spending.py",),
    "search/": ("test_search_edits.py", "test_search_counts.py", "test_search_neighbors.py"),
    "pipeline/one_pair.py": (
        "test_shares_of_alpha.py",
        "test_audit_verdicts.py",
        "test_independence.py",
        "test_search_edits.py",
    ),
    "target/random_state.py": ("test_independence.py", "test_audit_replay.py"),
    "checks/independence.py": ("test_independence.py",),
    "result.py": ("test_trade_off.py",),
    "api.py": ("test_broken_mechanisms.py",),
    "checks/state.py": ("test_independence.py",),
}
"""Where most mutants of a file die; these tests are run before the others, which are slower."""

HANGS = 1200
"""Seconds after which tests are said to hang, which kills a mutant as a failure does."""


def source_of(mutant: Mutant) -> str:
    """Return the file as it is; raises ``ValueError`` unless ``old`` stands in it once."""
    text = (ROOT / "audit" / mutant.file).read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file}: {text.count(mutant.old)} times {mutant.old!r}, not once")
    return text


def changed_source(mutant: Mutant) -> str:
    """Return the file with the change."""
    return source_of(mutant).replace(mutant.old, mutant.new)


def failing_test(mutant: Mutant | None) -> str:
    """Return the first fast test that fails with the change, empty where none does."""
    first = next((tests for path, tests in FIRST.items() if mutant and path in mutant.file), ())
    with tempfile.TemporaryDirectory() as name:
        copied = _namespace(folder := Path(name))
        if mutant is not None:
            (copied / mutant.file).write_text(changed_source(mutant), encoding="utf-8")
        return (_failure(first, folder) if first else "") or _failure((".",), folder)


def _failure(tests: tuple[str, ...], folder: Path) -> str:
    """Run tests against the package in a folder; return the first that fails, empty if none."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    try:
        done = subprocess.run(
            [*command, *(str(HERE / test) for test in tests)],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=HANGS,
        )
    except subprocess.TimeoutExpired:
        return "the tests hang"
    if done.returncode == 0:
        return ""
    lines = [x for x in done.stdout.splitlines() if x.startswith(("FAILED", "ERROR"))]
    if done.returncode < 0 or not lines:
        # Killed from outside, or never begun: that says nothing about the mutant.
        said = (done.stdout + done.stderr)[-2000:]
        raise RuntimeError(f"the tests ended with status {done.returncode}: {said}")
    return lines[0]


def _namespace(folder: Path) -> Path:
    """Make a copy of the package ``provado`` in a folder; return its part ``audit``."""
    home = folder / "provado"
    home.mkdir()
    # Without it the package that is installed would be found instead.
    shutil.copy(ROOT / "src" / "provado" / "__init__.py", home)
    # All of it: what lies elsewhere passes for the user's code, by which replays go.
    for room in ("audit", "mechanisms", "proofs", "reports"):
        shutil.copytree(ROOT / room, home / room, ignore=shutil.ignore_patterns("__pycache__"))
    return home / "audit"


def main(words: list[str]) -> int:
    """Run the mutants that the words pick, all without any; return how many survive.

    Raises ``RuntimeError`` where a test fails without any change.
    """
    if broken := failing_test(None):
        raise RuntimeError(f"without any change {broken}")
    named = ((f"{mutant.file}: {mutant.breaks}", mutant) for mutant in MUTANTS)
    chosen = [(text, m) for text, m in named if not words or any(word in text for word in words)]
    survivors = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        killers = pool.map(failing_test, [mutant for _, mutant in chosen])
        for (text, _), killer in zip(chosen, killers, strict=True):
            survivors += not killer
            print(f"{'dies' if killer else 'SURVIVES'}  {text}", flush=True)
            print(f"    {killer[:150]}", flush=True)
    print(f"{survivors} of {len(chosen)} survive")
    return survivors


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
