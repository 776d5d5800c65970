"""Targets of extreme size, scaled by a power of two without rounding.

Gradients are single precision, so y of size 1e-100 or 1e100 must be scaled. With a homogeneous
loss, y 2^-k gives the same trees as y, with leaf values multiplied by 2^-k. With the Poisson loss,
whose score is log y, it gives the same trees, with scores lower by k log 2.
"""

from dataclasses import replace
from math import log

import numpy as np

from gramian.base.inputs.targets import unit_exponent
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.tree.structure.tree import Tree

_SMALL_COUNTS = 20  # Poisson targets below 2^-20 are scaled: their curvatures are as small as y


def scale_exponent(y: Floats, loss: BoostingLoss, *, penalised: bool = False) -> int:
    """Return k of the scale 2^k: 0 for y of ordinary size and for losses that depend on the scale.

    `penalised`: whether leaf values are penalised, so that the scale of the Poisson loss matters.
    """
    largest = np.abs(y).max(initial=0.0)
    if loss.homogeneous:
        return int(unit_exponent(largest))
    if not loss.log_homogeneous or penalised:
        return 0
    return min(
        0, int(unit_exponent(largest, _SMALL_COUNTS))
    )  # counts that are too large raise an error elsewhere


def in_units(y: Floats, exponent: int) -> Floats:
    """Return targets divided by 2^exponent."""
    return np.ldexp(y, -exponent) if exponent else y


def out_of_units(scores: Floats, exponent: int, loss: BoostingLoss) -> Floats:
    """Convert scores to the units of the original targets, undoing `in_units`."""
    if exponent == 0:
        return scores
    return scores + exponent * log(2) if loss.log_homogeneous else np.ldexp(scores, exponent)


def tree_out_of_units(tree: Tree, exponent: int, loss: BoostingLoss) -> Tree:
    """Return a tree in the original units; impurities stay scaled: squares may overflow."""
    if exponent == 0 or loss.log_homogeneous:
        return tree
    return replace(tree, value=np.ldexp(tree.value, exponent))
