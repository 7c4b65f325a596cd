"""Planted changes on mechanisms: of theorems' statements and assumptions, and of definitions."""

from __future__ import annotations

from .planted_change import Changed, Weaker

_FOR_M = "forall (R : realFieldType) (V O : eqType) (m : mechanism R V O)"


_PROP1 = "definition_1 t m <-> definition_2 t m"
_RIGHT = f"{_FOR_M} (t : R), well_formed m -> {_PROP1}"
_LEMMA1 = (
    f"{_FOR_M} (P : seq V -> R), well_formed m -> population m P -> forall d o, "
    "d \\in datasets (domains m) -> o \\in outputs m -> "
)
_SEQUENCE = (
    "forall (R : realFieldType) (U : eqType) (M : model R U) (x y z : nat) (t1 t2 : R), "
    "proper M -> in_sequence M x y z -> {subset parents_of M z <= [:: x; y]} -> "
    "brp t1 M x [:: y] -> "
    "(forall v, v \\in nth [::] (ranges M) y -> brp t2 (submodel M (one y v)) x [:: z]) -> "
)
_POSTERIORS = (
    f"{_FOR_M} (t : R) (prior : seq V -> R), well_formed m -> definition_1 t m -> "
    "population m prior -> forall i v o, (i < size (domains m))%N -> "
    "v \\in nth [::] (domains m) i -> o \\in outputs m -> "
)
_ONE_TO_SEVEN = (
    f"{_FOR_M} (P : seq V -> R) (t : R), well_formed m -> population m P -> "
    "(definition_1 t m -> definition_7 t m P)"
)
_GROUP = (
    f"{_FOR_M} (P : seq V -> R) (t : R), well_formed m -> population m P -> definition_1 t m -> "
    "forall group d e o, all (fun i => i < size (domains m))%N group -> "
    "d \\in datasets (domains m) -> e \\in datasets (domains m) -> o \\in outputs m -> "
    "effect m P (set_group m group d) o <= t ^+ size group * effect m P (set_group m group e) o"
)
_BETTING = (
    "forall (R : realFieldType) (t delta : R) (stake : seq outcome -> R) "
    "(p : seq outcome -> outcome -> R), (forall history, allowed t delta (p history)) -> "
    "(forall history, 0 <= stake history) -> "
    "(forall history o, 0 <= factor t delta (stake history) o) -> "
)
_RULE = (
    "i d v, (i < size (domains m))%N -> d \\in datasets (domains m) -> "
    "v \\in nth [::] (domains m) i -> "
)
_LOSS = "right m rule d (replace d i v) - t * wrong m rule d (replace d i v)"
_ONE_SIDED = f"forall side, (forall o, rule o != Some (~~ side)) -> {_LOSS} <="

