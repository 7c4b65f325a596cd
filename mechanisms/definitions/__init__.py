"""The vocabulary of every statement: mechanism, promise, relation, intervention, verdict."""

from .curve import ConcentratedDP, CurvePromise, PrivacyCurve, RenyiDP
from .errors import NotNeighborsError, UsageError
from .exact_table import ExactTable
from .exactly_decidable import ExactFinding, ExactlyDecidable, UndecidedError
from .intervention import Intervention
from .mechanism import Dataset, Mechanism, Output
from .promise import ApproximateDP, GaussianDP, PrivacyPromise, PureDP
from .relation import AddOrRemoveOne, BoundedAnswers, NeighboringRelation, ReplaceOne
from .source import Source
from .verdict import ExactVerdict, Verdict

__all__ = [
    "AddOrRemoveOne",
    "ApproximateDP",
    "BoundedAnswers",
    "ConcentratedDP",
    "CurvePromise",
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
    "PrivacyCurve",
    "PrivacyPromise",
    "PureDP",
    "RenyiDP",
    "ReplaceOne",
    "Source",
    "UndecidedError",
    "UsageError",
    "Verdict",
]
