"""The papers' experiments as a whole: time, the same bytes for a seed, a killed run that goes on.

``make bench-reproduce`` runs all of them twice in the quick version; ``--full`` the whole set once
as well, which takes most of an hour on two processors. Bars: the quick set in 5 minutes, the full
one in 90, on two processors; pages that do not differ; parts that are not done twice.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUICK, FULL = 5 * 60.0, 90 * 60.0


def command(out: Path, *more: str) -> list[str]:
    """Return the call of the command line that leaves everything under a folder."""
    own = [sys.executable, "-m", "provado.reports", "reproduce", "--all"]
    return [*own, "--jobs", "2", "--out", str(out), "--pages", str(out / "pages"), *more]


def timed(out: Path, *more: str) -> float:
    """Run to the end and return the seconds; ends this program where it fails."""
    start = time.monotonic()
    done = subprocess.run(command(out, *more), check=False, stdout=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"status {done.returncode}  BAR MISSED")
    return time.monotonic() - start


def killed(out: Path, seconds: float) -> int:
    """Start a run, kill it after so many seconds, and return how many parts it leaves."""
    process = subprocess.Popen(command(out, "--quick"), stdout=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return len(list(out.rglob("parts/*.json")))


def line(what: str, seconds: float, bar: float) -> bool:
    """Print a time and its share of the bar."""
    fine = seconds <= bar
    share = f"{seconds / bar:.2f} of the bar"
    print(f"{what:44s}{seconds:8.0f} s  {share}{'' if fine else '  BAR MISSED'}", flush=True)
    return fine


def bench(full: bool) -> bool:
    """Print all figures; return whether every bar is met."""
    with tempfile.TemporaryDirectory() as name:
        one, two = Path(name) / "one", Path(name) / "two"
        fine = line("all experiments, quick", timed(one, "--quick"), QUICK)
        left = killed(two, 20)
        before = {file: file.stat().st_mtime_ns for file in two.rglob("parts/*.json")}
        again = timed(two, "--quick")
        kept = sum(file.stat().st_mtime_ns == stamp for file, stamp in before.items())
        print(f"killed after 20 s with {left} parts, {kept} kept; the rest took {again:.0f} s")
        fine &= 0 < left == kept
        pages = [{p.name: p.read_bytes() for p in (o / "pages").iterdir()} for o in (one, two)]
        same = pages[0] == pages[1]
        print(f"{len(pages[0])} pages and pictures, byte for byte: {'the same' if same else 'NOT'}")
        fine &= same
        if full:
            fine &= line("all experiments, full", timed(Path(name) / "full"), FULL)
    return fine


def main() -> int:
    """Print the figures; exit 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="the full set too")
    return 0 if bench(parser.parse_args().full) else 1


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    raise SystemExit(main())
