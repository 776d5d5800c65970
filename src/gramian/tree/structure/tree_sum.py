"""An ensemble as a sum of trees, for export to other systems."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy.typing as npt

from gramian.tree.structure.tree import Tree

Link: TypeAlias = Literal["identity", "probabilities", "logistic", "softmax", "exp"]


class TreeSum(NamedTuple):
    """The prediction link(offset + scale * sum of the leaves' values).

    An ensemble of trees has a method ``_tree_sum`` that returns one.

    Attributes
    ----------
    trees
        Trees over the same columns.
    scale
        Factor of all leaf values; 1 / number of trees for a forest.
    offset
        Offset added to the sums, one per target.
    targets
        The target that each tree adds to, if every tree has one value per leaf (boosting of
        several classes); None if each tree adds to all targets.
    link
        "identity"; "probabilities" if leaves contain them; "logistic" for one score that gives
        the probability of the second class; "softmax"; "exp".
    """

    trees: Sequence[Tree]
    scale: float = 1.0
    offset: npt.ArrayLike | None = None
    targets: Sequence[int] | None = None
    link: Link = "identity"
