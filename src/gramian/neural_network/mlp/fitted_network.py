"""The fitted attributes of multi-layer perceptrons: setting, resuming, predicting, checking."""

from typing import TYPE_CHECKING, Any, TypedDict, get_args

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError
from gramian.base.inputs.gate import check_finite, check_new
from gramian.base.types import Matrix, Table
from gramian.neural_network.mlp.descent import Descent, Examples, Optimizer
from gramian.neural_network.mlp.mlp_settings import mask_of
from gramian.neural_network.mlp.network import Activation, Network, Parameters, folded, outputs_of
from gramian.neural_network.mlp.training import HeldOut, Outcome
from gramian.objectives.network_losses import Output

_OUTPUTS: dict[str, Output] = {
    "identity": "squared",
    "exp": "poisson",
    "logistic": "logistic",
    "softmax": "softmax",
}


class BatchNormalisation(TypedDict):
    """The parameters and running averages of batch normalisation; None without it."""

    gamma: list[Matrix]
    beta: list[Matrix]
    mean: Matrix | None
    variance: Matrix | None


_NO_NORM: BatchNormalisation = {"gamma": [], "beta": [], "mean": None, "variance": None}


if TYPE_CHECKING:
    from gramian.neural_network.mlp.mlp_parameters import (
        MLPParameters as _Mixed,  # the class that the mixin extends
    )
else:
    _Mixed = object


