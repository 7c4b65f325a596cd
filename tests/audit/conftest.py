"""What tests of audits share."""

import gc

import pytest


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Spare the audits of the next file the search of what this one left behind."""
    if nextitem is not None and nextitem.path != item.path:
        gc.collect()
        gc.freeze()
