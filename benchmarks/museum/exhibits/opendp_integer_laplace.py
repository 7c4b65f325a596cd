"""OpenDP 0.14.1: the integer Laplace sampler is biased at some scales."""

from benchmarks.museum.exhibit import Exhibit, Version

SCALES = (0.5, 1.0, 2.0, 3.0, 5.0, 10.0)

EXHIBIT = Exhibit(
    name="OpenDP, `make_laplace` on integers",
    flaw="the sampler is biased at some scales; six are tried",
    source="github.com/opendp/opendp/issues/2638",
    file="opendp_integer_laplace.py",
    flawed=Version("3.11", ("opendp==0.14.1",)),
    fixed=Version("3.11", ("opendp==0.14.2",)),
    pairs=tuple(({"scale": one, "count": 0}, {"scale": one, "count": 1}) for one in SCALES),
)
