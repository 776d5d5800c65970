"""The base of all autoencoders: parameters, checks, encoding and decoding of rows, export."""

from collections import OrderedDict
from numbers import Real
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin
from gramian.base.conversions import dense_of
from gramian.base.errors import DataError, ModelFileError
from gramian.base.fields import KW_ONLY, Interval, params
from gramian.base.inputs.gate import check_finite, check_fit, check_new, check_size
from gramian.base.kinds import Transformer
from gramian.base.types import Matrix, Table
from gramian.neural_network.autoencoder.coding import (
    Activation,
    Reconstruction,
    apply_in_blocks,
    decoded,
    decoder_sums,
    encoded,
    losses_of,
)
from gramian.neural_network.training.named_arrays import Arrays, check_shapes
from gramian.neural_network.training.parameters import TrainingParameters
from gramian.objectives.tensors import Make, Module, Torch, torch_module

LARGEST = 1e30  # numbers whose products with weights and their squares stay finite
_MODULES = {"relu": "ReLU", "tanh": "Tanh", "sigmoid": "Sigmoid"}

NoiseLevel = Annotated[float, Interval(Real, 0)]


@params
class AutoencoderParameters(TrainingParameters):
    """Activations, loss and training of an autoencoder.

    Parameters
    ----------
    activation
        Activation of the codes, s.
    output_activation
        Activation of the reconstruction; None: "sigmoid" for "cross_entropy", otherwise
        "identity".
    loss
        "squared_error": |x - z|^2; "cross_entropy": of numbers in [0, 1], whose output must be
        "sigmoid".
    tied_weights
        Whether the decoder's weights are the encoder's transposed.
    """

    _: KW_ONLY
    activation: Activation = "sigmoid"
    output_activation: Literal["sigmoid", "tanh", "relu", "identity"] | None = None
    loss: Reconstruction = "squared_error"
    tied_weights: bool = False


