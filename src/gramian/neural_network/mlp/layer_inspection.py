"""Outputs and gradients of the layers of a trained network."""

from abc import abstractmethod
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.utils.validation import check_is_fitted

from gramian.base.inputs.gate import check_new
from gramian.base.types import Matrix, Table
from gramian.neural_network.mlp.descent import Descent, Examples, Steps
from gramian.neural_network.mlp.network import Network
from gramian.objectives.network_losses import Output

_FUNCTIONS: dict[str, Any] = {
    "identity": lambda z: z,
    "logistic": expit,
    "tanh": np.tanh,
    "relu": lambda z: np.maximum(z, 0),
}


if TYPE_CHECKING:
    from gramian.neural_network.mlp.fitted_network import (
        FittedNetwork as _Mixed,  # the class that the mixin extends
    )
else:
    _Mixed = object


class InspectedNetwork(_Mixed):
    """A fitted network whose layers can be inspected, for example by `layer_diagnostics`."""

    @abstractmethod
    def _examples(
        self, X: Matrix, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None, *, first: bool
    ) -> Examples:
        """Check targets and weights; remember the classes if this is the first fit."""

    @abstractmethod
    def _output(self, rows: Examples) -> tuple[Output, int]:
        """Return what the last layer computes, and its units."""

    def layer_outputs(self, X: Table) -> list[Matrix]:
        """Return the output of every layer for the given rows, as in prediction.

        Parameters
        ----------
        X
            Array or CSR matrix (m, d).

        Returns
        -------
        outputs : list of arrays (m, units)
            Outputs of each hidden layer after its activation, and of the last layer.
        """
        check_is_fitted(self)
        h: Any = check_new(self, X, dtype=self.coefs_[0].dtype)
        found = []
        for W, b, name in zip(*self.folded_layers(), self.activations_, strict=False):
            h = np.asarray(_FUNCTIONS[name](h @ W + b))
            found.append(h)
        return [*found, self._outputs(X)]

    def layer_gradients(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> list[Matrix]:
        """Return the gradient of the penalised mean loss with respect to each layer's weights.

        All rows form one batch, without dropout; batch normalisation uses their moments.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels or numeric targets, as in `fit`.
        sample_weight
            Weights >= 0 of the rows' losses.

        Returns
        -------
        gradients : list of arrays with the shapes of `coefs_`
        """
        check_is_fitted(self)
        rows = self._examples(
            check_new(self, X, dtype=self.coefs_[0].dtype), y, sample_weight, first=False
        )
        output, units = self._output(rows)
        widths = (self.n_features_in_, *(len(b) for b in self.intercepts_[:-1]), units)
        normal = self.batch_norm_ is not None
        network = Network(widths, tuple(self.activations_), output, normal)
        descent: Descent = self._resumed(network)
        steps = Steps("none", alpha=self.alpha, penalize_intercepts=bool(self.penalize_intercepts))
        gradient = descent.gradient(steps, rows)[1]
        if descent.mask is not None:
            gradient = gradient * descent.mask
        return [part.copy() for part in network.split(gradient).coefs]
