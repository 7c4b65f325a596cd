"""What is planted: a theorem that says less, and a definition that means another thing."""

from __future__ import annotations

from dataclasses import dataclass

from provado.reports.ledger.formal import texts


@dataclass(frozen=True)
class Weaker:
    """A theorem in place of an entry's own, with a proof that Coq accepts.

    id: the entry. words: what was done. statement, proof: the planted theorem; ``full`` is the
    entry's own in its proof. before: lines that stand ahead of it.
    """

    id: str
    words: str
    statement: str
    proof: str
    before: str = ""

    @property
    def file(self) -> str:
        """Return the file's name with dots."""
        return self.id.replace("-", "_").replace("/", ".")

    def text(self) -> str:
        """Return the file with the planted theorem."""
        name = self.file.rpartition(".")[2]
        whole = texts()[self.file].replace(f"Theorem {name} :", "Lemma full :")
        assert "Lemma full :" in whole
        planted = f"Theorem {name} : {self.statement}.\nProof. {self.proof} Qed.\n"
        return f"{whole}\n{self.before}{planted}"


@dataclass(frozen=True)
class Changed:
    """A definition with another meaning.

    seen_by: the comparison with Python that must find it; empty where nothing is computed, so that
    the recorded digest alone does.
    """

    file: str
    old: str
    new: str
    words: str
    seen_by: str = ""

    def text(self) -> str:
        """Return the file with the change."""
        whole = texts()[self.file]
        assert self.old in whole
        return whole.replace(self.old, self.new, 1)
