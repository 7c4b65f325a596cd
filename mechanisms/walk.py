"""Walks a folder of modules, so that what a new file holds is found without a list to edit."""

import importlib
import pkgutil
from collections.abc import Iterator
from types import ModuleType


def modules_in(folder: str) -> Iterator[ModuleType]:
    """Import and yield every module in the package of that name, and below, by name."""
    path = importlib.import_module(folder).__path__
    for module in pkgutil.walk_packages(path, f"{folder}."):
        yield importlib.import_module(module.name)
