"""synthcity 0.2.12: noise for shares is added to counts."""

from benchmarks.museum.exhibit import Exhibit, Version

NEEDED = ("pandas<3", "scikit-learn", "scipy", "pydantic", "tqdm")
ROWS = [[0, 0]] * 3 + [[0, 1]] * 3 + [[1, 0]] * 3 + [[1, 1]] * 3

EXHIBIT = Exhibit(
    name="synthcity, PrivBayes",
    flaw="counts get the noise that shares of all rows would need",
    source="as DataSynthesizer's; `_laplace_noise_parameter`",
    file="synthcity_counts.py",
    flawed=Version("3.11", NEEDED, alone=("synthcity==0.2.12",)),
    fixed=None,
    pairs=((ROWS, ROWS[:-1]),),
)
