"""OpenDP 0.4.0: low-order bits of the noise on doubles."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="OpenDP, `make_base_laplace`",
    flaw="the low-order bits of the noise tell what it was added to",
    source="OpenDP 0.5.0, release notes, Security; Haney et al., TPDP 2022",
    file="opendp_float_laplace.py",
    flawed=Version("3.8", ("opendp==0.4.0",)),
    fixed=Version("3.8", ("opendp==0.5.0",)),
    pairs=((0.0, 1.0),),
)
