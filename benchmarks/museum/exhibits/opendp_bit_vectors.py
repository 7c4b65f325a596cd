"""OpenDP 0.14.2: the last bit of a vector is never flipped."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="OpenDP, randomized response on bit vectors",
    flaw="the last bit is never flipped; each bit is tried",
    source="github.com/opendp/opendp/issues/2707",
    file="opendp_bit_vectors.py",
    flawed=Version("3.11", ("opendp==0.14.2",)),
    fixed=Version("3.11", ("opendp==0.15.0",)),
    pairs=tuple(([0], [2**bit]) for bit in range(8)),
)
