"""Audits of successive versions, which share one chance of a false alarm and one file."""

from .look import Watchman, watch_over

__all__ = ["Watchman", "watch_over"]
