"""What the README shows is what happens."""

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_the_example_finds_the_planted_bug(capsys):
    (snippet,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {}
    exec(compile(snippet, "README.md", "exec"), names)
    verdict, lower, guess, counts = capsys.readouterr().out.splitlines()
    assert verdict == "violation"
    assert 1.9 < float(lower) < 2
    assert guess.startswith("output ≥ ")
    assert counts.startswith("Counts(")


def test_the_two_commands_are_targets_of_the_makefile():
    makefile = (Path(__file__).parent.parent / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"`?make ([a-z-]+)", README):
        if target != "nothing":
            assert f"\n{target}:" in makefile, target