STATEMENTS = (
    Weaker(
        "tschantz2022/prop1",
        "a hypothesis more",
        f"{_FOR_M} (t : R), 1 <= t -> well_formed m -> {_PROP1}",
        "by move=> R V O m t _; exact: full.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "one direction alone",
        f"{_FOR_M} (t : R), well_formed m -> definition_1 t m -> definition_2 t m",
        "by move=> R V O m t wf /(full _ wf).",
    ),
    Weaker(
        "tschantz2022/prop1",
        "the other direction alone",
        f"{_FOR_M} (t : R), well_formed m -> definition_2 t m -> definition_1 t m",
        "by move=> R V O m t wf /(full _ wf).",
    ),
    Weaker(
        "tschantz2022/prop1",
        "a constant for t",
        f"{_FOR_M}, well_formed m -> definition_1 1 m <-> definition_2 1 m",
        "by move=> R V O m; exact: full.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "two outputs only",
        "forall (R : realFieldType) (V : eqType) (m : mechanism R V bool_eqType) (t : R), "
        f"well_formed m -> {_PROP1}",
        "by move=> R V m t; exact: full.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "rational chances only",
        "forall (V O : eqType) (m : mechanism rat_realFieldType V O) (t : rat), "
        f"well_formed m -> {_PROP1}",
        "by move=> V O m t; exact: full.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "one data point only",
        f"{_FOR_M} (t : R), size (domains m) = 1%N -> well_formed m -> {_PROP1}",
        "by move=> R V O m t _; exact: full.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "a way out",
        f"{_FOR_M} (t : R), well_formed m -> ({_PROP1}) \\/ True",
        "by right.",
    ),
    Weaker(
        "tschantz2022/prop1",
        "a name that means something else",
        f"{_FOR_M} (t : R), well_formed m -> definition_1 t m <-> definition_2 t m",
        "by split.",
        "Definition definition_2 (R : realFieldType) (V O : eqType) (t : R) "
        "(m : mechanism R V O) := definition_1 t m.\n",
    ),
    Weaker(
        "tschantz2022/prop1",
        "an axiom",
        _RIGHT,
        "by case: trust_me.",
        "Axiom trust_me : False.\n",
    ),
    Weaker(
        "tschantz2022/prop1",
        "an admitted lemma",
        _RIGHT,
        "exact: later.",
        f"Lemma later : {_RIGHT}.\nProof. Admitted.\n",
    ),
    Weaker(
        "tschantz2022/prop3",
        "some population for all",
        f"{_FOR_M} (t : R), well_formed m -> exists P, population m P -> "
        "(definition_1 t m <-> definition_6 t m P)",
        "by move=> R V O m t wf; exists (fun=> 0) => pop; exact: full.",
    ),
    Weaker(
        "tschantz2022/lemma1",
        "an inequality for an equation",
        f"{_LEMMA1}effect m P (set_all m d) o <= chance m d o",
        "by move=> R V O m P wf pop d o dd oo; rewrite full.",
    ),
    Weaker(
        "tschantz2022/lemma1",
        "another dataset",
        f"{_LEMMA1}forall e, e = d -> effect m P (set_all m d) o = chance m e o",
        "by move=> R V O m P wf pop d o dd oo e ->; exact: full.",
    ),
    Weaker(
        "tschantz2022/thm1-composition",
        "the same factor twice",
        f"{_SEQUENCE}t1 = t2 -> brp (t1 * t2) M x [:: y; z]",
        "by move=> R U M x y z t1 t2 ok s sub b1 b2 _; exact: full.",
    ),
    Weaker(
        "tschantz2022/group-privacy",
        "a group of two only",
        _GROUP.replace("forall group d e o, ", "forall group d e o, size group = 2%N -> "),
        "move=> R V O m P t wf pop dp group d e o _; exact: full.",
    ),
    Weaker(
        "tschantz2022/group-privacy",
        "one population for all",
        _GROUP.replace("population m P ->", "(forall d, P d = P [::]) -> population m P ->"),
        "by move=> R V O m P t wf _; exact: full.",
    ),
    Weaker(
        "tschantz2022/sec7-posterior-change",
        "one direction alone",
        f"{_POSTERIORS}(forall d, d \\in datasets (domains m) -> "
        "posterior m prior o d <= t ^+ 2 * posterior_without m prior i v o d)",
        "move=> R V O m t prior wf dp pop i v o li vi oo d dd; have [h _] := full.\n"
        "by have [/(_ d dd) []] := h R V O m t prior wf dp pop i v o li vi oo.",
    ),
    Weaker(
        "tschantz2022/sec7-posterior-change",
        "the upper bounds alone",
        f"{_POSTERIORS}forall d, d \\in datasets (domains m) -> "
        "posterior m prior o d <= t ^+ 2 * posterior_without m prior i v o d /\\ "
        "posterior_without m prior i v o d <= t ^+ 2 * posterior m prior o d",
        "move=> R V O m t prior wf dp pop i v o li vi oo d dd; have [h _] := full.\n"
        "by have [/(_ d dd)] := h R V O m t prior wf dp pop i v o li vi oo.",
    ),
    Weaker(
        "tschantz2022/sec6-1-eq28",
        "one direction alone",
        f"{_FOR_M} (t : R), well_formed m -> definition_1 t m -> definition_9 t m",
        "by move=> R V O m t wf /(full _ wf).",
    ),
    Weaker(
        "tschantz2022/appendix-b",
        "a size left open",
        "forall R : realFieldType, exists (V O : eqType) (m : mechanism R V O) (P : seq V -> R), "
        "[/\\ well_formed m, population m P, definition_10 1 m P & forall t : R, "
        "~ definition_1 t m]",
        "by move=> R; have [V [O [m [P [? ? _ ? ?]]]]] := full R; exists V, O, m, P.",
    ),
    Weaker(
        "tschantz2022/prop4",
        "a population of any support",
        f"({_ONE_TO_SEVEN}) /\\ (forall R : realFieldType, exists (V O : eqType) "
        "(m : mechanism R V O) (P : seq V -> R), [/\\ well_formed m, population m P, "
        "[seq size values | values <- domains m] = [:: 2; 2]%N, definition_7 1 m P & "
        "forall t : R, ~ definition_1 t m])",
        "have [h back] := full; split=> // R.\n"
        "by have [V [O [m [P [? [? _] ? ? ?]]]]] := back R; exists V, O, m, P.",
    ),
    Weaker(
        "tschantz2022/table1-row3",
        "neighbors alone",
        f"({_FOR_M} (t : R), well_formed m -> (definition_3 t m -> definition_1 t m)) /\\ "
        "(forall R : realFieldType, exists (V O : eqType) (m : mechanism R V O), "
        "[/\\ well_formed m, [seq size values | values <- domains m] = [:: 2; 2]%N, "
        "definition_1 2%:R m & ~ definition_3 2%:R m])",
        "by have [h [_ back]] := full.",
    ),
    Weaker(
        "kusner2016/iqr-global-unbounded",
        "the logarithm alone",
        "forall R : realFieldType, log_unbounded (@interquartile_range R)",
        "by move=> R; have [_ h] := full R.",
    ),
    Weaker(
        "audit/guess",
        "a rule that never abstains",
        f"{_FOR_M} (t delta : R), approximate t delta m -> forall (rule : O -> option bool), "
        f"(forall o, rule o) -> forall {_RULE}{_LOSS} <= delta /\\ {_ONE_SIDED} 1 / 2%:R * delta",
        "by move=> R V O m t delta dp rule _; exact: full.",
    ),
    Weaker(
        "audit/guess",
        "nothing on one side",
        f"{_FOR_M} (t delta : R), approximate t delta m -> forall (rule : O -> option bool) {_RULE}"
        f"{_LOSS} <= delta",
        "by move=> R V O m t delta dp rule i d v li dd vi; case: (full dp rule li dd vi).",
    ),
    Weaker(
        "audit/guess",
        "D alone as the one side",
        f"{_FOR_M} (t delta : R), approximate t delta m -> forall (rule : O -> option bool) {_RULE}"
        f"{_LOSS} <= delta /\\ ((forall o, rule o != Some false) -> {_LOSS} <= 1 / 2%:R * delta)",
        "move=> R V O m t delta dp rule i d v li dd vi; have [a b] := full dp rule li dd vi.\n"
        "by split=> // never; apply: (b true).",
    ),
    Weaker(
        "audit/guess",
        "pure privacy only",
        f"{_FOR_M} (t : R), approximate t 0 m -> forall (rule : O -> option bool) {_RULE}"
        f"{_LOSS} <= 0 /\\ {_ONE_SIDED} 1 / 2%:R * 0",
        "by move=> R V O m t dp; exact: full.",
    ),
    Weaker(
        "audit/betting",
        "from the first trial only",
        f"{_BETTING}forall n, 0 <= mean_growth t delta stake p [::] n <= 1",
        "by move=> R t delta stake p ok s0 f0; exact: full.",
    ),
    Weaker(
        "audit/betting",
        "one trial only",
        f"{_BETTING}forall history, 0 <= mean_growth t delta stake p history 1 <= 1",
        "by move=> R t delta stake p ok s0 f0 history; exact: full.",
    ),
    Weaker(
        "audit/tally",
        "two workers only",
        "forall (R : realFieldType) (t delta stake : R) (h k : seq outcome), "
        "product (wealth t delta stake) [:: h; k] = wealth_of_counts t delta stake "
        "(sumn [seq rights h | h <- [:: h; k]]) (sumn [seq wrongs h | h <- [:: h; k]]) "
        "(sumn [seq abstentions h | h <- [:: h; k]])",
        "by move=> R t delta stake h k; exact: full.",
    ),
)


