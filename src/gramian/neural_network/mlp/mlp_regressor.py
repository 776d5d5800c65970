"""Regression by a multi-layer perceptron."""

from typing import Any, ClassVar, Literal

import numpy as np
from sklearn.metrics import r2_score

from gramian.base.errors import DataError
from gramian.base.fields import KW_ONLY, params
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_targets
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Regressor, Tags
from gramian.base.types import Matrix, Table
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.mlp.mlp_parameters import IN_ORDER, Activations, Sizes
from gramian.neural_network.mlp.multilayer_perceptron import MultilayerPerceptron
from gramian.objectives.network_losses import Output

_LARGEST = 1e100  # absolute value of y whose squares can be added up


@params(first=IN_ORDER)
class MLPRegressor(Regressor, MultilayerPerceptron):
    """Regression by a multi-layer perceptron: a feed-forward neural network.

    ::

        h_0 = x,   h_l = f(h_{l-1} W_l + b_l),   z = h_{L-1} W_L + b_L
        minimise  1/n sum_i |y_i - z_i|^2 / 2 + alpha / (2 n) sum_l |W_l|^2

    by stochastic gradient descent, as in `MLPClassifier`; y may have several columns. Columns of X
    should be scaled to similar size, and y too, for example by
    `sklearn.compose.TransformedTargetRegressor`.

    Parameters
    ----------
    loss
        "squared_error", or "poisson" for counts y >= 0, whose mean is e^z.
    hidden_layer_sizes
        Units of each hidden layer; () for none, which is a linear model.
    activation
        Of the hidden units: "identity", "logistic" 1 / (1 + e^-z), "tanh", "relu" max(0, z); or a
        list with one for each hidden layer.
    output_activation
        "identity"; or "logistic" for targets within [0, 1], with the squared error.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian import MLPRegressor
    >>> X = np.linspace(-3, 3, 100)[:, None]
    >>> model = MLPRegressor(hidden_layer_sizes=(20,), activation="tanh", solver="lbfgs",
    ...                      max_iter=500, random_state=0).fit(X, np.sin(X[:, 0]))
    >>> bool(abs(model.predict([[1.0]])[0] - np.sin(1.0)) < 0.01)
    True
    """

    tags: ClassVar[Tags] = {"target_tags.multi_output": True}

    loss: Literal["squared_error", "poisson"] = "squared_error"
    hidden_layer_sizes: Sizes = (100,)
    activation: Activations = "relu"
    _: KW_ONLY
    output_activation: Literal["identity", "logistic"] = "identity"

    def _examples(self, X: Any, y: Any, sample_weight: Any, *, first: bool) -> Examples:
        name = type(self).__name__
        targets = check_targets(self, y, X.shape[0], columns=True, dtype=np.float64)
        check_size(self, "y", targets, _LARGEST)
        if self.loss == "poisson" and (targets < 0).any():
            raise DataError(
                f"{name}: y must be >= 0 with loss='poisson'; got {targets.min():g}. Choose "
                "another loss."
            )
        weights = check_weights(self, sample_weight, X.shape[0])
        values = np.ascontiguousarray(targets.reshape(len(targets), -1), dtype=X.dtype)
        return Examples(X, None, values, weights=weights)

    def _output(self, rows: Examples) -> tuple[Output, int]:
        assert rows.values is not None
        units = rows.values.shape[1]
        if self.loss == "poisson":
            if self.output_activation != "identity":
                raise DataError(
                    f"{type(self).__name__}: output_activation='logistic' needs "
                    "loss='squared_error'."
                )
            return "poisson", units
        return ("squared" if self.output_activation == "identity" else "squared_logistic"), units

    def _score(self, outputs: Matrix, rows: Examples) -> float:
        """Return R^2, averaged over the outputs."""
        if len(rows) < 2:
            raise DataError(
                f"{type(self).__name__}: R^2 needs at least 2 validation rows; got 1. Pass "
                "more rows, raise validation_fraction, or set "
                "early_stopping=False."
            )
        return float(r2_score(rows.values, outputs, sample_weight=rows.weights))

    def predict(self, X: Table) -> Matrix:
        """Return the outputs, (n,), or (n, outputs) for several."""
        outputs = self._outputs(X)
        return outputs[:, 0] if outputs.shape[1] == 1 else outputs
