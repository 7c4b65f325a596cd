"""The pages, as the command line leaves them, and a browser to open them in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from provado.proofs.ledger import ledger
from provado.reports.audit_report.document import load_run
from provado.reports.audit_report.page import render
from provado.reports.cli.main import main
from provado.reports.ledger.run import decide_all
from tests.browser.chromium import Browser, Page

AXE = Path(__file__).parents[2] / "build/browser/node_modules/axe-core/axe.min.js"

TARGETS = '''
"""Something of every verdict, with names and outputs that a page must not take for markup."""

import numpy as np

from provado.proofs.causal.examples import noisy_count

MARKUP, REVERSED = "</script><b>", "\\u202e'"

table = noisy_count(2, 2)

def sound(data, *, size, rng):
    return np.round(rng.laplace(scale=1.0, size=size) + sum(data), 2)

def leaky(data, *, size, rng):
    return np.where(rng.random(size) < (0.99 if sum(data) > 1 else 0.01), MARKUP, REVERSED)

def cells(data, rng):
    return np.bincount(np.asarray(data, int), minlength=200) + rng.normal(size=200)

def rare(data, *, size, rng):
    return rng.random(size) < (0.03 if sum(data) > 1 else 0.001)

def silent(data, *, size, rng):
    return np.zeros(size)

def broken(data):
    raise RuntimeError("</details></script><script>document.title = 'taken'</script>")
'''


PROVED = """
import math

from provado.mechanisms.programs import bernoulli, laplace, output


def above(q, epsilon=1.0, threshold=0.0):
    level = threshold + laplace(2 / epsilon)
    for x in q:
        if x + laplace(4 / epsilon) >= level:
            output(True)  # </code></li><script>document.title = 'taken'</script>
            break
        output(False)


def careless(x: int, epsilon):
    if bernoulli(math.exp(epsilon) / (1 + math.exp(epsilon))):
        output(x)


def square(q, epsilon):
    output(q[0] * q[0] + laplace(1 / epsilon))


def mean(ages, rng):
    total = 0.0
    for age in ages:
        total += min(max(age, 0), 1)
    return (total + rng.laplace(scale=1.0)) / len(ages)


def noisy(ages, rng):
    return sum(ages) + rng.laplace(scale=1.0)
"""

CONFIGURED = """
[prove.above]
target = "proved.py:above"

[prove.careless]
target = "proved.py:careless"
domain = [0, 1]
expected = "refuted"

[prove.square]
target = "proved.py:square"
"""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "browser: the pages in headless Chromium; run by `make test-browser`"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what stands here, and leave it out unless ``-m`` speaks of it, as for ``slow``."""
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in here:
        item.add_marker(pytest.mark.browser)
    if here and "browser" not in (config.option.markexpr or ""):
        config.hook.pytest_deselected(items=here)
        items[:] = [item for item in items if item not in here]


