"""What a file says in a process of its own is what pytest reports of it, also where it breaks."""

import re

from tests.docs.running import printed

GOOD = "import os\n\ndef test_one(tmp_path):\n    assert tmp_path.is_dir()\n"
OPTIONS = ("-p", "tests.forked_files", "-p", "no:cacheprovider", "--files", "2", "--color=no")
FILES = {
    "test_good.py": GOOD,
    "test_bad.py": GOOD + "\ndef test_two():\n    print('said before')\n    assert 1 == 2\n",
    "test_broken.py": "import nothing_of_this_name\n",
    "test_empty.py": "",
    "test_ended.py": GOOD + "\ndef test_two():\n    os._exit(0)\n",
    "test_killed.py": GOOD + "\ndef test_two():\n    os.kill(os.getpid(), 9)\n",
}


def ran(folder, *names, options=()):
    """Return the status of pytest, what it counted, and all that it printed."""
    for name in names:
        (folder / name).write_text(FILES[name])
    status, text = printed("pytest", [*OPTIONS, *options, "."], folder)
    counted = {what: int(number) for number, what in re.findall(r"(\d+) (passed|failed|err)", text)}
    return status, counted, text


def test_a_file_that_passes_does(tmp_path):
    status, counted, _ = ran(tmp_path, "test_good.py", "test_empty.py")
    assert (status, counted) == (0, {"passed": 1})


def test_every_way_to_break_is_reported(tmp_path):
    status, counted, text = ran(tmp_path, *FILES)
    assert status == 1
    assert counted == {"passed": 4, "failed": 1, "err": 3}
    assert "assert 1 == 2" in text
    assert "said before" in text
    assert "No module named 'nothing_of_this_name'" in text
    assert "test_ended.py" in text
    assert "ended with status 9" in text


def test_each_way_alone_fails_the_whole(tmp_path):
    for name in FILES.keys() - {"test_good.py", "test_empty.py"}:
        folder = tmp_path / name.removesuffix(".py")
        folder.mkdir()
        status, counted, _ = ran(folder, "test_good.py", name)
        assert status == 1, name
        assert counted["passed"] >= 1


def test_the_first_failure_ends_it_where_that_is_asked(tmp_path):
    status, counted, _ = ran(tmp_path, *FILES, options=("-x", "--files", "1"))
    assert status != 0
    assert counted.get("failed", 0) + counted.get("err", 0) == 1
