"""NVIDIA FLARE: the sparse vector filter of a client's update."""

import logging

import numpy as np
from atlas_row import Rows
from nvflare.apis.dxo import DXO, DataKind
from nvflare.apis.fl_context import FLContext
from nvflare.apis.shareable import Shareable
from nvflare.app_common.filters.svt_privacy import SVTPrivacy

PACKAGE = {"name": "nvflare", "version": "2.9.0", "what": "federated learning"}

logging.disable(logging.CRITICAL)
rows = Rows(PACKAGE, "two updates of a client")
GAMMA = 1.0


def filtered(data, **options):
    made = SVTPrivacy(fraction=0.25, epsilon=1.0, noise_var=0.25, gamma=GAMMA, tau=0.5, **options)
    dxo = DXO(DataKind.WEIGHT_DIFF, data={"weights": np.array(data)})
    found = made.process_dxo(dxo, Shareable(), FLContext())
    return found.data["weights"].tolist(), made.get_privacy_spent()


def declare(name, first, second, how, **options):
    def release(data):
        return filtered(data, **options)[0]

    release.__name__ = name
    rows.row(
        f"`SVTPrivacy`, {how}",
        epsilon=lambda: filtered(first, **options)[1],
        pairs=[[first, second]],
        claim="Compute the differentially private SVT.",
        place="nvflare/app_common/filters/svt_privacy.py, docstring of process_dxo; "
        "ε by get_privacy_spent",
    )(release)


declare("one_of_four", [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], "1 of 4 weights")
declare("one_of_four_signs", [1.0, 1.0, 1.0, 1.0], [-1.0, -1.0, -1.0, -1.0], "1 of 4, other signs")
