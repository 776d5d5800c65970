"""The base of convolutional classifiers and regressors: fit, outputs, filters, feature maps."""

from collections.abc import Sequence
from math import prod
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ModelFileError
from gramian.base.fields import KW_ONLY, check_params, params
from gramian.base.inputs.gate import check_fit, check_new, check_size
from gramian.base.inputs.validation_rows import has_validation_rows
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of
from gramian.base.runtime.threads import one_blas_thread
from gramian.base.types import Matrix, Table, Weights
from gramian.neural_network.convolution.architecture import (
    IsLayers,
    default_layers,
    shapes_of,
)
from gramian.neural_network.convolution.forward import (
    LayerNetwork,
    initial_weights,
    loss_and_slopes,
)
from gramian.neural_network.convolution.images import IsInputShape, as_rows, shape_of_rows
from gramian.neural_network.convolution.layer_training import LayerTraining
from gramian.neural_network.convolution.layers import BatchNorm, Conv, Dense, Layer, Shape
from gramian.neural_network.convolution.native_network import NativeTraining, native_network
from gramian.neural_network.convolution.torch_modules import module_of
from gramian.neural_network.training.named_arrays import check_shapes
from gramian.neural_network.training.parameters import TrainingParameters, settings_of
from gramian.neural_network.training.training import ArrayTraining, train_arrays
from gramian.objectives.loss import Loss
from gramian.objectives.network_losses import Output

LARGEST = 1e30  # numbers whose products with weights and their squares stay finite


