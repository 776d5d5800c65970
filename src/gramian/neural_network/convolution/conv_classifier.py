"""A convolutional network for classes."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.targets import check_labels
from gramian.base.inputs.weights import ClassWeight, weigh_classes
from gramian.base.kinds import Classifier, LogProbabilities, ModelFamily
from gramian.base.types import Matrix, Table, Weights
from gramian.neural_network.convolution.conv_estimator import ConvEstimator
from gramian.objectives.entropy import Softmax
from gramian.objectives.loss import Loss
from gramian.objectives.network_losses import Output


@params(first=("input_shape",))
class ConvClassifier(ConvEstimator, LogProbabilities, Classifier):
    """A convolutional network with a softmax output.

    The probabilities of the classes are ``softmax(z)``, z the output of the last layer. Training
    minimises the mean cross-entropy with the labels ``-ln softmax(z)_y`` plus alpha/2 |W|^2
    (LeCun, Bottou, Bengio and Haffner 1998; Goodfellow, Bengio and Courville 2016, chapter 9). An
    epoch costs about six times the connections of the network for every row. It computes in the
    type of X, and in float32 for bytes: float32 is several times as fast as float64. The same
    seed gives identical results for any number of threads. Networks of stride-1 convolutions with
    2 x 2 max pooling, followed by dense layers, are the fastest: they run in native code.

    Parameters
    ----------
    class_weight
        Weights of the classes: a dict, "balanced" for weights inversely proportional to the class
        frequencies, or None.

    Attributes
    ----------
    classes_ : array
        The labels; if there is only one, it is predicted for every row.

    Examples
    --------
    >>> from gramian import ConvClassifier
    >>> from gramian.neural_network import Conv, Pool
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model = ConvClassifier(
    ...     [Conv(8, 3, padding="same"), Pool(2)], input_shape=(8, 8, 1), max_iter=5, random_state=0
    ... )
    >>> model.fit(X[:300] / 16, y[:300]).filters().shape
    (8, 3, 3, 1)
    """

    _: KW_ONLY
    class_weight: ClassWeight = None
    model_family: ClassVar[ModelFamily | None] = "discriminative"

    _output: ClassVar[Output] = "softmax"
    _loss: ClassVar[Loss] = Softmax()

    if TYPE_CHECKING:  # not a parameter
        classes_: npt.NDArray[Any]

    def _targets(
        self, y: npt.ArrayLike, table: Matrix
    ) -> tuple[npt.NDArray[Any], int, dict[str, Any]]:
        codes, classes = check_labels(self, y, len(table))
        return codes.astype(np.int64), len(classes), {"classes_": classes}

    def _weighted(
        self, targets: npt.NDArray[Any], weights: Weights | None, known: dict[str, Any]
    ) -> Weights | None:
        owner = type(self).__name__
        return weigh_classes(owner, self.class_weight, targets, known["classes_"], weights)

    def _held_out_targets(self, y: Any, rows: Matrix, known: dict[str, Any]) -> npt.NDArray[Any]:
        codes, found = check_labels(self, y, len(rows))
        classes = known["classes_"]
        unseen = np.setdiff1d(found, classes)
        if len(unseen):
            raise DataError(
                f"{type(self).__name__}: y_val contains {unseen.tolist()[0]!r}, which is not in y; "
                f"pass rows of the classes {classes.tolist()}."
            )
        return np.searchsorted(classes, found)[codes].astype(np.int64)

    def _n_outputs(self) -> int:
        return len(self.classes_)

    def decision_function(self, X: Table) -> Any:
        """Return the scores before softmax.

        Parameters
        ----------
        X : array of shape (m, d), or of images
            The rows.

        Returns
        -------
        scores : array of shape (m, n_classes), or (m,) for two classes: the log-odds of the second
        """
        z = self._outputs(self._check_new_images(X))
        return z[:, 1] - z[:, 0] if len(self.classes_) == 2 else z

    def predict_proba(self, X: Table) -> Any:
        """Return the probability of each class.

        Parameters
        ----------
        X : array of shape (m, d), or of images
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        z = self._outputs(self._check_new_images(X))
        p = np.exp(z - z.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def predict(self, X: Table) -> Any:
        """Return the class with the highest probability.

        Parameters
        ----------
        X : array of shape (m, d), or of images
            The rows.

        Returns
        -------
        labels : array of shape (m,)
        """
        z = self._outputs(self._check_new_images(X))
        return self.classes_[z.argmax(axis=1)]
