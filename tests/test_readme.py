"""What the README shows is what happens."""

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def lines_of(snippet, capsys):
    exec(compile(snippet, "README.md", "exec"), {})
    return capsys.readouterr().out.splitlines()


def test_every_snippet_has_its_test():
    assert len(SNIPPETS) == 2


def test_the_table_is_decided_exactly(capsys):
    assert lines_of(SNIPPETS[1], capsys) == ["proved", "3"]


def test_the_example_finds_the_planted_bug(capsys):
    verdict, lower, guess, counts = lines_of(SNIPPETS[0], capsys)
    assert verdict == "violation"
    assert 1.9 < float(lower) < 2
    assert guess.startswith("output ≥ ")
    assert counts.startswith("Counts(")


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)", README):
        if target != "nothing":
            assert f"\n{target}:" in makefile, target
