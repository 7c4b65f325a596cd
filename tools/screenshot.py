"""Make the README's picture of a report: ``make screenshot``.

Audits the mechanism of the README, opens its page in headless Chromium and writes
``docs/pages/report.png``. CHROMIUM names a browser elsewhere.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/pages/report.png"
WIDTH, HEIGHT = 1180, 700
BROWSERS = ("chromium", "chromium-browser", "google-chrome")

MECHANISM = """\
import numpy as np


def noisy_count(data, *, size, rng):
    return np.round(np.sum(data) + rng.laplace(scale=0.5, size=size), 3)
"""

AUDIT = "audit mine.py:noisy_count --epsilon 1 --data data.json --relation replace-one"
OPTIONS = "--samples 100000 --out out"


def main() -> int:
    """Write the picture; return the exit status."""
    browser = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("no browser: install chromium or set CHROMIUM=path", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mine.py").write_text(MECHANISM, encoding="utf-8")
        (folder / "data.json").write_text("[1, 0, 1]", encoding="utf-8")
        subprocess.run(
            [sys.executable, "-m", "provado.reports", *AUDIT.split(), *OPTIONS.split()],
            cwd=folder,
            env={**os.environ, "LOGNAME": "an auditor"},
            check=False,
        )
        taken = folder / "page.png"
        flags = ["--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={taken}"]
        page = (folder / "out/audit.html").as_uri()
        subprocess.run([browser, *flags, f"--window-size={WIDTH},{HEIGHT}", page], check=True)
        with Image.open(taken) as picture:
            picture.convert("RGB").quantize(64).save(PICTURE, optimize=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