@params(first=("input_shape",))
class ConvEstimator(TrainingParameters, CallbackSupportMixin, Estimator):
    """Layers, the shape of a row, and training.

    Parameters
    ----------
    layers
        The layers before the output, which is a dense one for the classes or targets; None: 8 and
        16 filters of width 3, each followed by a pool of 2 where a side has at least 4 positions,
        and 64 dense units.
    input_shape
        ``(height, width, channels)`` of the image in a row of X, or ``(length, channels)`` of its
        signal, channels last. None: rows are signals of one channel, and arrays of images have
        their own shape.

    Attributes
    ----------
    layers_ : tuple of layers
        All layers, the output included.
    input_shape_ : tuple of int
        The shape of a row.
    validation_loss_curve_ : list of float
        Mean loss of X_val after each epoch, empty without it.
    best_epoch_ : int
        The epoch of the least validation or training loss, counted from 1; with X_val the weights
        are those of this epoch.
    """

    layers: Annotated[Sequence[Layer], IsLayers()] | None = None
    _: KW_ONLY
    input_shape: Annotated[Sequence[int], IsInputShape()] | None = None
    parametric: ClassVar[bool | None] = True
    _output: ClassVar[Output]  # the loss, by its name in native code
    _loss: ClassVar[Loss]

    # --- what the classifier and the regressor define ------------------------------------------

    def _targets(self, y: Any, table: Matrix) -> tuple[npt.NDArray[Any], int, dict[str, Any]]:
        """Return encoded targets, the number of outputs, and fitted attributes derived from y."""
        raise NotImplementedError

    def _held_out_targets(self, y: Any, rows: Matrix, known: dict[str, Any]) -> npt.NDArray[Any]:
        """Return the targets of held-out rows."""
        raise NotImplementedError

    def _weighted(
        self, targets: npt.NDArray[Any], weights: Weights | None, known: dict[str, Any]
    ) -> Weights | None:
        """Return the sample weights times the class weights."""
        return weights

    def _n_outputs(self) -> int:
        """Return the number of classes or targets of a fitted model."""
        raise NotImplementedError

    # --- fit -------------------------------------------------------------------------------------

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
        y : array of shape (n,), for regression also (n, targets)
            Their labels or targets.
        sample_weight : array of shape (n,), optional
            Weights of the rows in the loss.
        X_val, y_val : like X and y, optional
            Held-out rows: training stops when their loss no longer improves, and the weights of
            the best epoch are kept.

        Returns
        -------
        self : object
            The fitted model.
        """
        table, shape = self._check_images(X)
        targets, outputs, known = self._targets(y, table)
        weights = check_weights(self, sample_weight, len(table))
        weights = self._weighted(targets, weights, known)
        held_out = None
        if has_validation_rows(type(self).__name__, X_val, y_val):
            rows = self._held_out(X_val, y_val, shape, table.dtype)
            held_out = rows, self._held_out_targets(y_val, rows, known)
        self._train(table, shape, targets, weights, outputs, held_out, known)
        for name, value in known.items():
            setattr(self, name, value)
        return self

    def _check_images(self, X: Table) -> tuple[Matrix, Shape]:
        """Check parameters and X; return the rows and the shape of one."""
        check_params(self)
        owner = type(self).__name__
        rows, found = as_rows(owner, X, self.input_shape)
        table: Matrix = check_fit(self, rows)
        check_size(self, "X", table, LARGEST)
        shape = found if found is not None else self.input_shape
        return table, shape_of_rows(owner, table.shape[1], shape)

    def _check_new_images(self, X: Table) -> Matrix:
        check_is_fitted(self)
        rows, _ = as_rows(type(self).__name__, X, self.input_shape_)
        table: Matrix = check_new(self, rows, dtype=self._dtype)
        return table

    def _held_out(self, X_val: Any, y_val: Any, shape: Shape, dtype: Any) -> Matrix:
        """Check the validation rows."""
        owner = type(self).__name__
        try:
            rows, _ = as_rows(owner, X_val, shape)
            table: Matrix = check_new(self, rows, dtype=dtype)
            check_size(self, "X", table, LARGEST)
        except DataError as error:
            raise DataError(f"{owner}: X_val is invalid. {error}") from None
        return table

    @property
    def _dtype(self) -> Any:
        return next(iter(self.weights_.values())).dtype

    def _train(
        self,
        table: Matrix,
        shape: Shape,
        targets: npt.NDArray[Any],
        weights: Weights | None,
        outputs: int,
        held_out: tuple[Matrix, npt.NDArray[Any]] | None,
        known: dict[str, Any],
    ) -> None:
        """Train a network with this number of outputs; `known` are further fitted attributes."""
        before = default_layers(shape) if self.layers is None else tuple(self.layers)
        layers = (*before, Dense(outputs, "identity"))
        shapes_of(layers, shape)
        least = 2 if any(isinstance(layer, BatchNorm) for layer in layers) else 1
        if len(table) < least:
            raise DataError(
                f"{type(self).__name__}: BatchNorm needs at least 2 rows; got n_samples=1. Give "
                "more rows or leave it out."
            )
        settings = settings_of(self, len(table), least_batch=least)
        seed = seed_of(self.random_state)
        task = Task.of(self, steps=self.max_iter, X=table, y=targets)
        each = None if weights is None else _of_mean_one(weights)
        initial = initial_weights(layers, shape, seed, table.dtype)
        native = native_network(layers, shape, self._output)
        training: NativeTraining | LayerTraining
        if native is None:
            training = LayerTraining(
                layers, shape, initial, settings, self._loss, table, targets, each, seed
            )
        else:
            vector = native.join(initial)
            training = NativeTraining(native, settings, table, targets, each, seed, vector)

        def loss_held_out() -> float:
            assert held_out is not None
            rows, own = held_out
            return loss_and_slopes(self._loss, own, training.outputs(rows), None, len(rows))[0]

        def state() -> dict[str, Any]:
            return {
                **known,
                "weights_": training.weights(),
                "layers_": layers,
                "input_shape_": shape,
                "n_features_in_": table.shape[1],
            }

        with one_blas_thread():
            history = train_arrays(
                type(self).__name__,
                ArrayTraining(training.memory, training.epoch, len(table)),
                settings,
                validation_loss=None if held_out is None else loss_held_out,
                after_epoch=lambda: task.iteration(state),
            )
        self.weights_ = training.weights()
        self.layers_, self.input_shape_ = layers, shape
        self.loss_curve_ = history.training
        self.validation_loss_curve_ = history.validation
        self.best_epoch_ = history.best_epoch
        self.n_iter_ = len(history.training)
        task.done(state)

    # --- outputs ---------------------------------------------------------------------------------

    def _outputs(self, table: Matrix) -> Matrix:
        """Return the outputs of the last layer for checked rows."""
        native = native_network(self.layers_, self.input_shape_, self._output)
        if native is not None:
            return native.outputs(native.join(self.weights_), table)
        return LayerNetwork(self.layers_, self.input_shape_).outputs(self.weights_, table)

    def feature_maps(self, X: Table) -> list[npt.NDArray[Any]]:
        """Return the output of every layer for the given rows.

        Parameters
        ----------
        X : array of shape (m, d), or of images
            The rows.

        Returns
        -------
        maps : list of arrays of shape (m, height, width, channels), (m, length, channels) or (m, k)
            The output of each layer of ``layers_``, after its activation.
        """
        table = self._check_new_images(X)
        return LayerNetwork(self.layers_, self.input_shape_).feature_maps(self.weights_, table)

    def filters(self, layer: int = 0) -> npt.NDArray[Any]:
        """Return the filters of a convolution.

        Parameters
        ----------
        layer : int
            Which of the convolutions, the first by default.

        Returns
        -------
        filters : array of shape (filters, height, width, channels), or (filters, length, channels)
        """
        check_is_fitted(self)
        places = [k for k, kind in enumerate(self.layers_) if type(kind) is Conv]
        if not 0 <= layer < len(places):
            raise DataError(
                f"{type(self).__name__}: layer must be a number below {len(places)}, the number of "
                f"convolutions; got {layer}."
            )
        weight = self.weights_[f"layer{places[layer]}.weight"]
        return np.ascontiguousarray(np.moveaxis(weight, 1, -1))

    def to_torch(self) -> Any:
        """Return the network as a PyTorch module, a ``torch.nn.Sequential``.

        It takes a tensor (n, channels, height, width), or (n, channels, length), and returns scores
        before softmax, or targets. Its weights are copies.
        """
        check_is_fitted(self)
        return module_of(self.layers_, self.input_shape_, self.weights_)

    def _check_loaded(self) -> None:
        owner = type(self).__name__
        check_weights_of(owner, self.layers_, self.input_shape_, self.weights_)
        last = self.layers_[-1]
        if not isinstance(last, Dense) or last.units != self._n_outputs():
            raise ModelFileError(f"{owner}: the last layer must have a unit for each output.")
        if prod(self.input_shape_) != self.n_features_in_:
            raise ModelFileError(
                f"{owner}: the product of input_shape_ must be {self.n_features_in_}."
            )


def check_weights_of(owner: str, layers: Any, shape: Any, weights: Any) -> None:
    """Raise unless the arrays of a model file have the names and shapes that layers need."""
    if not (IsLayers().accepts(layers) and layers and IsInputShape().accepts(shape)):
        raise ModelFileError(f"{owner}: layers_ and input_shape_ must describe a network.")
    wanted: dict[str, Shape] = {}
    for k, (layer, before) in enumerate(zip(layers, shapes_of(layers, shape), strict=False)):
        for name, sizes in layer.parameter_shapes(before).items():
            wanted[f"layer{k}.{name}"] = sizes
        if isinstance(layer, BatchNorm):
            wanted[f"layer{k}.running_mean"] = before[-1:]
            wanted[f"layer{k}.running_var"] = before[-1:]
    check_shapes(owner, weights, wanted)


def _of_mean_one(weights: Weights) -> Weights:
    largest: float = weights.max()
    scaled = weights / largest  # whose sum is finite
    return np.asarray(scaled * (len(scaled) / scaled.sum()))