DEFINITIONS = (
    Changed(
        "definitions.finite", "f x + sigma f rest", "sigma f rest", "empty sums", "conditioning 0"
    ),
    Changed(
        "definitions.finite",
        "take i d ++ v :: drop i.+1 d.",
        "take i d ++ v :: drop i d.",
        "a data point more",
        "data",
    ),
    Changed(
        "definitions.finite",
        "take i d ++ drop i.+1 d",
        "take i d ++ drop i d",
        "the others with it",
        "data",
    ),
    Changed(
        "definitions.finite",
        "(forall x, x \\in s -> 0 <= p x) /\\ sigma p s = 1",
        "sigma p s = 1",
        "chances below 0",
    ),
    Changed("definitions.finite", "/\\ sigma p s = 1", "/\\ sigma p s = 2%:R", "a total of 2"),
    Changed(
        "definitions.mechanism",
        "o \\in outputs m -> chance m d o <=",
        "o \\in outputs m -> false -> chance m d o <=",
        "a vacuous Definition 1",
    ),
    Changed(
        "definitions.mechanism",
        "<= t * chance m (replace d i v) o.",
        "<= t * t * chance m (replace d i v) o.",
        "another factor",
    ),
    Changed(
        "definitions.mechanism",
        "all uniq (domains m), uniq (outputs m)",
        "all nilp (domains m), uniq (outputs m)",
        "no values",
    ),
    Changed(
        "definitions.mechanism",
        "(event o)%:R * chance m d o",
        "chance m d o",
        "the event is lost",
        "data",
    ),
    Changed(
        "definitions.associative",
        "(event d)%:R * P d) (datasets",
        "(event d)%:R) (datasets",
        "the weights are lost",
        "conditioning 0",
    ),
    Changed(
        "definitions.associative",
        "seen_with m P event o / seen m P event",
        "seen_with m P event o",
        "not conditioned",
        "conditioning 0",
    ),
    Changed(
        "definitions.associative",
        "ohead (drop i d) == Some v",
        "ohead d == Some v",
        "the first data point for all",
        "conditioning 0",
    ),
    Changed(
        "definitions.associative",
        "product (fun i => seen",
        "product (fun i => 1 + 0 * seen",
        "independence without marginals",
    ),
    Changed(
        "definitions.model",
        "(if settings k is Some z then constant e z else e)",
        "e",
        "nothing is set",
        "intervening 0",
    ),
    Changed(
        "definitions.model",
        "fun _ u => (u == z)%:R",
        "fun _ u => (u != z)%:R",
        "set to the others",
        "intervening 0",
    ),
    Changed("definitions.model", "P x * run", "run", "the population is lost", "a model 0"),
    Changed("definitions.model", "x < y, y < z &", "x < y, y < x &", "no sequence"),
    Changed(
        "definitions.model",
        "pr_do M P (one x x1) ys y <= t * pr_do M P (one x x2) ys y",
        "x1 = x2 -> pr_do M P (one x x1) ys y <= t * pr_do M P (one x x2) ys y",
        "nothing is compared",
    ),
    Changed(
        "definitions.interventional",
        "one (D_ m i) (point v)",
        "one (D_ m 0) (point v)",
        "the first data point is set",
        "intervening 0",
    ),
    Changed(
        "definitions.interventional",
        "k \\in [seq D_ m i | i <- group]",
        "k \\notin [seq D_ m i | i <- group]",
        "all but the group are set",
        "intervening 0",
    ),
    Changed(
        "definitions.interventional",
        "=> chance m d o | _, _ => 0",
        "=> chance m [::] o | _, _ => 0",
        "the output reads nothing",
        "intervening 0",
    ),
    Changed(
        "definitions.knowledge",
        "chance m d o * prior d / sigma",
        "chance m d o / sigma",
        "the prior is lost",
        "knowledge",
    ),
    Changed(
        "definitions.knowledge",
        "(fun e => chance m (replace e i v) o * prior e)",
        "(fun e => chance m e o * prior e)",
        "the real data in the total",
        "knowledge",
    ),
    Changed(
        "definitions.audit",
        "rule o == Some side",
        "rule o == Some true",
        "one side for both",
        "guesses",
    ),
    Changed(
        "definitions.audit",
        "| Wrong => 1 - stake * (t + delta)",
        "| Wrong => 1 - stake * t",
        "a smaller loss",
        "wealth",
    ),
    Changed("definitions.audit", "^+ wrong", "^+ right", "wrong guesses are lost", "wealth"),
    Changed(
        "definitions.audit",
        "p Right - t * p Wrong <= delta",
        "p Right <= delta - t * p Wrong - 1",
        "nothing is allowed",
    ),
    Changed(
        "definitions.spread",
        "(x - mean s) ^+ 2",
        "(x - mean s)",
        "deviations without a square",
        "spread",
    ),
    Changed("definitions.spread", "(k * m + 3) %/ 4", "(k * m) %/ 4", "ranks cut off", "spread"),
    Changed("definitions.spread", "0 < score s &", "score s = 0 &", "from a spread of 0"),
)
