"""Map the root folders to provado.* so that a new sub-package is never left out of the wheel."""

from setuptools import find_packages, setup

ROOMS = ("audit", "mechanisms", "proofs", "reports")

setup(
    packages=[
        f"provado.{package}"
        for room in ROOMS
        for package in [room, *(f"{room}.{sub}" for sub in find_packages(room))]
    ],
    package_dir={f"provado.{room}": room for room in ROOMS},
)
