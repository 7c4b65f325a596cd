"""diffprivlib 0.3.0: Wishart noise is positive definite and gives no differential privacy."""

from benchmarks.museum.exhibit import Exhibit, Version

OLD = ("scikit-learn<0.24", "numpy<1.24")

EXHIBIT = Exhibit(
    name="diffprivlib, `LinearRegression`",
    flaw="noise of the Wishart mechanism only ever adds to the second moments",
    source="github.com/IBM/differential-privacy-library/issues/23",
    file="diffprivlib_wishart.py",
    flawed=Version("3.8", ("diffprivlib==0.3.0", *OLD)),
    fixed=Version("3.8", ("diffprivlib==0.4.1", *OLD)),
    pairs=(([[0.0, 0.0]] * 4, [[0.0, 0.0]] * 3 + [[1.0, 0.0]]),),
)
