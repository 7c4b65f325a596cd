"""The check of phrases finds a planted one, and leaves code and quoted output alone."""

from tools.phrases import found_in, main, refused


def test_a_planted_phrase_is_found_across_a_line_break():
    text = "# Title\n\nThe pair that tell\nmost is searched.\n"
    assert list(found_in(text, refused())) == [(3, "tell most")]


def test_code_and_quoted_output_are_left_alone():
    text = "```console\nwhat tells\n```\n\n`what tells` is a key.\n\n> what tells\n"
    assert list(found_in(text, refused())) == []
    assert list(found_in(f"{text}\nThat is what tells.\n", refused())) == [(9, "what tells")]


def test_of_code_strings_and_comments_are_read_too():
    text = (
        '"""What is in `what tells`."""\nx = "it is "\n    "thrown "\n    "away"\n# at\n# fault\n'
    )
    found = list(found_in(text, refused(), markdown=False))
    assert found == [(1, "what tells"), (5, "at fault"), (3, "thrown away")]


def test_the_documentation_and_the_code_have_none(capsys):
    assert main() == 0, capsys.readouterr().out
