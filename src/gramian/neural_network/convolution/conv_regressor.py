"""A convolutional network for numeric targets."""

from typing import Any, Self

import numpy.typing as npt

from gramian.base.callbacks import with_callbacks
from gramian.base.fields import params
from gramian.base.gate import check_size
from gramian.base.kinds import Regressor
from gramian.base.targets import check_targets
from gramian.base.types import Table
from gramian.base.weights import check_weights
from gramian.neural_network.convolution.conv_estimator import LARGEST, ConvEstimator
from gramian.neural_network.torch_training.tensors import Tensor


@params(first=("input_shape",))
class ConvRegressor(ConvEstimator, Regressor):
    """A convolutional network with linear outputs.

    Training minimises the mean of (y - f(x))^2 / 2, the mean over targets where there are several,
    plus alpha/2 |W|^2 (Goodfellow, Bengio and Courville 2016, chapter 9). Targets far from the size
    of 1 train slowly; scale them, see `sklearn.compose.TransformedTargetRegressor`. It computes in
    the type of X: give float32, which is several times as fast as float64. PyTorch is needed:
    ``pip install "gramian[nn]"``. The same seed gives the same model on the same machine, with the
    same number of threads.

    Attributes
    ----------
    n_outputs_ : int
        Number of targets.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import Conv, ConvRegressor
    >>> X = np.random.default_rng(0).normal(size=(200, 16)).astype(np.float32)
    >>> y = np.abs(np.diff(X)).mean(axis=1)
    >>> model = ConvRegressor([Conv(4, 2)], learning_rate_init=0.01, random_state=0)
    >>> model.fit(X, y).score(X, y) > 0.5
    True
    """

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        X_val: Table | None = None,
        y_val: npt.ArrayLike | None = None,
    ) -> Self:
        """Train the network.

        Parameters
        ----------
        X : array of shape (n, d), (n, height, width) or (n, height, width, channels)
            The images or signals.
        y : array of shape (n,) or (n, targets)
            Their targets.
        sample_weight : array of shape (n,), optional
            Weights of the rows in the loss.
        X_val, y_val : like X and y, optional
            Held-out rows: training stops when their loss no longer improves, and the weights of
            the best epoch are kept.

        Returns
        -------
        self : ConvRegressor
            The fitted model.
        """
        table, shape = self._check_images(X)
        targets, one_column = self._targets(y, table)
        weights = check_weights(self, sample_weight, len(table))
        held_out = None
        if X_val is not None or y_val is not None:
            rows = self._held_out(X_val, y_val, shape, table.dtype)
            held_out = rows, self._targets(y_val, rows)[0]
        outputs = targets.shape[1]
        known = {"n_outputs_": outputs, "_one_column": one_column}
        self._train(table, shape, targets, weights, outputs, held_out, known)
        self.n_outputs_, self._one_column = outputs, one_column
        return self

    def _targets(self, y: Any, table: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], bool]:
        """Return the targets as columns, and whether they were given as one row of numbers."""
        targets = check_targets(self, y, len(table), columns=True)
        check_size(self, "y", targets, LARGEST)
        return targets.reshape(len(table), -1).astype(table.dtype), targets.ndim == 1

    def _loss(self, torch: Any, outputs: Tensor, targets: Tensor, weights: Tensor | None) -> Tensor:
        squares = (outputs - targets).square()
        if weights is not None:
            squares = squares * weights.unsqueeze(1)
        return squares.mean() / 2

    def _n_outputs(self) -> int:
        return int(self.n_outputs_)

    def predict(self, X: Table) -> Any:
        """Return the targets.

        Parameters
        ----------
        X : array of shape (m, d), or of images
            The rows.

        Returns
        -------
        y : array of shape (m,) or (m, targets)
        """
        found = self._outputs(self._check_new_images(X))
        return found[:, 0] if self._one_column else found

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
