"""smartnoise-synth 1.0.5: data are clipped, and the covariance is taken of those that are not."""

from benchmarks.museum.exhibit import Exhibit, Version

EXHIBIT = Exhibit(
    name="smartnoise-synth, `DPcovariance`",
    flaw="the covariance is taken of the data as they were before they are clipped",
    source="github.com/opendp/smartnoise-sdk/issues/622",
    file="smartnoise_covariance.py",
    flawed=Version("3.11", ("pandas",), alone=("smartnoise-synth==1.0.5",)),
    fixed=Version("3.11", ("pandas",), alone=("smartnoise-synth==1.0.6",)),
    pairs=(([[0.0, 0.0]] * 4, [[0.0, 0.0]] * 3 + [[100.0, 100.0]]),),
)
