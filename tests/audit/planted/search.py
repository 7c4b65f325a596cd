"""Mutants of the search for the worst pair: candidates that are the data with a few edits."""

from tests.audit.planted.mutant import Mutant

FORM, CANDIDATES = "search/dataset_format.py", "search/candidates.py"

SEARCH = (
    Mutant(
        CANDIDATES,
        "other = base[:index] + base.of(*put) + base[index + gone :]",
        "other = base[:index] + base.of(*put) + base[index + 1 :]",
        "a record that is added takes the place of another one",
    ),
    Mutant(
        CANDIDATES,
        "return self.d.key(), self.d_prime.key()",
        "return self.d.key(), len(self.d_prime)",
        "pairs of one D and equally long D′ are one",
    ),
    Mutant(
        CANDIDATES,
        "start, stop = max(start - index, 0), max(stop - index, 0)",
        "start, stop = max(start - index - 1, 0), max(stop - index, 0)",
        "one more record is left out than was said",
    ),
    Mutant(
        FORM,
        "first, last = max(start - passed, 0), min(stop - passed, _length(piece))",
        "first, last = max(start - passed, 0), min(stop - passed + 1, _length(piece))",
        "a stretch has one record too many",
    ),
    Mutant(
        FORM,
        "whole = plain and parts[0].dtype == np.result_type(*edge)",
        "whole = plain",
        "types tell the two datasets apart",
    ),
    Mutant(
        FORM,
        "plain = len(parts) == 1 and parts[0].flags.c_contiguous",
        "plain = len(parts) == 1",
        "an order in memory tells the two datasets apart",
    ),
    Mutant(
        "search/domain.py",
        "or not any(len(field.values) >= LARGE // 2 for field in stated)",
        "or True",
        "a gap in a domain is overlooked in large data",
    ),
    Mutant(
        "search/successive_halving.py",
        "if number and number == given and all(sample.reason for sample in always[:given]):",
        "if False:",
        "a mechanism that raises on the data is called on",
    ),
    Mutant(
        CANDIDATES,
        "rest = records.of(other, times=len(records) - number)",
        "rest = records.of(other, times=len(records) - number - 1)",
        "counts are searched in datasets of another size",
    ),
    Mutant(
        "search/successive_halving.py",
        'np.argsort(-far, kind="stable")[: max(',
        'np.argsort(far, kind="stable")[: max(',
        "counts at which an output moves least are tried",
    ),
    Mutant(
        CANDIDATES,
        "crowds = [records.of(one, times=size) for size in _sizes(records)]",
        "crowds = [records.of(one, times=size) for size in _sizes(records)[:1]]",
        "no pattern has the size of the data",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "question.relation.check(*pairs[0])",
        "pass",
        "what is found is not checked",
    ),
    Mutant(
        "pipeline/one_pair.py",
        "if state.digest(question.form.sample) != before:",
        "if False:",
        "data may change in a search",
    ),
)
