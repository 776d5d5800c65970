"""Classification by a multi-layer perceptron."""

from numbers import Real
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.metaestimators import available_if

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.inputs.targets import (
    Classes,
    Codes,
    check_label_sets,
    check_labels,
    holds_label_sets,
)
from gramian.base.inputs.weights import ClassWeight, check_weights, weigh_classes
from gramian.base.kinds import Classifier, LogProbabilities, ModelFamily, Tags
from gramian.base.types import Matrix, Table
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.mlp.mlp_parameters import IN_ORDER, Activations, Sizes
from gramian.neural_network.mlp.multilayer_perceptron import MultilayerPerceptron, stochastic
from gramian.objectives.network_losses import Output

Smoothing = Annotated[float, Interval(Real, 0, 0.5, open_high=True)]


@params(first=IN_ORDER)
class MLPClassifier(LogProbabilities, Classifier, MultilayerPerceptron):
    """Classification by a multi-layer perceptron: a feed-forward neural network.

    ::

        h_0 = x,   h_l = f(h_{l-1} W_l + b_l),   p = softmax(h_{L-1} W_L + b_L)
        minimise  1/n sum_i -log p(y_i | x_i) + alpha / (2 n) sum_l |W_l|^2

    by stochastic gradient descent; the derivatives come from backpropagation (Rumelhart, Hinton and
    Williams 1986). Two classes, and several labels per row, have logistic outputs sigma(z) =
    1 / (1 + e^-z), which for two classes equals the softmax of two. A local minimum is found, which
    depends on the random start. An epoch costs about 6 operations for each row and weight. Columns
    should be scaled to similar size, for example by `sklearn.preprocessing.StandardScaler`. float32
    input is trained in float32, in half the time. The result is bit for bit the same for any number
    of threads.

    Parameters
    ----------
    hidden_layer_sizes
        Units of each hidden layer; () for none, which is a linear model.
    activation
        Of the hidden units: "identity", "logistic" 1 / (1 + e^-z), "tanh", "relu" max(0, z); or a
        list with one for each hidden layer.
    class_weight
        Weights of the classes in the cost; "balanced" gives every class the same total.
    target_smoothing
        e: the targets of a row's class and of the others are 1 - e and e / (K - 1) in place of 1
        and 0, so that weights need not grow without bound to reach them; 0.05 gives 19/20 and
        1/20.

    Attributes
    ----------
    classes_ : array
        The labels; if there is only one, it is predicted for every row. For rows with several
        labels, the columns of y.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from gramian import MLPClassifier
    >>> X, y = make_moons(200, noise=0.1, random_state=0)
    >>> model = MLPClassifier((20,), solver="lbfgs", random_state=0).fit(X, y)
    >>> model.score(X, y)
    1.0
    """

    model_family: ClassVar[ModelFamily | None] = "discriminative"
    tags: ClassVar[Tags] = {"classifier_tags.multi_label": True}

    hidden_layer_sizes: Sizes = (100,)
    activation: Activations = "relu"
    _: KW_ONLY
    class_weight: ClassWeight = None
    target_smoothing: Smoothing = 0.0

    def _examples(self, X: Any, y: Any, sample_weight: Any, *, first: bool) -> Examples:
        weights = check_weights(self, sample_weight, X.shape[0])
        if holds_label_sets(y) if first else self._label_sets:
            return self._label_set_examples(X, y, weights, first=first)
        codes, found = check_labels(self, y, X.shape[0])
        if first:
            self.classes_, self._label_sets = found, False
        codes = self._label_indices(found)[codes]
        name = type(self).__name__
        weights = weigh_classes(name, self.class_weight, codes, self.classes_, weights)
        if weights is not None and not weights.any():
            raise DataError(f"{name}: every weight is zero; make at least one positive.")
        e = self.target_smoothing
        low = e / max(1, len(self.classes_) - 1)
        return Examples(X, codes.astype(np.int32), None, 1 - e, low, weights)

    def _check_resumed(self, y: npt.ArrayLike) -> None:
        if self._label_sets:
            return
        found = np.unique(np.asarray(y))
        if not np.array_equal(found, self.classes_):
            raise DataError(
                f"{type(self).__name__}: warm_start can only be used where `y` has the same "
                f"classes as in the previous call to fit. Previously got {self.classes_}, `y` has "
                f"{found}; set warm_start=False, or use partial_fit."
            )

    def _label_indices(self, labels: Classes) -> Codes:
        """Return the index of each label in `classes_`."""
        try:
            places = np.searchsorted(self.classes_, labels)
            inside = np.minimum(places, len(self.classes_) - 1)
            known = np.array_equal(self.classes_[inside], labels)
        except TypeError:  # for example dates among strings
            known = False
        if not known:
            raise DataError(
                f"{type(self).__name__}: y contains labels that are not in classes_, "
                f"{self.classes_.tolist()}; drop such rows, or fit to all labels."
            )
        return inside

    def _label_set_examples(self, X: Any, y: Any, weights: Any, *, first: bool) -> Examples:
        name = type(self).__name__
        member, labels = check_label_sets(self, y, X.shape[0])
        if first:
            self.classes_, self._label_sets = labels, True
        if not np.array_equal(labels, self.classes_):
            raise DataError(
                f"{name}: the labels of y are {labels.tolist()}, but the network was fitted to "
                f"{self.classes_.tolist()}; pass a column for each of them."
            )
        if self.class_weight is not None:
            raise DataError(f"{name}: class_weight needs one label per row; set it to None.")
        e = self.target_smoothing
        values = np.where(member, 1 - e, e).astype(X.dtype)
        return Examples(X, None, values, weights=weights)

    def _output(self, rows: Examples) -> tuple[Output, int]:
        if self._label_sets:
            return "logistic", len(self.classes_)
        return ("softmax", len(self.classes_)) if len(self.classes_) > 2 else ("logistic", 1)

    def _score(self, outputs: Matrix, rows: Examples) -> float:
        """Return the accuracy; for several labels per row, the accuracy of whole sets."""
        if rows.codes is None:
            assert rows.values is not None
            right = ((outputs > 0.5) == (rows.values > 0.5)).all(axis=1)
        else:
            right = _codes(outputs) == rows.codes
        return float(np.average(right, weights=rows.weights))

    @available_if(stochastic)
    def partial_fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        classes: npt.ArrayLike | None = None,
    ) -> Self:
        """Run one epoch over a batch of rows, starting from the state of the last call.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows' losses.
        classes
            All labels; required in the first call, unless y is a matrix of 0 and 1.

        Returns
        -------
        self
        """
        name = type(self).__name__
        if self.class_weight == "balanced":
            raise DataError(
                f"{name}: class_weight='balanced' is not supported for partial_fit, which does not "
                "know the class proportions; pass a dict of weights."
            )
        known = None if classes is None else np.unique(np.asarray(classes))
        if not hasattr(self, "coefs_"):
            if known is None and not holds_label_sets(y):
                raise DataError(
                    f"{name}: classes must be passed on the first call to partial_fit; pass all "
                    "labels that will ever occur."
                )
            return self._partial_fit(X, y, sample_weight, None if holds_label_sets(y) else known)
        if known is not None and not np.array_equal(known, self.classes_):
            raise DataError(
                f"{name}: classes={known.tolist()} is not the same as on the last call to "
                f"partial_fit, {self.classes_.tolist()}; pass the same classes."
            )
        return self._partial_fit(X, y, sample_weight, None)

    def predict(self, X: Table) -> npt.NDArray[Any]:
        """Return the label with the highest output; for several labels a matrix of 0 and 1."""
        P = self._outputs(X)
        if self._label_sets:
            return (P > 0.5).astype(int)
        return np.asarray(self.classes_[np.minimum(_codes(P), len(self.classes_) - 1)])

    def predict_proba(self, X: Table) -> Matrix:
        """Return the probability of each class, or of each label."""
        P = self._outputs(X)
        if self._label_sets or len(self.classes_) > 2:
            return P
        if len(self.classes_) == 1:
            return np.ones_like(P)
        return np.hstack([1 - P, P])

    def _check_loaded(self) -> None:
        super()._check_loaded()
        K = len(self.classes_)
        units = K if self._label_sets or K > 2 else 1
        if K < 1 or units != self.n_outputs_:
            raise DataError("MLPClassifier: classes_ must match the outputs.")


def _codes(P: Matrix) -> Codes:
    """Return the class of outputs: the largest, or whether the only one exceeds 1/2."""
    if P.shape[1] == 1:
        return (P[:, 0] > 0.5).astype(np.intp)
    return np.asarray(P.argmax(axis=1))
