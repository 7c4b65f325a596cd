"""What is promised: statement types, reference mechanisms and the verdict vocabulary."""

from provado.mechanisms.errors import NotNeighborsError, UsageError
from provado.mechanisms.exact_table import ExactTable
from provado.mechanisms.exactly_decidable import ExactFinding, ExactlyDecidable, UndecidedError
from provado.mechanisms.intervention import Intervention
from provado.mechanisms.mechanism import Dataset, Mechanism, Output
from provado.mechanisms.promise import ApproximateDP, GaussianDP, PrivacyPromise, PureDP
from provado.mechanisms.relation import (
    AddOrRemoveOne,
    BoundedAnswers,
    NeighboringRelation,
    ReplaceOne,
)
from provado.mechanisms.source import Source
from provado.mechanisms.verdict import ExactVerdict, Verdict

__all__ = [
    "AddOrRemoveOne",
    "ApproximateDP",
    "BoundedAnswers",
    "Dataset",
    "ExactFinding",
    "ExactTable",
    "ExactVerdict",
    "ExactlyDecidable",
    "GaussianDP",
    "Intervention",
    "Mechanism",
    "NeighboringRelation",
    "NotNeighborsError",
    "Output",
    "PrivacyPromise",
    "PureDP",
    "ReplaceOne",
    "Source",
    "UndecidedError",
    "UsageError",
    "Verdict",
]
