"""Ensembles as sums of trees over the same columns and classes, as ONNX requires."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.models import Model
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import BoostingLoss
from gramian.ensemble.common.custom_loss import UserLoss
from gramian.objectives.loss import Loss
from gramian.tree.structure.tree import Tree
from gramian.tree.structure.tree_sum import TreeSum


def member_tree(member: Model, owner: object) -> Tree:
    """Return a member's tree; raise if the member is not a tree."""
    tree = getattr(member, "tree_", None)
    if not isinstance(tree, Tree) or hasattr(member, "directions_") or hasattr(member, "coef_"):
        raise DataError(
            f"{type(owner).__name__}: only ensembles of trees over the columns of X can be "
            f"exported to ONNX; got a {type(member).__name__}. Use decision trees as learners."
        )
    return tree


def scaled_tree(tree: Tree, factor: float) -> Tree:
    """Return a tree with its values multiplied by a factor."""
    return replace(tree, value=tree.value * factor)


def over_columns(tree: Tree, columns: npt.NDArray[np.intp], n_columns: int) -> Tree:
    """Convert a tree over a subset of the columns to a tree over all columns."""
    levels = np.zeros(n_columns, dtype=np.int32)
    levels[columns] = tree.levels
    feature = np.where(tree.feature >= 0, columns[np.maximum(tree.feature, 0)], -1)
    return replace(tree, feature=feature, levels=levels)


def over_classes(tree: Tree, known: npt.NDArray[Any], classes: npt.NDArray[Any]) -> Tree:
    """Convert a tree over a subset of the classes to a tree over all classes."""
    value = np.zeros((tree.node_count, 1, len(classes)))
    value[:, 0, np.searchsorted(classes, known)] = tree.value[:, 0, :]
    return replace(tree, value=value)


def vote_tree(tree: Tree, known: npt.NDArray[Any], classes: npt.NDArray[Any], vote: float) -> Tree:
    """Convert a tree to one that votes for its most probable class."""
    best = np.searchsorted(classes, known[tree.value[:, 0, :].argmax(axis=1)])
    return replace(tree, value=vote * np.eye(len(classes))[best][:, None, :])


def sum_of_scores(loss: BoostingLoss, start: Floats, trees: Sequence[Tree]) -> TreeSum:
    """Return link(start + sum of the trees); every iteration has one tree per score."""
    objective = loss.loss if isinstance(loss, UserLoss) else None
    if (
        loss.link == "identity"
        and isinstance(objective, Loss)
        and type(objective).mean is not Loss.mean
    ):
        raise DataError(
            f"to_onnx: the link of the loss {type(objective).__name__} is not supported by ONNX "
            "export; set loss to the name of a built-in loss."
        )
    targets = [number % loss.n_scores for number in range(len(trees))]
    scale = loss.link_scale
    return TreeSum(trees, scale, scale * start, targets, loss.link)
