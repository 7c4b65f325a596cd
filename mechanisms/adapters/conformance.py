"""A suite that the author of an adapter runs on it, by pytest, by unittest or by a call.

``AdapterConformance`` is subclassed in a test file::

    class TestMine(AdapterConformance):
        adapter = ADAPTER
        examples = (Example("noisy sum", make=…, accounting=…, pairs=…),)

Tests of distribution are each at level 1e-6. What an example lacks is skipped with the reason.
"""

from __future__ import annotations

import unittest
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from provado.mechanisms.definitions import Mechanism, UsageError

from .adapter import Adapter
from .conformance_case import Audited, Case, ConformanceError, Example, NotApplicableError
from .conformance_rules import RULES

__all__ = [
    "AdapterConformance",
    "Audited",
    "Check",
    "ConformanceError",
    "Example",
    "NotApplicableError",
    "checks",
]


@dataclass(frozen=True)
class Check:
    """One rule on one example. A call returns where the rule is kept.

    It raises ``ConformanceError`` where the rule is broken, and ``NotApplicableError`` where the
    rule says nothing about the example.
    """

    rule: Callable[[Case], None]
    case: Case

    @property
    def name(self) -> str:
        """Return the rule's name and the example's."""
        return f"{self.rule.__name__}[{self.case.example.name}]"

    @property
    def words(self) -> str:
        """Return the rule in one sentence."""
        return (self.rule.__doc__ or "").partition("\n")[0]

    def __call__(self) -> None:
        """Check the rule; whatever else goes wrong is a break of it."""
        try:
            self.rule(self.case)
        except (ConformanceError, NotApplicableError) as error:
            raise type(error)(f"{self.case.example.name}: {error}") from error
        except Exception as error:
            raise ConformanceError(
                f"{self.case.example.name}: raised {type(error).__name__}: {error}"
            ) from error


def checks(
    adapter: Adapter, examples: Sequence[Example], *, audited: Audited | None = None
) -> tuple[Check, ...]:
    """Return every rule on every example, to be called one by one.

    audited: an audit to which a planted bug is shown: ``audited(mechanism)`` says whether it
        certified a violation. ``provado.audit.audit`` makes one.
    """
    if not examples:
        raise UsageError("examples is empty: a suite without an example checks nothing")
    cases = [Case(adapter, example, audited) for example in examples]
    return tuple(Check(rule, case) for case in cases for rule in RULES)


class AdapterConformance:
    """The suite as a class of tests; a subclass sets ``adapter`` and ``examples``.

    It has one test for each rule of ``conformance_rules``, ``test_`` and the rule's name.
    """

    adapter: Any
    examples: Sequence[Example]

    def audited(self, mechanism: Mechanism) -> bool | None:
        """Say whether an audit certifies a violation; override it. None: there is no audit."""
        del mechanism
        return None

    def check(self, rule: Callable[[Case], None]) -> None:
        """Check one rule on all examples; skip where it says nothing about any."""
        has_audit = type(self).audited is not AdapterConformance.audited
        audited = (lambda mechanism: bool(self.audited(mechanism))) if has_audit else None
        said, reasons = False, []
        for each in checks(self.adapter, self.examples, audited=audited):
            if each.rule is rule:
                try:
                    each()
                    said = True
                except NotApplicableError as error:
                    reasons.append(str(error))
        if not said:
            raise unittest.SkipTest("; ".join(reasons))


def _as_method(rule: Callable[[Case], None]) -> Callable[[AdapterConformance], None]:
    def test(self: AdapterConformance) -> None:
        self.check(rule)

    test.__name__, test.__doc__ = f"test_{rule.__name__}", rule.__doc__
    return test


for _rule in RULES:
    setattr(AdapterConformance, f"test_{_rule.__name__}", _as_method(_rule))
