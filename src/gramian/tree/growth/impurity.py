"""Impurities of nodes, and gains of splits.

A node has the class weights N_1 .. N_K with proportions p_k = N_k / N. An impurity J(p) is 0 for a
single class and greatest for equal proportions; a split into branches with weights N_j costs

    (1/N) sum_j N_j J_j     ("weighted"),       or      sum_j J_j     ("sum"),

and gains J - (1/N) sum_j N_j J_j. The gain is never negative if J is concave; if J is strictly
concave, it is positive unless all branches have the same proportions (Breiman, Friedman, Olshen and
Stone 1984, 4.1). Misclassification is not strictly concave: many good splits have gain 0.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.types import Floats
from gramian.objectives import CrossEntropy

Impurity: TypeAlias = Callable[[npt.ArrayLike], Any]
Named: TypeAlias = Literal["entropy", "gini", "misclassification"]


def entropy(counts: npt.ArrayLike, *, unit: Literal["bits", "nats"] = "bits") -> Any:
    """Return the entropy -sum_k p_k log p_k of class weights.

    Parameters
    ----------
    counts : array of shape (..., n_classes)
        Weights of the classes; they need not sum to one.
    unit
        "bits" for the logarithm to base 2, "nats" for the natural one.

    Returns
    -------
    J : float or array of shape (...)

    Examples
    --------
    >>> entropy([1, 1, 1]).round(3), entropy([5, 5]), entropy([7, 0])
    (np.float64(1.585), np.float64(1.0), np.float64(0.0))
    """
    p = _proportions("entropy", counts)
    flat = p.reshape(-1, p.shape[-1])
    nats = CrossEntropy().value(flat, flat).reshape(p.shape[:-1])  # cross-entropy of p with itself
    return _number(nats / np.log(2) if unit == "bits" else nats)


def gini(counts: npt.ArrayLike) -> Any:
    """Return the Gini impurity 1 - sum_k p_k^2: the probability that two rows differ in class.

    Parameters
    ----------
    counts : array of shape (..., n_classes)
        Weights of the classes.

    Returns
    -------
    J : float or array of shape (...)

    Examples
    --------
    >>> gini([5, 5]), gini([3, 0])
    (np.float64(0.5), np.float64(0.0))
    """
    p = _proportions("gini", counts)
    return _number(1 - (p**2).sum(axis=-1))


def misclassification(counts: npt.ArrayLike) -> Any:
    """Return 1 - max_k p_k: the proportion of labels outside the largest class.

    It is concave, but not strictly: a split whose branches have the same majority class has gain 0,
    even if the proportions differ. Some texts print 1 - sum_k p_k, which is always 0.

    Parameters
    ----------
    counts : array of shape (..., n_classes)
        Weights of the classes.

    Returns
    -------
    J : float or array of shape (...)

    Examples
    --------
    >>> misclassification([20, 10]).round(4)
    np.float64(0.3333)
    >>> information_gain([[10, 1], [10, 9]], misclassification).round(9)
    np.float64(0.0)
    """
    return _number(1 - _proportions("misclassification", counts).max(axis=-1))


def split_cost(
    branches: npt.ArrayLike,
    impurity: Named | Impurity = "entropy",
    *,
    combine: Literal["weighted", "sum"] = "weighted",
) -> Any:
    """Return the cost of a split: the impurities of its branches, averaged by weight or summed.

    Parameters
    ----------
    branches : array of shape (n_branches, n_classes)
        Class weights of each branch.
    impurity
        A name, or a function from class weights along the last axis to numbers.
    combine
        "weighted" for (1/N) sum_j N_j J_j, "sum" for sum_j J_j.

    Returns
    -------
    cost : float

    Examples
    --------
    >>> split_cost([[10, 9], [10, 1]]).round(5)
    np.float64(0.79322)
    """
    table = _branches("split_cost", branches)
    weight = table.sum(axis=1)
    costs = np.zeros(len(table))
    costs[weight > 0] = impurity_of(impurity)(table[weight > 0])
    total = costs.sum() if combine == "sum" else weight @ costs / weight.sum()
    return _number(np.asarray(total))


def information_gain(branches: npt.ArrayLike, impurity: Named | Impurity = "entropy") -> Any:
    """Return the decrease of the impurity by a split: J - (1/N) sum_j N_j J_j.

    Parameters
    ----------
    branches : array of shape (n_branches, n_classes)
        Class weights of each branch; they sum to those of the node.
    impurity
        A name, or a function from class weights along the last axis to numbers.

    Returns
    -------
    gain : float
        At least 0 for a concave impurity.

    Examples
    --------
    >>> information_gain([[2, 3], [4, 0], [3, 2]]).round(5)
    np.float64(0.24675)
    """
    table = _branches("information_gain", branches)
    whole = impurity_of(impurity)(table.sum(axis=0))
    return _number(np.asarray(whole - split_cost(table, impurity)))


def split_information(branches: npt.ArrayLike) -> Any:
    """Return the entropy of the branches' weights, in bits.

    Parameters
    ----------
    branches : array of shape (n_branches, n_classes) or (n_branches,)
        Class weights, or total weights, of each branch.

    Returns
    -------
    bits : float

    Examples
    --------
    >>> split_information([5, 4, 5]).round(5)
    np.float64(1.57741)
    """
    table = np.asarray(branches, dtype=np.float64)
    return entropy(table.reshape(len(table), -1).sum(axis=1))


def gain_ratio(branches: npt.ArrayLike) -> Any:
    """Return information gain over split information, Quinlan's correction for many branches.

    If all rows are in one branch, the split information is 0 and so is the ratio.

    Parameters
    ----------
    branches : array of shape (n_branches, n_classes)
        Class weights of each branch.

    Returns
    -------
    ratio : float

    Examples
    --------
    >>> gain_ratio([[2, 3], [4, 0], [3, 2]]).round(5)
    np.float64(0.15643)
    """
    split = split_information(branches)
    return _number(np.asarray(information_gain(branches) / split if split > 0 else 0.0))


def entropy_in_stages(counts: npt.ArrayLike, groups: Sequence[Sequence[int]]) -> Any:
    """Return the entropy of a choice made in two stages: first a group, then a class in it.

    By the multistage property it equals the entropy of a direct choice:

        info([a, b, c]) = info([a, b + c]) + (b + c)/N info([b, c]).

    Parameters
    ----------
    counts : array of shape (n_classes,)
        Weights of the classes.
    groups
        Lists of class indices; each class is in one of them.

    Returns
    -------
    bits : float

    Examples
    --------
    >>> entropy_in_stages([2, 3, 4], [[0], [1, 2]]).round(6), entropy([2, 3, 4]).round(6)
    (np.float64(1.530493), np.float64(1.530493))
    """
    weights = np.asarray(counts, dtype=np.float64)
    if sorted(k for group in groups for k in group) != list(range(len(weights))):
        raise DataError(
            f"entropy_in_stages: groups must contain each of the {len(weights)} classes once; got "
            f"{[list(g) for g in groups]}."
        )
    first = np.array([weights[list(group)].sum() for group in groups])
    later = [n * entropy(weights[list(g)]) for n, g in zip(first, groups, strict=True) if n > 0]
    return _number(np.asarray(entropy(first) + np.sum(later) / weights.sum()))


@dataclass(frozen=True)
class ImpurityAxioms:
    """Axioms that a function of two class proportions satisfies; see `check_impurity`."""

    zero_when_pure: bool
    greatest_at_half: bool
    unimodal: bool
    concave: bool
    strictly_concave: bool

    @property
    def holds(self) -> bool:
        """Whether the function is an impurity: all axioms except strict concavity hold."""
        return self.zero_when_pure and self.greatest_at_half and self.unimodal and self.concave


def check_impurity(phi: Impurity, *, points: int = 201) -> ImpurityAxioms:
    """Check the axioms of an impurity on a grid of two-class proportions.

    phi(p, 1 - p) must be 0 for p in {0, 1}, have its maximum at 1/2, increase before it and
    decrease after, and be concave; a strictly concave phi gives every split a gain that changes the
    proportions.

    Parameters
    ----------
    phi
        A function from class proportions along the last axis to numbers.
    points
        Size of the grid, odd so that 1/2 is on it.

    Returns
    -------
    axioms : ImpurityAxioms

    Examples
    --------
    >>> check_impurity(gini).strictly_concave, check_impurity(misclassification).strictly_concave
    (True, False)
    >>> check_impurity(lambda p: np.asarray(p)[..., 0] ** 2).holds
    False
    """
    p = np.linspace(0, 1, points | 1)
    value = np.asarray(phi(np.column_stack([p, 1 - p])), dtype=np.float64)
    if value.shape != p.shape or not np.isfinite(value).all():
        raise DataError(
            f"check_impurity: phi must return one finite number per row of proportions; got shape "
            f"{value.shape} for {len(p)} rows."
        )
    middle, size = len(p) // 2, max(float(np.abs(value).max()), 1e-300)
    slack = 1e-9 * size
    steps = np.diff(value)
    bends = np.diff(value, 2)
    return ImpurityAxioms(
        zero_when_pure=bool(abs(value[0]) <= slack and abs(value[-1]) <= slack),
        greatest_at_half=bool(value.max() <= value[middle] + slack),
        unimodal=bool((steps[:middle] >= -slack).all() and (steps[middle:] <= slack).all()),
        concave=bool((bends <= slack).all()),
        strictly_concave=bool((bends < -slack).all()),
    )


def impurity_of(impurity: Named | Impurity) -> Impurity:
    """Return the impurity function by name; functions are returned unchanged."""
    if callable(impurity):
        return impurity
    named: dict[str, Impurity] = {
        "entropy": entropy, "gini": gini, "misclassification": misclassification,
    }  # fmt: skip
    if impurity not in named:
        raise DataError(f"impurity must be one of {sorted(named)} or a function; got {impurity!r}.")
    return named[impurity]


def _proportions(owner: str, counts: npt.ArrayLike) -> Floats:
    weights = np.asarray(counts, dtype=np.float64)
    if weights.ndim == 0 or weights.shape[-1] == 0 or not (weights >= 0).all():
        raise DataError(f"{owner}: counts must be class weights >= 0; got {counts!r}.")
    total = weights.sum(axis=-1, keepdims=True)
    if not (total > 0).all():
        raise DataError(f"{owner}: counts must not all be zero; got {counts!r}.")
    proportions: Floats = weights / total
    return proportions


def _branches(owner: str, branches: npt.ArrayLike) -> Floats:
    table = np.asarray(branches, dtype=np.float64)
    if table.ndim != 2 or not table.sum() > 0:
        raise DataError(
            f"{owner}: branches must be class weights, one row per branch, not all zero; got "
            f"{branches!r}."
        )
    return table


def _number(values: Floats) -> Any:
    """Return a NumPy scalar for a single value; never -0."""
    return (np.maximum(values, 0.0) + 0.0)[()]
