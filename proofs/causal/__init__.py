"""Finite causal models, and the definitions of Tschantz, Sen and Datta (2022) made exact.

Everything here is finite and rational: no decision rests on a float. Infinity is ``math.inf``, the
only float that is ever returned. Positions of data points count from 0 in code, and from 1 in
words, as in the paper.
"""
