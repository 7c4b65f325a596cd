"""diffprivlib 0.6.6: low-order bits of Laplace noise; its own remedy is another mechanism."""

from benchmarks.museum.exhibit import Exhibit, Version

REQUIRED = ("diffprivlib==0.6.6", "scikit-learn==1.6.1")

EXHIBIT = Exhibit(
    name="diffprivlib, `Laplace` and `Snapping`",
    flaw="the low-order bits of the noise tell what it was added to",
    source="Mironov, CCS 2012; Haney et al., TPDP 2022",
    file="diffprivlib_laplace.py",
    flawed=Version("3.11", REQUIRED),
    fixed=Version("3.11", REQUIRED, function="release_snapped", remark=", `Snapping`"),
    pairs=((0.0, 1.0),),
)
