"""OpenDP 0.16.0: the rounding of the mean moves every deviation."""

from benchmarks.museum.exhibit import Exhibit, Version

LEAST = 2.0**50

EXHIBIT = Exhibit(
    name="OpenDP, `make_sum_of_squared_deviations`",
    flaw="the mean is rounded, and one record moves the deviation of all others",
    source="github.com/opendp/opendp/issues/2923",
    file="opendp_deviations.py",
    flawed=Version("3.11", ("opendp==0.16.0",)),
    fixed=None,
    pairs=(([LEAST + 0.25] * 1024, [LEAST + 0.5] + [LEAST + 0.25] * 1023),),
)