@pytest.fixture(scope="session")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The files by name; ``ledger`` is the audit's page with one statement's argument."""
    folder = tmp_path_factory.mktemp("pages")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("d.json").write_text("[0, 1, 1]")
        Path("e.json").write_text("[0, 1, 0]")
        Path("people.csv").write_text("ada,byron\n0,0\n1,1\n0,0\n1,1\n")
        Path("mine.py").write_text(TARGETS)
        names = [f"mine.py:{name}" for name in ("sound", "leaky", "rare", "silent", "broken")]
        claim = ["--epsilon", "1", "--pair", "d.json", "e.json", "--samples", "20000"]
        assert main(["audit", *names, *claim, "--out", "own"]) == 1
        assert main(["audit", "mine.py:sound", *claim, "--out", "single"]) == 0
        assert main(["audit", "mine.py:table", "--epsilon", "0.7", "--out", "exact"]) == 0
        wanted = ("priv-pc/one-edge", "twin/laplace-wrong-scale", "laplace/*")
        some = [f"--only={name}" for name in wanted]
        assert main(["audit", "--catalogue", *some, "--samples", "5000", "--out", "some"]) in (0, 1)
        assert main(["verify", "zhang2023/*", "--out", "verify"]) == 0
        count = ["mine.py:sound", "--population", "people.csv", "--point", "ada"]
        effect = [*count, "--values", "1", "0", "--epsilon", "1", "--samples", "2000"]
        assert main(["effect", *effect, "--out", "effect"]) == 0
        rows = "".join(f"{i % 2},{i % 2 if i % 7 else 1},{i % 3}\n" for i in range(400))
        Path("table.csv").write_text("smoker,cancer,region\n" + rows)
        discover = ["discover", "table.csv", "--epsilon", "1", "--out", "graph"]
        assert main(discover) == 0
        experiments = ["kusner2016/table2", "kusner2016/theorems"]
        assert main(["reproduce", *experiments, "--quick", "--jobs", "1", "--out", "papers"]) == 0
        Path("proved.py").write_text(PROVED)
        Path("provado.toml").write_text(CONFIGURED)
        assert main(["audit", "proved.py:above", *claim, "--out", "beside"]) == 0
        assert main(["prove", "--out", "prove"]) == 3
        Path("longer.json").write_text("[0, 1, 1, 1]")
        pair = ["--pair", "d.json", "longer.json", "--epsilon", "1"]
        replay = ["replay", "proved.py:mean", "proved.py:noisy", *pair, "--out", "replay"]
        assert main([*replay, "--certify", "--samples", "2000"]) == 1
        Path("canaries.json").write_text(str(list(range(200))))
        few = ["--promise", "gdp:1", "--canaries", "canaries.json", "--runs", "2"]
        assert main(["audit", "mine.py:cells", *few, "--out", "few"]) == 0
        whole = ["--promise", "gdp:2", "--pair", "d.json", "e.json", "--samples", "20000"]
        assert main(["audit", "mine.py:sound", *whole, "--out", "whole"]) == 0
        curves = [load_run(Path(name, "audit.json")) for name in ("few", "whole")]
        Path("curves.html").write_text(
            render(replace(curves[0], records=curves[0].records + curves[1].records)),
            encoding="utf-8",
        )
        runs = [load_run(Path(name, "audit.json")) for name in ("own", "exact", "some")]
        both = replace(runs[0], records=tuple(record for run in runs for record in run.records))
        decided = decide_all([e for e in ledger() if e.id == "wang2020/subsample-size"], 1)
        Path("audit.html").write_text(render(both), encoding="utf-8")
        many = [
            replace(record, result=replace(record.result, name=f"{record.result.name}-{place}"))
            for place, record in enumerate(both.records * 20)
            if record.result.pairs
        ]
        hundred = replace(both, records=tuple(many[:100]))
        Path("hundred.html").write_text(render(hundred), encoding="utf-8")
        Path("ledger.html").write_text(render(both, ledger=decided), encoding="utf-8")
    return {
        "audit": folder / "audit.html",
        "ledger": folder / "ledger.html",
        "hundred": folder / "hundred.html",
        "single": folder / "single/audit.html",
        "verify": folder / "verify/verify.html",
        "effect": folder / "effect/effect.html",
        "papers": folder / "papers/quick/index.html",
        "graph": folder / "graph/graph.html",
        "curves": folder / "curves.html",
        "beside": folder / "beside/audit.html",
        "prove": folder / "prove/prove.html",
        "replay": folder / "replay/replay.html",
    }


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    browser = Browser()
    try:
        yield browser
    finally:
        browser.close()


@pytest.fixture
def visit(browser: Browser, pages: dict[str, Path]) -> Iterator[Callable[..., Page]]:
    """Opens a page by name; its tab is closed at the end of the test."""
    opened: list[Page] = []

    def open_page(name: str, **given: object) -> Page:
        opened.append(Page(browser, pages[name], **given))
        return opened[-1]

    yield open_page
    for page in opened:
        page.close()


@pytest.fixture(scope="session")
def axe() -> str:
    """The source of axe-core, which `make test-browser` installs."""
    return AXE.read_text(encoding="utf-8")
