"""OpenDP 0.3.0: a record that is imputed where another is missing counts half."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="OpenDP, `make_bounded_resize`",
    flaw="one record less is one record replaced, which moves twice as much",
    source="OpenDP 0.4.0, release notes, Security",
    file="opendp_resize.py",
    flawed=Version("3.8", ("opendp==0.3.0",)),
    fixed=Version("3.8", ("opendp==0.4.0",)),
    pairs=(([1.0] * 5, [1.0] * 4),),
)
