"""diffprivlib 0.6.6: the sensitivity of a feature is read off its lower bound alone."""

from benchmarks.museum.exhibit import Exhibit, Version

REQUIRED = ("diffprivlib==0.6.6", "scikit-learn==1.6.1")

EXHIBIT = Exhibit(
    name="diffprivlib, `LinearRegression`, features",
    flaw="for bounds (0, 100) the noise on the second moment vanishes",
    source="github.com/IBM/differential-privacy-library/issues/105",
    file="diffprivlib_regression_bounds.py",
    flawed=Version("3.11", REQUIRED),
    fixed=Version("3.11", REQUIRED, function="release_with_fix", remark=", index put right"),
    pairs=(([[1.0, 1.0]] * 4, [[1.0, 1.0]] * 3 + [[100.0, 1.0]]),),
)
