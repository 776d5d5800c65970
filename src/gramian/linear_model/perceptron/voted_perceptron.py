"""The voted perceptron: every weight vector votes with the number of rows it survived."""

from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Count, Seed, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.kinds import Classifier
from gramian.base.randomness import seed_of
from gramian.base.types import Data, Floats, Matrix, Table, is_sparse
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.sgd.stochastic_steps import epoch_order

_BLOCK_ROWS = 256  # rows whose margins are computed at once


@params
class VotedPerceptron(Classifier):
    """The voted perceptron.

    All weight vectors w_1, w_2, ... of the perceptron are kept, each with the number c_k of rows
    that it classified correctly before its first mistake. They vote::

        f(x) = sum_k c_k sign(w_k . x + b_k)

    (Freund and Schapire 1999). If no hyperplane separates the classes, it generalises like a
    large-margin classifier. Memory, and time per prediction, are O(mistakes d). With more than two
    classes, each is fitted against the rest, and scores are fractions of the votes.

    Parameters
    ----------
    max_iter
        Maximum number of epochs.
    fit_intercept
        Whether to fit biases b_k.
    shuffle
        Whether to visit the rows in a new random order in each epoch.
    random_state
        Seed or generator for the random draws.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    classifier_index_ : array (k,)
        Class (against the rest) to which each weight vector belongs; 0 if there are two classes.
    weights_ : array (k, d)
        The weight vectors.
    biases_ : array (k,)
        Biases b_k.
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
    parametric: ClassVar[bool | None] = False  # every mistake adds a hyperplane
    model_family = "boundary"

    _: KW_ONLY
    max_iter: Count = 10
    fit_intercept: bool = True
    shuffle: bool = True
    random_state: Seed = 0

    def fit(self, X: Table, y: npt.ArrayLike) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        check_size(self, "X", table)
        codes, classes = check_labels(self, y, table.shape[0])
        mass = np.bincount(codes, minlength=len(classes)).astype(float)
        check_classes("VotedPerceptron", classes, mass)
        seed = seed_of(self.random_state)
        positive = [1] if len(classes) == 2 else range(len(classes))
        kept = []
        self.n_iter_ = 0
        for index, k in enumerate(positive):
            weights, epochs = self._run_epochs(table, np.where(codes == k, 1.0, -1.0), seed + index)
            kept += [(index, *each) for each in weights]
            self.n_iter_ = max(self.n_iter_, epochs)
        indices, W, b, c = zip(*kept, strict=True)
        self.classifier_index_, self.survived_ = np.array(indices), np.array(c)
        self.weights_: Matrix = np.array(W).astype(table.dtype)
        self.biases_: Matrix = np.array(b).astype(table.dtype)
        self.classes_: Classes = classes
        return self

    def _check_loaded(self) -> None:
        n_classifiers = 1 if len(self.classes_) == 2 else len(self.classes_)
        if self.classifier_index_.dtype.kind not in "iu" or not (
            0 <= self.classifier_index_.min() <= self.classifier_index_.max() < n_classifiers
        ):
            raise DataError(
                f"VotedPerceptron: classifier_index_ must contain integers below {n_classifiers}."
            )

    def _run_epochs(
        self, table: Data, signs: Floats, seed: int
    ) -> tuple[list[tuple[Floats, float, int]], int]:
        """Return all weights with biases and votes, and the number of epochs."""
        w, b, c, epoch = np.zeros(table.shape[1]), 0.0, 0, 0
        kept = []
        for epoch in range(1, self.max_iter + 1):
            order = epoch_order(len(signs), shuffle=self.shuffle, seed=seed, epoch=epoch)
            mistakes, at = 0, 0
            while at < len(order):
                rows = order[at : at + _BLOCK_ROWS]
                margins = signs[rows] * (np.asarray(table[rows] @ w, dtype=float) + b)
                wrong = np.flatnonzero(margins <= 0)
                right = int(wrong[0]) if len(wrong) else len(rows)
                c, at = c + right, at + right
                if len(wrong):
                    kept.append((w, b, c))
                    i = rows[right]
                    row = table[[i]].toarray()[0] if is_sparse(table) else table[i]
                    w = w + signs[i] * row
                    b += signs[i] * self.fit_intercept
                    c, at, mistakes = 0, at + 1, mistakes + 1
            if mistakes == 0:
                break
        return [*kept, (w, b, c)], epoch

    def decision_function(self, X: Table) -> Matrix:
        """Return the votes for the second class minus those against it.

        With more than two classes, return that difference for each class, as a fraction of all
        votes.
        """
        check_is_fitted(self)
        table = check_new(self, X, dtype=self.weights_.dtype)
        n_classifiers = int(self.classifier_index_.max()) + 1
        votes = np.zeros((table.shape[0], n_classifiers))
        for first in range(0, len(self.weights_), 1000):
            part = slice(first, first + 1000)
            signs = np.sign(np.asarray(table @ self.weights_[part].T) + self.biases_[part])
            for k in np.unique(self.classifier_index_[part]):
                own = self.classifier_index_[part] == k
                votes[:, k] += signs[:, own] @ self.survived_[part][own]
        if n_classifiers > 1:
            votes /= np.maximum(
                np.bincount(self.classifier_index_, self.survived_, n_classifiers), 1
            )
        shown = votes[:, 0] if n_classifiers == 1 else votes
        return shown.astype(self.weights_.dtype)

    def predict(self, X: Table) -> Classes:
        """Return the class with more votes."""
        z = self.decision_function(X)
        codes = (z > 0).astype(np.intp) if z.ndim == 1 else z.argmax(axis=1)
        labels: Classes = self.classes_[codes]
        return labels
