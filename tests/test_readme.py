"""What the README shows is what happens."""

import re
from pathlib import Path

from tests.docs.running import printed

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def lines_of(snippet, capsys):
    exec(compile(snippet, "README.md", "exec"), {})
    return capsys.readouterr().out.splitlines()


def test_every_snippet_has_its_test():
    assert len(SNIPPETS) == 2


def test_the_test_in_it_fails_with_a_witness_and_passes_once_mended(tmp_path):
    (folder := tmp_path / "mine").mkdir()

    def pytest_on(snippet):
        (folder / "test_count.py").write_text(snippet, encoding="utf-8")
        return printed("pytest", ["-q", "-p", "no:cacheprovider", "test_count.py"], folder)

    (wrong, said), (mended, passed) = (
        pytest_on(SNIPPETS[1].replace("scale=0.5", s)) for s in ("scale=0.5", "scale=1")
    )
    assert wrong == 1
    assert "noisy_count: violation, claimed ε = 1, certified ε ≥ 1.9" in said
    assert "Guess D when output" in said or "Guess D when the output" in said
    assert mended == 0, passed
    assert "chance of any false alarm at most 5 %" in passed


def test_the_example_finds_the_planted_bug(capsys):
    verdict, lower, pair, cause, counts = lines_of(SNIPPETS[0], capsys)
    assert verdict in SNIPPETS[0]
    assert "violation" in verdict
    assert 1.9 < float(lower) < 2
    assert "do(D[" in pair
    assert cause.startswith("The record moves output by about ")
    assert counts.startswith("Counts(")


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)", README):
        if target != "nothing":
            assert f"\n{target}:" in makefile, target


def test_it_is_short_and_its_figures_are_those_of_the_benchmarks():
    assert len(README.splitlines()) <= 150
    measured = [
        line
        for page in ("docs/pages/reference/comparison.md", "benchmarks/results/museum.md")
        for line in (ROOT / page).read_text(encoding="utf-8").splitlines()
    ]
    audits, flaws = README.split("| mechanism | claimed")[1].split("| library | flaw")
    shown = re.findall(r"^\| (.+?) \| (.+?) \| (\*\*.+?\*\*) \|", audits, re.MULTILINE)
    assert len(shown) >= 4
    for name, true, figure in shown:
        assert any(f"| {name} | {true} |" in line and figure in line for line in measured), name
    published = re.findall(r"(\d[\d.]+\d): (ε ≥ [\d.]+), claims ([\d.]+) \| [^–]", flaws)
    assert len(published) >= 4
    for version, bound, claim in published:
        assert any(f" {version}: {bound}, claimed {claim}" in line for line in measured), version
    atlas = (ROOT / "benchmarks/results/atlas.md").read_text(encoding="utf-8").splitlines()
    today = re.findall(
        r"^\| ([\w-]+), .* (\d[\d.]+\d): (ε ≥ [\d.]+), claims ([\d.]+) \| –", flaws, re.MULTILINE
    )
    assert len(today) >= 5
    assert len(published) + len(today) == flaws.count(", claims ")
    for package, version, bound, claim in today:
        rows = [line for line in atlas if line.startswith(f"| {package} {version} |")]
        assert any(
            f"| ε = {claim}" in line and bound in line and "| violation |" in line for line in rows
        ), package


def test_every_file_that_it_names_is_there():
    for path in re.findall(r"\]\((?!http)([^)#]+)", README):
        assert (ROOT / path).exists(), path
