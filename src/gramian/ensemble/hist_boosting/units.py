"""Targets of extreme size in units of a power of two, in which no digit is lost.

Gradients are single precision, so that y of 1e-100 or 1e100 cannot be boosted as it is. Under a
homogeneous loss y 2^-k has the trees of y, with leaves 2^-k times as large.
"""

from dataclasses import replace

import numpy as np

from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.hist_boosting.boosting_rows import Rows
from gramian.tree.structure.tree import Tree

_ORDINARY = 60  # y between 2^-60 and 2^60 is taken as it is


def exponent_of(y: Floats, loss: BoostingLoss) -> int:
    """Return the k of the units 2^k: 0 for ordinary y, and where the loss knows no units."""
    k = int(np.frexp(np.abs(y).max(initial=0.0))[1])
    return k if loss.homogeneous and abs(k) > _ORDINARY else 0


def in_units(rows: Rows, exponent: int) -> Rows:
    """Return rows whose targets are counted in 2^exponent."""
    return rows._replace(y=np.ldexp(rows.y, -exponent)) if exponent else rows


def out_of_units(scores: Floats, exponent: int) -> Floats:
    """Return scores counted in 2^exponent as numbers."""
    return np.ldexp(scores, exponent) if exponent else scores


def tree_out_of_units(tree: Tree, exponent: int) -> Tree:
    """Return a tree with leaves out of units; impurities, whose squares overflow, stay in them."""
    return replace(tree, value=np.ldexp(tree.value, exponent)) if exponent else tree
