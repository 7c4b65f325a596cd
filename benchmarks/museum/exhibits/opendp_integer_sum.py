"""OpenDP 0.3.0: the relation of a sum of integers truncates."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="OpenDP, `make_sized_bounded_sum` on integers",
    flaw="integer division in the stability relation truncates",
    source="OpenDP 0.4.0, release notes, Security",
    file="opendp_integer_sum.py",
    flawed=Version("3.8", ("opendp==0.3.0",)),
    fixed=Version("3.8", ("opendp==0.4.0",)),
    pairs=(([1, 1, 1, 1, 1], [1, 1, 1, 1, 0]),),
)