class FittedNetwork(_Mixed):
    """The fitted attributes of a network."""

    if TYPE_CHECKING:
        coefs_: list[Matrix]
        intercepts_: list[Matrix]
        batch_norm_: BatchNormalisation | None
        activations_: list[Activation]
        out_activation_: str
        training_state_: dict[str, Any]

    def _state(self, descent: Descent) -> dict[str, Any]:
        """Return the attributes that prediction needs."""
        network = descent.network
        layers = network.split(descent.parameters)
        normal: BatchNormalisation | None = None
        if network.batch_norm:
            normal = {
                "gamma": [gamma.copy() for gamma in layers.gammas],
                "beta": [beta.copy() for beta in layers.betas],
                "mean": descent.mean,
                "variance": descent.variance,
            }
        kept = ("n_features_in_", "feature_names_in_", "classes_", "_label_sets")
        return {
            **{name: getattr(self, name) for name in kept if hasattr(self, name)},
            "coefs_": [coef.copy() for coef in layers.coefs],
            "intercepts_": [intercept.copy() for intercept in layers.intercepts],
            "batch_norm_": normal,
            "activations_": list(network.activations),
            "out_activation_": network.out_activation,
            "n_layers_": len(network.widths),
            "n_outputs_": network.widths[-1],
        }

    def _set_fit(
        self,
        found: Outcome,
        curves: dict[str, list[float]],
        rows: Examples,
        held: HeldOut | None,
        *,
        earlier: bool,
    ) -> None:
        """Set the fitted attributes; with `earlier`, append to the curves of the previous fit."""
        for name, value in self._state(found.descent).items():
            setattr(self, name, value)
        before: dict[str, list[float]] = getattr(self, "history_", {}) if earlier else {}
        names = [*before, *(name for name in curves if name not in before)]
        self.history_ = {name: before.get(name, []) + curves.get(name, []) for name in names}
        self.loss_curve_ = self.history_.get("loss", [])
        self.loss_ = found.loss
        self.n_iter_ = found.epochs
        seen: int = getattr(self, "t_", 0) if earlier else 0
        self.t_ = seen + found.epochs * len(rows)
        self.best_loss_ = min(self.loss_curve_, default=found.loss) if held is None else None
        self.validation_scores_ = None if held is None else self.history_["validation_score"]
        self.best_validation_score_ = found.best_score
        state: dict[str, Any] = {"t": found.descent.t, **found.descent.moments}
        self.training_state_ = state

    def _resumed(self, network: Network, optimizer: Optimizer | None = None) -> Descent:
        """Return the state of the last fit; for another `optimizer`, before its first step."""
        owner = type(self).__name__
        widths = (self.coefs_[0].shape[0], *(coef.shape[1] for coef in self.coefs_))
        if widths != network.widths or (self.batch_norm_ is None) == network.batch_norm:
            raise DataError(
                f"{owner}: the layers of the previous fit have the sizes {widths}, but X, y and "
                f"hidden_layer_sizes now give {network.widths}; set warm_start=False to start over."
            )
        normal = self.batch_norm_ or _NO_NORM
        layers = Parameters(self.coefs_, self.intercepts_, normal["gamma"], normal["beta"])
        dtype = self.coefs_[0].dtype
        vector = network.join(layers, dtype)
        begin = optimizer or self.solver
        made = Descent.begin(network, vector, begin, mask_of(self, network, dtype))  # type: ignore[arg-type]
        if normal["mean"] is not None and normal["variance"] is not None:
            made.mean, made.variance = normal["mean"].copy(), normal["variance"].copy()
        if optimizer is None and set(made.moments) <= set(self.training_state_):
            made.moments = {name: self.training_state_[name].copy() for name in made.moments}
            made.t = int(self.training_state_["t"])
        return made

    def folded_layers(self) -> tuple[list[Matrix], list[Matrix]]:
        """Return weights and intercepts of the layers, with batch normalisation folded into them.

        Returns
        -------
        coefs, intercepts : lists of arrays
            Each layer computes f(h W + b), with or without `batch_norm`.
        """
        check_is_fitted(self)
        return self._folded_layers()

    def _folded_layers(self) -> tuple[list[Matrix], list[Matrix]]:
        dtype = self.coefs_[0].dtype
        coefs, intercepts = (
            [np.ascontiguousarray(array, dtype=dtype) for array in arrays]
            for arrays in (self.coefs_, self.intercepts_)
        )
        normal = self.batch_norm_ or _NO_NORM
        layers = Parameters(coefs, intercepts, normal["gamma"], normal["beta"])
        return folded(layers, normal["mean"], normal["variance"])

    def _outputs(self, X: Table) -> Matrix:
        """Return the outputs of every row."""
        fitted = getattr(self, "coefs_", None)
        dtype = None if fitted is None else fitted[0].dtype
        table = check_new(self, X, dtype=dtype)
        output = _OUTPUTS[self.out_activation_]
        return outputs_of(table, *self._folded_layers(), self.activations_, output)

    def _check_loaded(self) -> None:
        owner, width = type(self).__name__, self.n_features_in_
        if not self.coefs_ or len(self.coefs_) != len(self.intercepts_):
            raise DataError(f"{owner}: coefs_ and intercepts_ must be lists of one length.")
        dtype = self.coefs_[0].dtype
        if dtype not in (np.float32, np.float64) or self.out_activation_ not in _OUTPUTS:
            raise DataError(f"{owner}: coefs_ must contain floats, out_activation_ a known name.")
        for coef, intercept in zip(self.coefs_, self.intercepts_, strict=True):
            shapes = (coef.ndim == 2 and coef.shape[0] == width, intercept.shape == coef.shape[1:])
            if not all(shapes) or {coef.dtype, intercept.dtype} != {dtype}:
                raise DataError(f"{owner}: coefs_ and intercepts_ must match each other.")
            check_finite(owner, "coefs_", coef)
            check_finite(owner, "intercepts_", intercept)
            width = coef.shape[1]
        widths = (self.n_features_in_, *(coef.shape[1] for coef in self.coefs_))
        network = Network(widths, tuple(self.activations_), "squared", bool(self.batch_norm_))
        known = set(self.activations_) <= set(get_args(Activation))
        if len(self.activations_) != len(widths) - 2 or width != self.n_outputs_ or not known:
            raise DataError(f"{owner}: activations_ and n_outputs_ must match coefs_.")
        if self.batch_norm_:
            self._check_loaded_norm(self.batch_norm_, network, dtype)
        for name, array in self.training_state_.items():
            if name == "t":
                if not isinstance(array, int) or array < 0:
                    raise DataError(f"{owner}: t of training_state_ must be an integer >= 0.")
            elif array.shape != (network.size,) or array.dtype != dtype:
                raise DataError(f"{owner}: training_state_ must have a number per parameter.")

    def _check_loaded_norm(
        self, normal: BatchNormalisation, network: Network, dtype: npt.DTypeLike
    ) -> None:
        owner, hidden = type(self).__name__, network.widths[1:-1]
        shapes = [[part.shape for part in parts] for parts in (normal["gamma"], normal["beta"])]
        wanted = [(units,) for units in hidden]
        mean, variance = normal["mean"], normal["variance"]
        if mean is None or variance is None:
            raise DataError(f"{owner}: batch_norm_ must have a mean and a variance.")
        moments = [mean, variance]
        arrays = [*normal["gamma"], *normal["beta"], *moments]
        if shapes != [wanted, wanted] or any(moment.shape != (sum(hidden),) for moment in moments):
            raise DataError(f"{owner}: batch_norm_ must have a number per hidden unit.")
        if any(array.dtype != dtype for array in arrays) or not (variance >= 0).all():
            raise DataError(f"{owner}: batch_norm_ must contain variances >= 0, and coefs_' type.")
