"""What the README shows is what happens."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def lines_of(snippet, capsys):
    exec(compile(snippet, "README.md", "exec"), {})
    return capsys.readouterr().out.splitlines()


def test_every_snippet_has_its_test():
    assert len(SNIPPETS) == 3


def test_the_table_is_decided_exactly(capsys):
    assert lines_of(SNIPPETS[1], capsys) == ["proved", "3"]


def test_the_test_in_it_fails_with_a_witness_and_passes_once_mended(tmp_path):
    def pytest_on(snippet):
        (tmp_path / "test_count.py").write_text(snippet, encoding="utf-8")
        run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_count.py"]
        return subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)

    wrong, mended = (
        pytest_on(SNIPPETS[2].replace("scale=0.5", s)) for s in ("scale=0.5", "scale=1")
    )
    assert wrong.returncode == 1
    assert "noisy_count, ε = 1: violation: ε ≥ 1.9" in wrong.stdout
    assert "Guess D when output" in wrong.stdout or "Guess D when the output" in wrong.stdout
    assert mended.returncode == 0, mended.stdout
    assert "chance of any false alarm at most 5 %" in mended.stdout


def test_the_example_finds_the_planted_bug(capsys):
    verdict, lower, pair, cause, counts = lines_of(SNIPPETS[0], capsys)
    assert verdict == "violation"
    assert 1.9 < float(lower) < 2
    assert "do(D[" in pair
    assert cause.startswith("The record moves output by about 1")
    assert counts.startswith("Counts(")


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)", README):
        if target != "nothing":
            assert f"\n{target}:" in makefile, target
