"""Targets of extreme size, scaled by a power of two so that no precision is lost.

Gradients are single precision, so y of 1e-100 or 1e100 must be scaled. With a homogeneous loss y
2^-k gives the same trees as y, with leaf values 2^-k times as large.
"""

from dataclasses import replace

import numpy as np

from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.boosting_rows import Rows
from gramian.tree.structure.tree import Tree

_ORDINARY = 60  # y between 2^-60 and 2^60 is not scaled


def exponent_of(y: Floats, loss: BoostingLoss) -> int:
    """Return k of the scale 2^k: 0 for ordinary y, and for losses that are not homogeneous."""
    k = int(np.frexp(np.abs(y).max(initial=0.0))[1])
    return k if loss.homogeneous and abs(k) > _ORDINARY else 0


def in_units(rows: Rows, exponent: int) -> Rows:
    """Return the rows with targets divided by 2^exponent."""
    return rows._replace(y=np.ldexp(rows.y, -exponent)) if exponent else rows


def out_of_units(scores: Floats, exponent: int) -> Floats:
    """Return the scores multiplied by 2^exponent."""
    return np.ldexp(scores, exponent) if exponent else scores


def tree_out_of_units(tree: Tree, exponent: int) -> Tree:
    """Return a tree with rescaled values; impurities stay scaled, as their squares may overflow."""
    return replace(tree, value=np.ldexp(tree.value, exponent)) if exponent else tree