class EncoderBase(ClassNamePrefixFeaturesOutMixin, CallbackSupportMixin, Transformer):
    """Base class that computes the codes of rows from ``weights_``."""

    parametric: ClassVar[bool | None] = True
    weights_: dict[str, npt.NDArray[Any]]
    activation: Any
    output_activation: Any
    loss: Reconstruction

    @property
    def _output(self) -> str:
        default = "sigmoid" if self.loss == "cross_entropy" else "identity"
        return default if self.output_activation is None else self.output_activation

    @property
    def _levels(self) -> range:
        return range(sum(name.startswith("encoder") for name in self.weights_) // 2)

    def _check_rows(self, X: Table) -> Matrix:
        """Check parameters and X."""
        table: Matrix = check_fit(self, X)
        owner = type(self).__name__
        check_size(self, "X", table, LARGEST)
        if self.loss == "cross_entropy":
            if self._output != "sigmoid":
                raise DataError(
                    f"{owner}: loss='cross_entropy' needs output_activation='sigmoid' or None; got "
                    f"{self.output_activation!r}."
                )
            check_unit_interval(owner, table)
        return table

    def _check_more_rows(self, X: Any, name: str, dtype: Any) -> Matrix:
        """Check further rows, which must have the columns and range of X."""
        owner = type(self).__name__
        try:
            table: Matrix = check_new(self, X, dtype=dtype)
            check_size(self, "X", table, LARGEST)
            if self.loss == "cross_entropy":
                check_unit_interval(owner, table)
        except DataError as error:
            raise DataError(f"{owner}: {name} is invalid. {error}") from None
        return table

    def _check_new(self, X: Table) -> Matrix:
        check_is_fitted(self)
        table: Matrix = check_new(self, X, dtype=self.weights_["encoder0.weight"].dtype)
        return table

    def transform(self, X: Table) -> Any:
        """Return the code of each row, y = s(Wx + b).

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        codes : array of shape (m, n_components)
        """
        return self._mapped(self._check_new(X), self._n_features_out, self._encode)

    def _encode(self, weights: Arrays, x: Matrix) -> Matrix:
        return encoded(weights, x, self._levels, self.activation)

    def _mapped(self, table: Matrix, width: int, of: Any) -> Matrix:
        """Apply a function of weights and rows, some rows at a time."""
        if len(table) == 0:
            return np.empty((0, width), dtype=table.dtype)
        found = apply_in_blocks(lambda x: of(self.weights_, x), table)
        return found.astype(table.dtype, copy=False)


if TYPE_CHECKING:
    _Mixed = EncoderBase  # the class that the mixin extends
else:
    _Mixed = object


class AutoencoderBase(_Mixed):
    """Base class that computes codes and reconstructions of rows from ``weights_``."""

    def inverse_transform(self, X: Table) -> Any:
        """Reconstruct rows from their codes, z = s'(W'y + b').

        Parameters
        ----------
        X : array of shape (m, n_components)
            Codes.

        Returns
        -------
        rows : array of shape (m, d)
        """
        check_is_fitted(self)
        dtype = self.weights_["encoder0.weight"].dtype
        owner = type(self).__name__
        codes = dense_of(owner, "X", X)
        if codes.ndim != 2 or codes.shape[1] != self._n_features_out:
            raise DataError(
                f"{owner}: codes must have {self._n_features_out} columns, as returned by "
                f"transform; got shape {codes.shape}."
            )
        codes = np.ascontiguousarray(codes, dtype=dtype)
        check_finite(owner, "X", codes)
        return self._mapped(codes, self.n_features_in_, self._decode)

    def reconstruct(self, X: Table) -> Any:
        """Return the reconstruction of each row from its code.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        rows : array of shape (m, d)
        """
        return self._mapped(
            self._check_new(X),
            self.n_features_in_,
            lambda w, x: self._decode(w, self._encode(w, x)),
        )

    def reconstruction_errors(self, X: Table) -> Any:
        """Return the loss of each row: |x - z|^2 or the cross-entropy.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        errors : array of shape (m,)
        """
        table = self._check_new(X)
        if self.loss == "cross_entropy":
            check_unit_interval(type(self).__name__, table)

        def errors(weights: Arrays, x: Matrix) -> Matrix:
            y = self._encode(weights, x)
            for k in reversed(self._levels[1:]):
                y = decoded(weights, y, range(k, k + 1), self.activation, "")
            return losses_of(decoder_sums(weights, y, 0), x, self._output, self.loss)[:, None]

        return self._mapped(table, 1, errors)[:, 0]

    def score(self, X: Table, y: object = None) -> float:
        """Return the negative mean of `reconstruction_errors`.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        score : float
        """
        return -float(self.reconstruction_errors(X).mean())

    def to_torch(self) -> Any:
        """Return encoder and decoder as a PyTorch module, a ``torch.nn.Sequential``.

        It takes rows and returns their reconstructions; its weights are copies.
        """
        check_is_fitted(self)
        torch, parts = torch_module(), OrderedDict[str, Module]()
        for k in self._levels:
            weight = self.weights_[f"encoder{k}.weight"]
            parts[f"encoder{k}"] = linear_module(torch, weight, self.weights_[f"encoder{k}.bias"])
            add_activation(torch, parts, f"encoder{k}", self.activation)
        for k in reversed(self._levels):
            tied = self.weights_[f"encoder{k}.weight"].T
            weight = self.weights_.get(f"decoder{k}.weight", tied)
            parts[f"decoder{k}"] = linear_module(torch, weight, self.weights_[f"decoder{k}.bias"])
            add_activation(torch, parts, f"decoder{k}", self._output if k == 0 else self.activation)
        return torch.nn.Sequential(parts).eval()

    def _decode(self, weights: Arrays, y: Matrix) -> Matrix:
        return decoded(weights, y, self._levels, self.activation, self._output)

    def _check_loaded(self) -> None:
        check_levels(type(self).__name__, self.weights_, self.n_features_in_, self._n_features_out)


def check_unit_interval(owner: str, table: Matrix) -> None:
    """Raise unless all numbers are in [0, 1], as the cross-entropy needs."""
    low, high = float(table.min()), float(table.max())
    if low < 0 or high > 1:
        raise DataError(
            f"{owner}: loss='cross_entropy' needs numbers in [0, 1]; X ranges from {low:g} to "
            f"{high:g}. Scale X, see sklearn.preprocessing.MinMaxScaler, or use "
            "loss='squared_error'."
        )


def check_levels(owner: str, weights: Any, inputs: int, outputs: int) -> None:
    """Raise unless the arrays of a model file form a stack of encoders and decoders."""
    wanted: dict[str, tuple[int, ...]] = {}
    named = list(weights) if isinstance(weights, dict) else []
    sizes = [inputs]
    for k in range(sum(str(name).startswith("encoder") for name in named) // 2):
        sizes.append(len(np.atleast_1d(weights.get(f"encoder{k}.bias", 0))))
        wanted |= {
            f"encoder{k}.weight": (sizes[-1], sizes[-2]),
            f"encoder{k}.bias": (sizes[-1],),
            f"decoder{k}.bias": (sizes[-2],),
        }
        if f"decoder{k}.weight" in named:
            wanted[f"decoder{k}.weight"] = (sizes[-2], sizes[-1])
    check_shapes(owner, weights, wanted)
    if not wanted or sizes[-1] != outputs:
        raise ModelFileError(
            f"{owner}: weights_ must contain the weights of encoders and decoders."
        )


def linear_module(torch: Torch, weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> Module:
    """Return a ``torch.nn.Linear`` with copies of weights."""
    outputs, inputs = weight.shape
    dtype = torch.float32 if weight.dtype == np.float32 else torch.float64
    made = torch.nn.Linear(inputs, outputs).to(dtype)
    made.load_state_dict({"weight": torch.tensor(weight), "bias": torch.tensor(bias)})
    return made


def add_activation(
    torch: Torch, parts: OrderedDict[str, Module], name: str, activation: str
) -> None:
    """Add the module of an activation after the layer's module."""
    if activation in _MODULES:
        make: Make = getattr(torch.nn, _MODULES[activation])
        parts[f"{name}_activation"] = make()
