"""What tests of audits share."""

import pytest


@pytest.fixture
def two_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two fresh processes agree before somebody is accused, where they are not the point."""
    monkeypatch.setattr("provado.audit.fresh.COPIES", 2)
