"""Take the pictures of reports: ``make screenshot``.

Audits the mechanism of the README and runs the code of the gallery (``docs/pages/gallery.md``),
opens the pages that they leave in headless Chromium, and writes ``docs/pages/report.png`` and
``docs/pages/gallery``. CHROMIUM names a browser elsewhere.
"""

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.browser.chromium import Browser, Page, executable
from tests.docs.fences import PAGES, blocks
from tests.docs.running import run_page

WIDTH, HEIGHT = 1180, 700

MECHANISM = """\
import numpy as np


def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)
"""

AUDIT = "audit mine.py:noisy_count --epsilon 1 --data data.json --relation replace-one"
OPTIONS = "--samples 100000 --out out"


@dataclass(frozen=True)
class Taken:
    """What a picture of the gallery shows.

    report: the file that the gallery's code leaves. part: a selector of the element that is shown;
    the top of the page where it is empty. height: the most pixels that are shown.
    """

    report: str
    part: str = ""
    height: int = 600


GALLERY = {
    "audit": Taken("audit.html", height=530),
    "curve": Taken("curve.html", ".plots figure"),
    "one_run": Taken("one_run.html", "details.card"),
    "proof": Taken("proof/prove.html", "details.card", 452),
    "replay": Taken("replay/replay.html", "details.card", 456),
    "effect": Taken("effect/effect.html", ".forest"),
    "graph": Taken("graph/graph.html", height=560),
}
GALLERY_WIDTH, MARGIN = 900, 8


def save(picture: Image.Image, file: Path) -> None:
    """Write a picture in few colors, which keeps it small."""
    picture.convert("RGB").quantize(64).save(file, optimize=True)


def take_report(browser: Browser, folder: Path) -> None:
    """Write the picture of the README's audit."""
    (folder / "mine.py").write_text(MECHANISM, encoding="utf-8")
    (folder / "data.json").write_text("[1, 0, 1]", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "provado.reports", *AUDIT.split(), *OPTIONS.split()],
        cwd=folder,
        env={**os.environ, "LOGNAME": "an auditor"},
        check=False,
    )
    page = Page(browser, folder / "out/audit.html", width=WIDTH)
    page.picture(folder / "page.png")
    with Image.open(folder / "page.png") as whole:
        save(whole.crop((0, 0, WIDTH, HEIGHT)), PAGES / "report.png")


def take_gallery(browser: Browser, folder: Path) -> None:
    """Run the code of the gallery and write its pictures; raises where the code does not run."""
    os.environ["LOGNAME"] = "an auditor"
    wrong, _ = run_page(blocks("gallery.md"), folder)
    if wrong:
        raise RuntimeError("\n\n".join(wrong))
    (PAGES / "gallery").mkdir(exist_ok=True)
    for name, taken in GALLERY.items():
        page = Page(browser, folder / taken.report, width=GALLERY_WIDTH)
        page.picture(folder / "page.png")
        left, top, right, bottom = 0, 0, GALLERY_WIDTH, taken.height
        if taken.part:
            found = f"document.querySelector({taken.part!r}).getBoundingClientRect()"
            rect = f"(r => [r.left, r.top, r.right, r.bottom].map(Math.round))({found})"
            left, top, right, bottom = page.evaluate(rect)
            left, top, right = left - MARGIN, top - MARGIN, right + MARGIN
        with Image.open(folder / "page.png") as whole:
            box = (left, top, right, min(bottom + MARGIN, top + taken.height, whole.height))
            save(whole.crop(box), PAGES / "gallery" / f"{name}.png")
        page.close()


def main() -> int:
    """Write the pictures; return the exit status."""
    try:
        executable()
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        browser = Browser()
        try:
            for take in (take_report, take_gallery):
                folder = Path(name) / take.__name__
                folder.mkdir()
                take(browser, folder)
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
