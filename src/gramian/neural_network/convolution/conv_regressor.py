"""A convolutional network for numeric targets."""

from typing import TYPE_CHECKING, Any, ClassVar

import numpy.typing as npt

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.kinds import Regressor, Tags
from gramian.base.types import Matrix, Table
from gramian.neural_network.convolution.conv_estimator import LARGEST, ConvEstimator
from gramian.objectives.loss import Loss
from gramian.objectives.network_losses import Output
from gramian.objectives.regression import SquaredError


@params(first=("input_shape",))
class ConvRegressor(ConvEstimator, Regressor):
    """A convolutional network with linear outputs.

    Training minimises the mean of (y - f(x))^2 / 2, the mean over targets where there are several,
    plus alpha/2 |W|^2 (Goodfellow, Bengio and Courville 2016, chapter 9). Targets far from the size
    of 1 train slowly; scale them, see `sklearn.compose.TransformedTargetRegressor`. It computes in
    the type of X, and in float32 for bytes: float32 is several times as fast as float64. The same
    seed gives identical results for any number of threads. Networks of stride-1 convolutions with
    2 x 2 max pooling, followed by dense layers, are the fastest: they run in native code.

    Attributes
    ----------
    n_outputs_ : int
        Number of targets.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import ConvRegressor
    >>> from gramian.neural_network import Conv
    >>> X = np.random.default_rng(0).normal(size=(200, 16)).astype(np.float32)
    >>> y = np.abs(np.diff(X)).mean(axis=1)
    >>> model = ConvRegressor([Conv(4, 2)], learning_rate_init=0.01, random_state=0)
    >>> model.fit(X, y).score(X, y) > 0.5
    True
    """

    _output: ClassVar[Output] = "squared"
    _loss: ClassVar[Loss] = SquaredError()
    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    if TYPE_CHECKING:  # not parameters
        _: KW_ONLY
        n_outputs_: int
        _one_column: bool  # y was given as one row of numbers

    def _targets(
        self, y: npt.ArrayLike, table: Matrix
    ) -> tuple[npt.NDArray[Any], int, dict[str, Any]]:
        targets = check_targets(self, y, len(table), columns=True)
        check_size(self, "y", targets, LARGEST)
        columns = targets.reshape(len(table), -1).astype(table.dtype)
        outputs = columns.shape[1]
        return columns, outputs, {"n_outputs_": outputs, "_one_column": targets.ndim == 1}

    def _held_out_targets(self, y: Any, rows: Matrix, known: dict[str, Any]) -> npt.NDArray[Any]:
        targets, outputs, _ = self._targets(y, rows)
        if outputs != known["n_outputs_"]:
            raise DataError(
                f"{type(self).__name__}: y_val must have as many targets as y, "
                f"{known['n_outputs_']}; got {outputs}."
            )
        return targets

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
