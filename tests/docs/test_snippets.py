"""What the documentation shows is what happens."""

import pytest

from tests.docs.fences import blocks, pages
from tests.docs.running import commands_of, run_page

SLOW: set[str] = {
    "how-to/long-runs.md",
    "how-to/pandas.md",
    "how-to/prove-your-mechanism.md",
}
"""Pages that take more than a few seconds."""

NOT_RUN = {
    "the figures are one machine's": "a forecast of seconds; tests/reports has its words",
    "needs a cluster": "tests/reports/test_dask.py runs one on loopback",
    "takes minutes": "`make verify-formal` does the same",
    "part of an entry": "an excerpt; the whole entry is decided by tests of the ledger",
    "installs": "downloads packages, which the tests do not",
    "runs on GitHub": "needs GitHub; the file has tests of its own",
    "people.csv is yours": "a file of the reader; tests/reports/test_redact.py runs such commands",
    "needs Opacus": "tests/mechanisms/adapters/test_dp_sgd_frameworks.py where it is installed",
    "needs JAX Privacy": "tests/mechanisms/adapters/test_dp_sgd_frameworks.py likewise",
    "needs pre-commit": "a program that the tests do not install; the file has tests of its own",
}
"""The reasons for which a block may go without being run."""


def _marked(page):
    return pytest.param(page, marks=pytest.mark.slow if page in SLOW else ())


def test_slow_pages_exist():
    assert set(pages()) >= SLOW


@pytest.mark.parametrize("page", [_marked(p) for p in pages() if blocks(p)])
def test_every_block_runs_and_prints_what_is_shown(page, tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    wrong, _ = run_page(blocks(page), folder)
    assert not wrong, "\n\n".join(wrong)


def test_what_is_not_run_says_why_and_is_known():
    reasons = {block.no_run for page in pages() for block in blocks(page) if block.no_run}
    assert reasons <= NOT_RUN.keys()
    assert reasons == NOT_RUN.keys(), "a reason that no page gives can go"


def test_commands_that_were_not_run_exist():
    for page in pages():
        for block in blocks(page):
            if block.no_run and block.language == "console":
                for command, shown in commands_of(block.text):
                    assert not shown, f"{block.place}: shows an output that nothing checked"
                    assert command.split()[1] in ("pip", "python3", "source"), block.place
