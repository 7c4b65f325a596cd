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
        "name": "opake-dpsgd",
        "version": "0.16.1",
        "what": "DP-SGD",
        "left_out": "needs PyTorch",
    },
    {
        "name": "synthpriv",
        "version": "0.2.1",
        "what": "synthetic tables",
        "left_out": "needs PyTorch, SDV and Opacus",
    },
    {
        "name": "opacus",
        "version": "1.6.0",
        "what": "DP-SGD",
        "left_out": "needs PyTorch",
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
]
