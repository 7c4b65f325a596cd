"""Functions of records that add noise to what they compute: proved private, or refuted by a pair.

A function is followed with symbols for all datasets at once (``proofs.sensitivity.change``); where
noise is added, a *release* is noted: what is released, the noise and its scale. Between neighbors
its numbers move by a bounded amount, and a theorem about the noise turns that into a privacy loss.
"""

from .decide import ReleaseDecision, decide_releases

__all__ = ["ReleaseDecision", "decide_releases"]
