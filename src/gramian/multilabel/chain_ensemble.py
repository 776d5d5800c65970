"""Ensembles of classifier chains with random orders."""

import numpy as np

from gramian.base.fields import KW_ONLY, Count, Learner, Seed, params
from gramian.base.inputs.targets import LabelSets
from gramian.base.randomness import seed_of, stream
from gramian.base.rows.taking import take
from gramian.base.types import Data, Floats, Weights
from gramian.multilabel.classifier_chain import ClassifierChain
from gramian.multilabel.common.label_members import LabelMembers


@params(first=("n_estimators", "bootstrap", "random_state"))
class EnsembleOfClassifierChains(LabelMembers):
    """Average of classifier chains in random orders, each fitted to a bootstrap sample.

    A single chain depends on its order, and its errors accumulate along the chain; averaging over
    orders reduces both effects (Read, Pfahringer, Holmes and Frank 2011).

    Parameters
    ----------
    n_estimators
        Number of chains.
    bootstrap
        Whether each chain is fitted to rows drawn with replacement, or to all rows.
    random_state
        Seed or generator for the random orders and rows.

    Attributes
    ----------
    estimators_ : list of ClassifierChain
        The chains.

    Examples
    --------
    >>> from gramian import DecisionTreeClassifier, EnsembleOfClassifierChains
    >>> X, Y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 1], [1, 1], [1, 1]]
    >>> model = EnsembleOfClassifierChains(DecisionTreeClassifier(), random_state=0).fit(X, Y)
    >>> model.predict([[3.0]])
    array([[1, 1]])
    """

    estimator: Learner
    _: KW_ONLY
    n_estimators: Count = 10
    bootstrap: bool = True
    random_state: Seed = None

    def _fit_labels(self, table: Data, Y: LabelSets, weights: Weights | None) -> None:
        seed = seed_of(self.random_state)
        n = table.shape[0]
        self.estimators_: list[ClassifierChain] = []
        for number in range(self.n_estimators):
            rng = stream(seed, number)
            chain = ClassifierChain(self.estimator, order=rng.permutation(Y.shape[1]))
            rows = rng.integers(n, size=n) if self.bootstrap else np.arange(n)
            own = None if weights is None else weights[rows]
            self.estimators_.append(chain._fit_label_matrix(take(table, rows), Y[rows], own))

    def _scores(self, table: Data) -> Floats:
        return np.asarray(np.mean([chain._scores(table) for chain in self.estimators_], axis=0))
