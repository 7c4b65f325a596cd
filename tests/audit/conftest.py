"""What tests of audits share."""

import gc

import pytest


@pytest.fixture
def two_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two fresh processes agree before somebody is accused, where they are not the point."""
    monkeypatch.setattr("provado.audit.checks.state.COPIES", 2)


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Spare the audits of the next file the search of what this one left behind."""
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()
