"""Certified lower bounds on ε from counts. Each is a pure function of integers and a plan."""

from .betting import (
    Bets,
    Bettor,
    betting_epsilon_lower,
    log_wealth,
    mixture,
    product_epsilon_lower,
    product_log_wealth,
)
from .binomial import binomial_epsilon_lower
from .ladder import Ladder, ladder_lower
from .method import BoundMethod, delta_lower, epsilon_lower, parameter_lower, refutes
from .one_run import (
    gaussian_chance,
    one_run_chance,
    one_run_curve_chance,
    one_run_curve_limit,
    one_run_epsilon_lower,
    one_run_mu_lower,
)
from .trade_off import TradeOff, trade_off

__all__ = [
    "Bets",
    "Bettor",
    "BoundMethod",
    "Ladder",
    "TradeOff",
    "betting_epsilon_lower",
    "binomial_epsilon_lower",
    "delta_lower",
    "epsilon_lower",
    "gaussian_chance",
    "ladder_lower",
    "log_wealth",
    "mixture",
    "one_run_chance",
    "one_run_curve_chance",
    "one_run_curve_limit",
    "one_run_epsilon_lower",
    "one_run_mu_lower",
    "parameter_lower",
    "product_epsilon_lower",
    "product_log_wealth",
    "refutes",
    "trade_off",
]
