"""The pruning curve and its choice."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from gramian.tree import DecisionTreeClassifier, prune_cost_complexity, prune_reduced_error


def test_the_chosen_subtree_is_returned_with_its_errors():
    X, y = load_breast_cancer(return_X_y=True)
    tree = DecisionTreeClassifier().fit(X[:300], y[:300])
    pruned, curve = prune_reduced_error(tree, X[300:], y[300:])
    assert curve.n_leaves[curve.chosen] == pruned.get_n_leaves()
    assert curve.n_leaves[0] == tree.get_n_leaves()
    assert curve.train_error[0] == 0
    assert curve.train_error[curve.chosen] == pytest.approx(1 - pruned.score(X[:300], y[:300]))
    assert curve.estimated_error[curve.chosen] == pytest.approx(1 - pruned.score(X[300:], y[300:]))
    assert curve.estimated_error[curve.chosen] == curve.estimated_error.min()
    assert (np.diff(curve.n_leaves) < 0).all()


def test_cost_complexity_reports_alphas_and_standard_errors():
    X, y = load_breast_cancer(return_X_y=True)
    pruned = prune_cost_complexity(DecisionTreeClassifier(random_state=0).fit(X, y), X, y)
    curve = pruned.curve
    assert pruned.estimator.get_n_leaves() == curve.n_leaves[curve.chosen]
    assert len(curve.alpha) == len(curve.standard_error) == len(curve.n_leaves)
    assert (np.diff(curve.alpha) >= 0).all()
    p = curve.estimated_error
    least = int(p.argmin())
    assert p[curve.chosen] <= p[least] + curve.standard_error[least] + 1e-12
