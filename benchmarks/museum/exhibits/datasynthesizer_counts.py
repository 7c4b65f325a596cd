"""DataSynthesizer 0.1.4: noise for shares is added to counts."""

from benchmarks.museum.exhibit import Exhibit, Version

ROWS = [[0, 0]] * 3 + [[0, 1]] * 3 + [[1, 0]] * 3 + [[1, 1]] * 3

EXHIBIT = Exhibit(
    name="DataSynthesizer, PrivBayes",
    flaw="counts get the noise that shares of all rows would need",
    source="github.com/DataResponsibly/DataSynthesizer/issues/34",
    file="datasynthesizer_counts.py",
    flawed=Version("3.8", ("DataSynthesizer==0.1.4",)),
    fixed=Version("3.8", ("DataSynthesizer==0.1.13",)),
    pairs=((ROWS, ROWS[:-1]),),
)
