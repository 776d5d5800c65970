"""Text for the nodes of a fitted tree."""

from collections.abc import Sequence
from typing import Any

from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.kinds import Estimator
from gramian.tree.structure.tree import EACH, NUMERIC, Tree

# Labels of a leaf's impurity by criterion; the default is the mean squared error.
_ERRORS = {"absolute_error": "mae", "worst_error": "worst", "poisson": "deviance/2"}


class NodeLabels:
    """Text for the nodes of a fitted tree."""

    def __init__(
        self, estimator: Estimator, feature_names: Sequence[str] | None, decimals: int
    ) -> None:
        check_is_fitted(estimator, "tree_")
        if not isinstance(estimator.tree_, Tree):
            raise DataError(
                "the tree must be an estimator of gramian.tree; got a "
                f"{type(estimator).__name__} of "
                f"{type(estimator).__module__.partition('.')[0]}."
            )
        self.tree: Tree = estimator.tree_
        self.error = _ERRORS.get(getattr(estimator, "criterion", ""), "mse")
        if self.tree.n_outputs > 1:
            raise DataError(
                "trees with several outputs cannot be exported; fit one tree per output."
            )
        self.classes = estimator.classes_.tolist() if is_classifier(estimator) else None
        linear = hasattr(estimator, "coef_")
        self.models = (estimator.coef_, estimator.intercept_) if linear else None
        self.categories = list(estimator._categories)
        self.decimals = decimals
        count = estimator.n_features_in_
        seen = getattr(estimator, "feature_names_in_", [f"x{j}" for j in range(count)])
        self.names = list(map(str, seen if feature_names is None else feature_names))
        if len(self.names) != count:
            raise DataError(
                f"feature_names must have {count} names, one per feature; got {len(self.names)}."
            )
        if hasattr(estimator, "_split_names"):  # splits on linear combinations
            self.names = estimator._split_names(self.names, decimals)

    def number(self, value: float) -> str:
        """Format a number with `decimals` decimals, without trailing zeros."""
        text = f"{value:.{self.decimals}f}"
        if float(text) == 0 and value != 0:
            return f"{value:.{self.decimals}g}"
        return text.rstrip("0").rstrip(".") if "." in text else text

    def branch(self, node: int) -> str:
        """Return the condition that leads to a node from its parent."""
        tree = self.tree
        parent = int(tree.parent[node])
        which = node - int(tree.first_child[parent])
        name, levels = self.names[tree.feature[parent]], self.categories[tree.feature[parent]]
        if tree.kind[parent] == NUMERIC:
            return f"{name} {'<=' if which == 0 else '>'} {self.number(tree.threshold[parent])}"
        if tree.kind[parent] == EACH:
            return f"{name} = {levels[which]}"
        chosen = tree.category_set(parent) == (which == 0)
        members = [str(level) for level, listed in zip(levels, chosen, strict=True) if listed]
        return (
            f"{name} = {members[0]}" if len(members) == 1 else f"{name} in {{{', '.join(members)}}}"
        )

    def test(self, node: int) -> str:
        """Return the test of an inner node."""
        tree, name = self.tree, self.names[self.tree.feature[node]]
        if tree.kind[node] == EACH:
            return f"{name} ?"
        return self.branch(int(tree.first_child[node]))

    def edge(self, node: int) -> str:
        """Return the outcome of the parent's test that leads to a node."""
        parent = int(self.tree.parent[node])
        which = node - int(self.tree.first_child[parent])
        if self.tree.kind[parent] == EACH:
            return str(self.categories[self.tree.feature[parent]][which])
        return "yes" if which == 0 else "no"

    def prediction(self, node: int) -> Any:
        """Return the class, value or linear formula that a node predicts."""
        value = self.tree.value[node, 0]
        if self.models is not None and self.tree.n_children[node] == 0:
            slopes, constant = (part[node] for part in self.models)
            terms = [f"{c:+.4g} {name}" for c, name in zip(slopes, self.names, strict=True) if c]
            return " ".join([f"{constant:.4g}", *terms]).replace(" +", " + ").replace(" -", " - ")
        return float(value[0]) if self.classes is None else self.classes[int(value.argmax())]

    def leaf(self, node: int, weights: bool) -> str:
        """Return the text of a leaf: its prediction, weight and errors."""
        prediction = self.prediction(node)
        plain = self.classes is None and self.models is None
        text = self.number(prediction) if plain else str(prediction)
        if not weights:
            return text
        weight = float(self.tree.weight[node])
        if self.models is not None:
            return f"{text} ({self.number(weight)})"
        if self.classes is None:
            error = self.number(self.tree.impurity[node])
            return f"{text} ({self.number(weight)}, {self.error} {error})"
        wrong = weight * (1 - float(self.tree.value[node, 0].max()))
        errors = f"/{self.number(wrong)}" if wrong > 1e-9 else ""
        return f"{text} ({self.number(weight)}{errors})"


def tree_children(tree: Tree, node: int) -> list[int]:
    """Return the indices of a node's children."""
    first = int(tree.first_child[node])
    return list(range(first, first + int(tree.n_children[node])))
