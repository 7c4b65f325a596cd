"""The long description of the distributions: the README with links that a package index can follow.

Relative links of the README work in the repository and nowhere else. They are made absolute from
the address ``Repository`` in ``[project.urls]`` of ``pyproject.toml``, the one place to fill in
before a release. As long as it is missing, links become plain text and pictures are left out.
"""

import re
import tomllib
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
_LINK = re.compile(r"(!?)\[([^]]*)\]\((?!https?:|#)([^)]+)\)")


def long_description(readme: str, repository: str | None, version: str) -> str:
    """Return the text of the README without relative links.

    repository: the address of the repository, as in ``https://HOST/OWNER/NAME``, or None.
    version: the release; its tag is ``v`` and the version.
    """

    def absolute(found: re.Match[str]) -> str:
        picture, words, path = found.groups()
        if repository is None:
            return "" if picture else words
        kind = "raw" if picture else "blob"
        return f"{picture}[{words}]({repository.rstrip('/')}/{kind}/v{version}/{path})"

    return _LINK.sub(absolute, readme)


if __name__ == "__main__":
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    setup(
        long_description=long_description(
            (ROOT / "README.md").read_text(encoding="utf-8"),
            project["urls"].get("Repository"),
            project["version"],
        ),
        long_description_content_type="text/markdown",
    )
