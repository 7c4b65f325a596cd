"""Mutants of the counts, the plan, the rule's guess and the streams."""

from tests.audit.planted.mutant import Mutant

COUNTS = (
    Mutant(
        "bounds/counts.py",
        "return self.d_guessed_d + self.d_prime_guessed_d_prime",
        "return self.d_guessed_d + self.d_prime_guessed_d",
        "D guessed counts as right",
    ),
    Mutant(
        "bounds/counts.py",
        "return self.d_guessed_d_prime + self.d_prime_guessed_d\n",
        "return self.d_guessed_d_prime\n",
        "wrong guesses under D′ are left out",
    ),
    Mutant(
        "bounds/counts.py",
        "return self.d_guessed_d_prime + self.d_prime_guessed_d\n",
        "return self.d_prime_guessed_d\n",
        "wrong guesses under D are left out",
    ),
    Mutant(
        "bounds/counts.py",
        "return self.d_abstained + self.d_prime_abstained",
        "return self.d_abstained",
        "abstained under D′ are left out",
    ),
    Mutant(
        "bounds/counts.py",
        "return self.guesses + self.abstained",
        "return self.guesses",
        "trials without those that abstained",
    ),
    Mutant(
        "bounds/counts.py",
        "mine[name] + others[name]",
        "max(mine[name], others[name])",
        "counts do not add up",
    ),
)

PLAN = (
    Mutant(
        "trials/experiment.py",
        "return -(-self.trials // self.block)",
        "return self.trials // self.block",
        "the last block is left out",
    ),
    Mutant(
        "trials/experiment.py",
        "return min(self.block, self.trials - block * self.block)",
        "return self.block",
        "more trials than planned",
    ),
    Mutant(
        "trials/experiment.py",
        "before, size = block * self.block,",
        "before, size = 0,",
        "checkpoints of the first block again and again",
    ),
    Mutant(
        "trials/experiment.py",
        "return (*inside, size)",
        "return (size,)",
        "checkpoints are left out",
    ),
    Mutant(
        "events/rule.py",
        "below = (score <= self.cut.low)",
        "below = (score < self.cut.high)",
        "never abstains",
    ),
    Mutant(
        "events/rule.py",
        "return above - below if self.cut.sign > 0 else below - above",
        "return above - below",
        "the side that large scores speak for is forgotten",
    ),
    Mutant(
        "events/rule.py",
        "score = self.score(outputs)\n",
        "score = self.score(outputs) - np.nanmean(self.score(outputs))\n",
        "a guess looks at the other outputs of its batch",
    ),
)

KEY = "pair, phase, block, part)"

STREAMS = (
    Mutant("target/random_state.py", "zlib.crc32(name.encode())", "0", "one stream for all names"),
    Mutant(
        "target/random_state.py",
        f", {KEY}\n",
        ", 0, phase, block, part)\n",
        "one stream for all pairs",
    ),
    Mutant(
        "target/random_state.py",
        f", {KEY}\n",
        ", pair, 0, block, part)\n",
        "certifies with explored draws",
    ),
    Mutant(
        "target/random_state.py",
        f", {KEY}\n",
        ", pair, phase, 0, part)\n",
        "one stream for all blocks",
    ),
    Mutant(
        "target/random_state.py",
        f", {KEY}\n",
        ", pair, phase, block)\n",
        "coin and draws share a stream",
    ),
    Mutant(
        "target/random_state.py",
        "np.random.SeedSequence(seed, ",
        "np.random.SeedSequence(0, ",
        "one stream for all seeds",
    ),
)
