"""Packages of which nothing was audited, with the reason."""

LEFT_OUT = [
    {
        "name": "isage-privacy",
        "version": "0.1.0.2",
        "what": "Laplace and Gaussian mechanisms",
        "left_out": "`import sage_privacy` raises: no module named `sage`, also with isage-libs",
    },
    {
        "name": "dp4gp",
        "version": "1.01",
        "what": "Gaussian processes",
        "left_out": "does not install: its build fails; the code is Python 2 (`xrange`)",
    },
    {
        "name": "differential-privacy",
        "version": "0.1.0",
        "what": "algorithms from the literature, by its description",
        "left_out": "holds no algorithm: the package is an empty `__init__.py`",
    },
    {
        "name": "ornl-presto",
        "version": "0.1.29",
        "what": "choice among mechanisms",
        "left_out": "needs PyTorch, GPyTorch and Opacus",
    },
    {
        "name": "dp-transformers",
        "version": "1.0.0",
        "what": "training of language models",
        "left_out": "needs PyTorch and a language model",
    },
    {
        "name": "antigranular",
        "version": "1.0.2",
        "what": "client of a service",
        "left_out": "needs the service of its makers",
    },
    {
        "name": "dp-cgans",
        "version": "0.3.0",
        "what": "synthetic tables by a network",
        "left_out": "its import raises (no module named `six`); with six, one epoch on 20 rows "
        "takes 2.5 s",
    },
    {
        "name": "smartnoise-synth",
        "version": "1.0.8",
        "what": "synthetic tables",
        "left_out": "no row yet: a fit on 20 rows takes 0.4 s (mwem), 3 s (mst), 13 s (aim); "
        "dpctgan and patectgan raise (no module named `packaging`). One flaw is in the museum",
    },
    {
        "name": "dpmm",
        "version": "0.1.9",
        "what": "synthetic tables",
        "left_out": "a fit of its MST pipeline on 20 rows takes 34 s or more: too few trials",
    },
    {
        "name": "medfl",
        "version": "2.0.10",
        "what": "simulated federated learning",
        "left_out": "no row yet: its clients call Opacus (`PrivacyEngine`); no fit was tried",
    },
    {
        "name": "mbi",
        "version": "2.0.0",
        "what": "estimates from noisy marginals",
        "left_out": "states no ε: it works on marginals that already have noise",
    },
    {
        "name": "dp-wizard",
        "version": "0.10.0",
        "what": "an assistant that writes OpenDP programs",
        "left_out": "needs a person at its pages",
    },
    {
        "name": "mldp-text",
        "version": "0.1.2",
        "what": "words, metric privacy",
        "left_out": "needs a model of words, which it downloads",
    },
    {
        "name": "dp-diffractor",
        "version": "0.2.1",
        "what": "words, metric privacy",
        "left_out": "needs a model of words, which it downloads",
    },
    {
        "name": "pypantera",
        "version": "1.0.2",
        "what": "words, metric privacy",
        "left_out": "needs a model of words, which it downloads",
    },
    {
        "name": "dp-serial",
        "version": "0.1.5",
        "what": "queries for a server",
        "left_out": "does not install within 420 s: its requirements cannot be resolved",
    },
    {
        "name": "dpart",
        "version": "0.1.2",
        "what": "synthetic tables",
        "left_out": "does not install: a build of its requirements fails",
    },
    {
        "name": "dplab",
        "version": "0.0.7",
        "what": "comparison of libraries",
        "left_out": "does not install: it needs python-dp 1.1.1, which is not there",
    },
    {
        "name": "nprr",
        "version": "0.1.4",
        "what": "randomized response",
        "left_out": "does not install: the build of confseq fails",
    },
    {
        "name": "mic-dp",
        "version": "0.3",
        "what": "the maximal information coefficient",
        "left_out": "holds no code: the package has no module",
    },
    {
        "name": "diffpriv",
        "version": "1.0.3",
        "what": "Laplace and exponential mechanism on files",
        "left_out": "its import reaches for a server, which cannot be had here",
    },
    {
        "name": "healthpipe",
        "version": "0.1.0",
        "what": "statistics of clinical records",
        "left_out": "`import healthpipe.privacy` raises: pydantic refuses a field called `_lock`",
    },
    {
        "name": "ldp-hierarchical-mechanism",
        "version": "0.1.3",
        "what": "range queries under local differential privacy",
        "left_out": "importing it fails in its statsmodels, with each SciPy that was tried",
    },
    {
        "name": "dpsdv",
        "version": "0.0.3",
        "what": "synthetic tables",
        "left_out": "does not install: the index offers no matching file for Python 3.11",
    },
    {
        "name": "pp-pripel",
        "version": "0.0.5",
        "what": "logs of events",
        "left_out": "does not install: it needs ortools 7.4.7247, which the index does not offer",
    },
    {
        "name": "privkit",
        "version": "0.5.1",
        "what": "mechanisms for places and tables",
        "left_out": "its import raises: no module named `open3d.cpu`",
    },
    {
        "name": "dpate",
        "version": "0.0.1",
        "what": "average treatment effects",
        "left_out": "does not install: the index offers no matching file for Python 3.11",
    },
    {
        "name": "ppml",
        "version": "0.1.2",
        "what": "a network for images",
        "left_out": "a training by Opacus on images, which must be downloaded; nothing of its own",
    },
]
