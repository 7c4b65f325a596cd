from __future__ import annotations

import os

import pytest

from provado.reports.run.workers import run_forked


def test_output_of_the_work_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    def chatter() -> None:
        print("from Python", flush=True)
        os.write(1, b"from below\n")

    run_forked([chatter], processes=1, time_limit=30)
    out, err = capfd.readouterr()
    assert out == ""
    assert "from below" in err
