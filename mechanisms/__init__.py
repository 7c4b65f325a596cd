"""What is promised: statement types, reference mechanisms and the verdict vocabulary."""

from provado.mechanisms.definitions import *  # noqa: F403 — one list of the public names, there
