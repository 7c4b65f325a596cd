"""OpenDP 0.4.0: a bit is told the truth more often than the map says."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="OpenDP, `make_randomized_response_bool`",
    flaw="the answer is the truth more often than accounted for",
    source="OpenDP 0.5.0, release notes, Security; github.com/opendp/opendp/pull/481",
    file="opendp_randomized_response.py",
    flawed=Version("3.8", ("opendp==0.4.0",)),
    fixed=Version("3.8", ("opendp==0.5.0",)),
    pairs=((False, True),),
)
