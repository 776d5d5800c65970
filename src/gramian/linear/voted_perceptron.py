"""The voted perceptron: every weight vector votes as long as it survived."""

from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Seed, params
from gramian.base.gate import Matrix, check_fit, check_new
from gramian.base.kinds import Classifier
from gramian.base.labels import Classes, check_labels
from gramian.base.randomness import seed_of
from gramian.linear.class_targets import check_classes
from gramian.linear.stochastic_steps import rows_in_order

_BLOCK = 256  # rows whose margins are computed at once, until one is a mistake


@params
class VotedPerceptron(Classifier):
    """The voted perceptron.

    The perceptron's weights w_1, w_2, ... are all kept, each with the number c_k of rows that it
    got right in a row before its mistake; they vote::

        f(x) = sum_k c_k sign(w_k . x + b_k)

    (Freund and Schapire 1999). On rows that no hyperplane separates this generalises like a
    machine of large margin. Two classes; costs O(mistakes d) memory, and as much time per
    prediction.

    Parameters
    ----------
    max_iter
        Epochs.
    fit_intercept
        Whether there are biases b_k.
    shuffle
        Whether each epoch has its own random order.
    random_state
        Seed of the orders.

    Attributes
    ----------
    classes_ : array (2,)
        The labels, sorted.
    weights_ : array (k, d)
        The weight vectors.
    biases_ : array (k,)
        Their biases.
    survived_ : array (k,)
        The votes c_k.
    n_iter_ : int
        Epochs made; fewer than `max_iter` if one made no mistake.

    Examples
    --------
    >>> from gramian import VotedPerceptron
    >>> model = VotedPerceptron(shuffle=False).fit([[1.0], [2.0], [-1.0]], [1, 1, 0])
    >>> model.survived_.tolist(), model.predict([[0.5]]).tolist()
    ([0, 1, 3], [1])
    """

    takes_sparse: ClassVar[bool] = True

    _: KW_ONLY
    max_iter: Count = 10
    fit_intercept: bool = True
    shuffle: bool = True
    random_state: Seed = 0

    def __sklearn_tags__(self) -> object:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: npt.ArrayLike, y: npt.ArrayLike) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels of two classes.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        if len(classes) > 2:
            raise DataError(
                "VotedPerceptron: Only binary classification is supported. The type of the target "
                f"is multiclass: got {len(classes)} classes. Use sklearn.multiclass."
                "OneVsRestClassifier around it."
            )
        check_classes("VotedPerceptron", classes, np.bincount(codes, minlength=2).astype(float))
        signs = np.where(codes == 1, 1.0, -1.0)
        seed, d = seed_of(self.random_state), table.shape[1]
        w, b, c = np.zeros(d), 0.0, 0
        kept = []
        epoch = 0
        for epoch in range(1, self.max_iter + 1):
            order = rows_in_order(len(signs), shuffle=self.shuffle, seed=seed, epoch=epoch)
            mistakes, at = 0, 0
            while at < len(order):
                rows = order[at : at + _BLOCK]
                margins = signs[rows] * (np.asarray(table[rows] @ w, dtype=float) + b)
                wrong = np.flatnonzero(margins <= 0)
                right = int(wrong[0]) if len(wrong) else len(rows)
                c, at = c + right, at + right
                if len(wrong):
                    kept.append((w, b, c))
                    i = rows[right]
                    row = table[[i]].toarray()[0] if hasattr(table, "toarray") else table[i]
                    w = w + signs[i] * row
                    b += signs[i] * self.fit_intercept
                    c, at, mistakes = 0, at + 1, mistakes + 1
            if mistakes == 0:
                break
        kept.append((w, b, c))
        self.weights_: Matrix = np.array([v for v, _, _ in kept]).astype(table.dtype)
        self.biases_: Matrix = np.array([v for _, v, _ in kept]).astype(table.dtype)
        self.survived_ = np.array([v for _, _, v in kept])
        self.classes_: Classes = classes
        self.n_iter_ = epoch
        return self

    def decision_function(self, X: npt.ArrayLike) -> Matrix:
        """Return the votes for the second class less those for the first."""
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.weights_.dtype)
        votes = np.zeros(table.shape[0])
        for first in range(0, len(self.weights_), 1000):
            part = slice(first, first + 1000)
            scores = np.asarray(table @ self.weights_[part].T) + self.biases_[part]
            votes += np.sign(scores) @ self.survived_[part]
        return votes.astype(self.weights_.dtype)

    def predict(self, X: npt.ArrayLike) -> Classes:
        """Return the class with more votes."""
        labels: Classes = self.classes_[(self.decision_function(X) > 0).astype(np.intp)]
        return labels
