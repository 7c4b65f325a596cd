"""The audit of Tschantz, Sen and Datta (2022): it has statements, and releases nothing."""

from __future__ import annotations

from provado.reports.reproduce.papers._audit import Paper, audit_of

WORK = "Tschantz, Sen and Datta, Differential Privacy as a Causal Property (2022)"

EXPERIMENT = audit_of(Paper("tschantz2022", WORK, "Differential Privacy as a Causal Property"))
