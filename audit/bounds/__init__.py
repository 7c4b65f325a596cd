"""Certified lower bounds on ε from counts. Each is a pure function of integers and a plan."""

from .betting import Bets, mixture, product_log_wealth
from .ladder import Ladder, ladder_lower
from .method import BoundMethod, epsilon_lower, parameter_lower
from .trade_off import TradeOff, trade_off

__all__ = [
    "Bets",
    "BoundMethod",
    "Ladder",
    "TradeOff",
    "epsilon_lower",
    "ladder_lower",
    "mixture",
    "parameter_lower",
    "product_log_wealth",
    "trade_off",
]
