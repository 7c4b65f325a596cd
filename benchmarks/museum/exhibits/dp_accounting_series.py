"""dp-accounting 0.4.4: a series for fractional Rényi orders is stopped too early."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="dp-accounting, `RdpAccountant`",
    flaw="the series of a fractional order is stopped before its terms have grown",
    source="dp-accounting 0.5.0, `_compute_log_a_frac`",
    file="dp_accounting_series.py",
    flawed=Version("3.11", ("dp-accounting==0.4.4",)),
    fixed=Version("3.11", ("dp-accounting==0.5.0",)),
    pairs=((1, 0),),
)
