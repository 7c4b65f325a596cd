"""The tests of the snippets find what is wrong: each rule with a page that breaks it."""

import pytest

from tests.docs.fences import blocks
from tests.docs.matching import matches
from tests.docs.running import commands_of, run_page

GOOD = """
```python
x = 3
print(x)
```

```output
3
```

```json title="a/b.json"
[1]
```

```console
$ cat a/b.json
[1]
$ provado nonsense
provado: error: ...
$ echo $?
2
```

```python
import json

assert json.load(open("a/b.json")) == [x - 2]
```
"""


def wrong(text, tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    return run_page(blocks("page.md", text), folder)[0]


def test_a_page_that_is_right(tmp_path):
    assert wrong(GOOD, tmp_path) == []


AGAIN = """
```python title="{name}.py"
X = 1
```

```python
import {name}

print({name}.X)
```

```output
1
```

```python title="{name}.py"
X = 2


def f(data):
    return X
```

```python
import {name}

print({name}.X)
```

```output
2
```

```console
$ provado audit {name}.py:f --epsilon 1
provado: error: ...--pair...
$ cat {name}.py
X = 2
...
```
"""


@pytest.mark.parametrize("name", ["mine", "fences"])
def test_a_file_that_is_written_anew_is_read_anew(name, tmp_path):
    text = AGAIN.replace("{name}", name)
    assert wrong(text, tmp_path) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("```output\n3\n```\n", "no block that was run"),
        ("```python\nprint(1)\n```\n", "does not show"),
        ("```python\nprint(1)\n```\n```output\n2\n```\n", "what was printed:\n1"),
        ("```python\nraise KeyError('gone')\n```\n", "KeyError"),
        ("```python\nimport sys; sys.exit()\n```\n", None),
        ("```json\n[1]\n```\n", "is not run"),
        ("```\nplain\n```\n", "is not run"),
        ("```console\nprovado\n```\n", "must be a command"),
        ("```console\n$ cat gone.json\n$ echo $?\n0\n```\n", "what was printed:\n1"),
    ],
)
def test_a_page_that_is_wrong(text, said, tmp_path):
    if said is None:
        with pytest.raises(RuntimeError, match="SystemExit"):
            wrong(text, tmp_path)
    else:
        assert any(said in one for one in wrong(text, tmp_path))


def test_an_unknown_option_of_a_fence_is_refused():
    with pytest.raises(ValueError, match="skip"):
        blocks("page.md", '```python skip="true"\n```\n')


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\n", "a\nb\n", False),
        ("a\nb\n", "a\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nc\n", False),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\nd\n", "a\nd\n", True),
        ("a\n...\n", "a\nb\n", True),
        ("a\n...\n", "b\n", False),
        ("...\nd\n", "a\nb\n", False),
        ("", "", True),
        ("", "a\n", False),
        ("(1.0)\n", "(1x0)\n", False),
    ],
)
def test_three_dots_stand_for_anything(shown, printed, same):
    assert matches(shown, printed) is same


def test_a_command_may_be_continued():
    assert commands_of("$ a \\\n  b\nc\n$ d\n") == [("$ a \\\n  b\n", "c\n"), ("$ d\n", "")]
