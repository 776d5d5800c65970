import numpy as np
from sklearn.datasets import make_multilabel_classification

from gramian import DecisionTreeClassifier, EnsembleOfClassifierChains, LinearSVC

X, Y = make_multilabel_classification(120, 6, n_classes=4, random_state=0)
TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def test_the_scores_are_the_mean_of_the_chains():
    model = EnsembleOfClassifierChains(TREE, n_estimators=4, random_state=0).fit(X, Y)
    each = [chain.predict_proba(X) for chain in model.estimators_]
    np.testing.assert_allclose(model.predict_proba(X), np.mean(each, axis=0))
    assert len({tuple(chain.order_) for chain in model.estimators_}) > 1


def test_without_bootstrap_the_chains_differ_by_order_alone():
    model = EnsembleOfClassifierChains(TREE, n_estimators=3, bootstrap=False, random_state=1)
    model.fit(X, Y)
    for chain in model.estimators_:
        first = chain.order_[0]  # sees no other label
        alone = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y[:, first])
        np.testing.assert_array_equal(chain.estimators_[0].predict(X), alone.predict(X))


def test_members_without_probabilities_are_averaged_by_score():
    model = EnsembleOfClassifierChains(LinearSVC(), n_estimators=2, random_state=0).fit(X, Y)
    each = [chain.decision_function(X) for chain in model.estimators_]
    np.testing.assert_allclose(model.decision_function(X), np.mean(each, axis=0))
