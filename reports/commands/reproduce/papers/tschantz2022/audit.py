"""The audit of Tschantz, Sen and Datta (2022): it has statements, and releases nothing."""

from provado.proofs.ledger.tschantz2022 import WORK

from .._audit import Paper, audit_of

EXPERIMENT = audit_of(Paper("tschantz2022", WORK, "Differential Privacy as a Causal Property"))
