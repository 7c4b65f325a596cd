"""Mutants of the draws that count."""

from tests.audit.planted.mutant import Mutant

EXPERIMENT = (
    Mutant(
        "trials/experiment.py",
        "coin.binomial(trials, 0.5)",
        "coin.binomial(trials, 0.6)",
        "the coin of batches is biased to .6",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.binomial(trials, 0.5)",
        "trials // 2",
        "as many heads as tails, without a coin",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.integers(0, 2, trials).astype(bool)",
        "coin.random(trials) < 0.6",
        "the coin of single calls is biased to .6",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.integers(0, 2, trials).astype(bool)",
        "coin.random(trials) < 0.53",
        "the coin of single calls is biased to .53",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.integers(0, 2, trials).astype(bool)",
        "np.sort(coin.integers(0, 2, trials)).astype(bool)",
        "all tails come before all heads",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.integers(0, 2, trials).astype(bool)",
        "np.arange(trials) % 2 == 0",
        "heads and tails take turns",
    ),
    Mutant(
        "trials/experiment.py",
        "coin.integers(0, 2, trials).astype(bool)",
        "rng_d.integers(0, 2, trials).astype(bool)",
        "coin and mechanism draw from one generator",
    ),
    Mutant(
        "trials/experiment.py",
        "rngs[0].permutation(n) < heads",
        "np.arange(n) < len(drawn.a)",
        "all heads come first in a batch",
    ),
    Mutant(
        "trials/experiment.py",
        "d if side else d_prime for",
        "d_prime if side else d for",
        "single calls get the other dataset",
    ),
    Mutant(
        "trials/experiment.py",
        "_batch(target, d_prime, trials - heads, rng_d_prime, book, watch, lone, 1)",
        "_batch(target, d, trials - heads, rng_d_prime, book, watch, lone, 1)",
        "both sides of a batch are D",
    ),
    Mutant(
        "trials/experiment.py",
        "_batch(target, d_prime, trials - heads, rng_d_prime, book, watch, lone, 1)",
        "_batch(target, d_prime, trials, rng_d_prime, book, watch, lone, 1)",
        "more is drawn than is counted",
    ),
    Mutant(
        "trials/experiment.py",
        "read(both.part(order)), read(both.part(~order)), order, ended",
        "read(both.part(~order)), read(both.part(order)), ~order, ended",
        "what D answered counts for D′",
    ),
    Mutant(
        "trials/experiment.py",
        "_three(said_d_prime[:d_prime])",
        "_three(-said_d_prime[:d_prime])",
        "what D′ answered is turned round",
    ),
    Mutant(
        "trials/experiment.py",
        "return d, d_prime, len(guesses) - d - d_prime",
        "return d, len(guesses) - d - d_prime, d_prime",
        "wrong guesses are taken for abstained",
    ),
    Mutant(
        "trials/experiment.py",
        "int(np.count_nonzero(guesses == 1)), int(np.count_nonzero(guesses == -1))",
        "int(np.count_nonzero(guesses >= 0)), int(np.count_nonzero(guesses == -1))",
        "who abstains says D",
    ),
    Mutant(
        "trials/experiment.py",
        "_three(said_d_prime[:d_prime])",
        "_three(said_d_prime[: d + d_prime])",
        "checkpoints count trials to come",
    ),
    Mutant(
        "trials/experiment.py",
        "generators(seed, target.name, plan.pair, phase, block)",
        "generators(seed, target.name, plan.pair, phase, 0)",
        "every block is the first again",
    ),
    Mutant(
        "trials/experiment.py",
        "generators(seed, target.name, plan.pair, phase, block)",
        "generators(seed, target.name, 0, phase, block)",
        "every pair draws as the first",
    ),
    Mutant(
        "trials/experiment.py",
        "generators(seed, target.name, plan.pair, phase, block)",
        "generators(0, target.name, plan.pair, phase, block)",
        "the seed is forgotten",
    ),
    Mutant(
        "trials/experiment.py",
        "    phase: int = CERTIFY,",
        "    phase: int = 0,",
        "the draws of exploration certify",
    ),
    Mutant(
        "trials/experiment.py",
        "                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, block))\n"
        "                send(",
        "                send(",
        "workers do not seed what a mechanism holds",
    ),
    Mutant(
        "trials/experiment.py",
        "                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, block))\n"
        "                send(",
        "                seed_held(held_generator(seed, target.name, plan.pair, CERTIFY, 0))\n"
        "                send(",
        "workers seed what a mechanism holds alike",
    ),
    Mutant(
        "trials/experiment.py",
        "        yield arrived.pop(block)",
        "        yield arrived[min(arrived)]",
        "one block is counted for another",
    ),
    Mutant(
        "trials/experiment.py",
        "item.rule.guess(outputs) if len(outputs)",
        "plan.rule.guess(outputs) if len(outputs)",
        "the second rule of a pair has the counts of the first",
    ),
)
