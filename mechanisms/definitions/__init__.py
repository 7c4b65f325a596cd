"""The vocabulary of every statement: mechanism, promise, relation, intervention, verdict."""

from .curve import ConcentratedDP, CurvePromise, PrivacyCurve, RenyiDP
from .exactly_decidable import ExactFinding, ExactlyDecidable, ExactTable, UndecidedError
from .mechanism import Dataset, ExactVerdict, Mechanism, Output, Source, Verdict
from .parameters import NotNeighborsError, UsageError
from .promise import ApproximateDP, GaussianDP, PrivacyPromise, PureDP
from .relation import AddOrRemoveOne, BoundedAnswers, Intervention, NeighboringRelation, ReplaceOne

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
