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

from provado.mechanisms import Mechanism, UsageError
from provado.mechanisms.adapters import conformance_rules as rules
from provado.mechanisms.adapters.adapter import Adapter
from provado.mechanisms.adapters.conformance_case import (
    Audited,
    Case,
    ConformanceError,
    Example,
    NotApplicableError,
)
from provado.mechanisms.adapters.conformance_rules import RULES

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
    """The suite as a class of tests; a subclass sets ``adapter`` and ``examples``."""

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

    def test_keeps_the_protocol(self) -> None:
        """Require name and methods, and releases that are named after the adapter."""
        self.check(rules.keeps_the_protocol)

    def test_matches_its_own_objects_only(self) -> None:
        """Require that it matches the example's object, and neither its class nor anyone else's."""
        self.check(rules.matches_its_own_objects_only)

    def test_promises_what_the_library_accounts(self) -> None:
        """Require at each parameter the promise that the library itself accounts for the object."""
        self.check(rules.promises_what_the_library_accounts)

    def test_keeps_the_promise_after_use(self) -> None:
        """Require that neither adapting an object nor drawing from it changes what it promises."""
        self.check(rules.keeps_the_promise_after_use)

    def test_draws_half_the_noise_at_twice_the_epsilon(self) -> None:
        """Require that noise at ε, halved, has the law of noise at 2ε."""
        self.check(rules.draws_half_the_noise_at_twice_the_epsilon)

    def test_runs_the_object_that_it_was_given(self) -> None:
        """Require other outputs of an object with the same claim and half the noise."""
        self.check(rules.runs_the_object_that_it_was_given)

    def test_replays_by_seed_or_says_that_it_does_not(self) -> None:
        """Require all randomness to come from ``rng``, or else ``seedable=False``."""
        self.check(rules.replays_by_seed_or_says_that_it_does_not)

    def test_returns_as_many_as_asked_for(self) -> None:
        """Require n outputs along the first axis for ``size=n``, and one without it."""
        self.check(rules.returns_as_many_as_asked_for)

    def test_draws_batches_by_the_law_of_single_outputs(self) -> None:
        """Require that a batch and single calls have one distribution."""
        self.check(rules.draws_batches_by_the_law_of_single_outputs)

    def test_draws_independent_outputs(self) -> None:
        """Require that an output of a batch says nothing about the next."""
        self.check(rules.draws_independent_outputs)

    def test_leaves_the_data_as_they_are(self) -> None:
        """Require that neither adapting nor running changes a dataset."""
        self.check(rules.leaves_the_data_as_they_are)

    def test_refuses_pairs_that_are_no_neighbors(self) -> None:
        """Require a relation that holds for the example's pairs and refuses strangers."""
        self.check(rules.refuses_pairs_that_are_no_neighbors)

    def test_keeps_the_name_and_relation_given(self) -> None:
        """Require that ``name`` and ``relation`` are the mechanism's where they are given."""
        self.check(rules.keeps_the_name_and_relation_given)

    def test_refuses_options_that_it_does_not_know(self) -> None:
        """Require that a misspelt option raises and is not swallowed."""
        self.check(rules.refuses_options_that_it_does_not_know)

    def test_draws_anew_in_forked_processes(self) -> None:
        """Require that forked processes replay by seed, or else draw each its own noise."""
        self.check(rules.draws_anew_in_forked_processes)

    def test_lets_an_audit_find_a_planted_bug(self) -> None:
        """Require that an audit accuses the object with half the noise, and not the sound one."""
        self.check(rules.lets_an_audit_find_a_planted_bug)
