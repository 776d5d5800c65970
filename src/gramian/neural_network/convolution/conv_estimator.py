"""What the convolutional classifier and regressor share: the fit, the outputs, what was learned."""

from collections.abc import Sequence
from math import prod
from typing import Annotated, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, with_callbacks
from gramian.base.errors import DataError, ModelFileError
from gramian.base.fields import KW_ONLY, check_params, params
from gramian.base.gate import check_fit, check_new, check_size
from gramian.base.kinds import Estimator
from gramian.base.randomness import seed_of
from gramian.base.types import Matrix, Table, Weights
from gramian.base.weights import check_weights
from gramian.neural_network.convolution.architecture import (
    IsLayers,
    default_layers,
    shapes_of,
    summarize_layers,
)
from gramian.neural_network.convolution.forward import forward, initial_weights, is_native, steps
from gramian.neural_network.convolution.images import IsInputShape, as_rows, shape_of_rows
from gramian.neural_network.convolution.layers import BatchNorm, Conv, Dense, Layer, Shape
from gramian.neural_network.convolution.native_network import NativeTraining, native_network
from gramian.neural_network.convolution.torch_modules import module_of
from gramian.neural_network.mlp.network import Output
from gramian.neural_network.torch_training.parameters import TrainingParameters, settings_of
from gramian.neural_network.torch_training.tensors import (
    PREDICT_ROWS,
    Tensor,
    arrays_of,
    check_shapes,
    generator_of,
    tensor_of,
    tensors_of,
    torch_threads,
)
from gramian.neural_network.torch_training.training import train, train_epochs

_MAPS = 2**19  # numbers
LARGEST = 1e30  # numbers whose products with weights and their squares stay finite


@params(first=("input_shape",))
class ConvEstimator(TrainingParameters, CallbackSupportMixin, Estimator):
    """Layers, the shape of a row, and training.

    Parameters
    ----------
    layers
        The layers before the output, which is a dense one for the classes or targets; None: 8 and
        16 filters of width 3, each followed by a pool of 2 where a side has at least 4 places, and
        64 dense units.
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
    _output: ClassVar[Output]  # the loss, by the name that native code has for it

    # --- what the classifier and the regressor define ------------------------------------------

    def _targets(
        self, y: npt.ArrayLike, table: Matrix
    ) -> tuple[npt.NDArray[Any], int, dict[str, Any]]:
        """Return what is learned, the number of outputs, and the attributes that follow from y."""
        raise NotImplementedError

    def _held_out_targets(self, y: Any, rows: Matrix, known: dict[str, Any]) -> npt.NDArray[Any]:
        """Return the targets of held-out rows."""
        raise NotImplementedError

    def _weighted(
        self, targets: npt.NDArray[Any], weights: Weights | None, known: dict[str, Any]
    ) -> Weights | None:
        """Return the weights of the rows, those of their classes included."""
        return weights

    def _loss(self, torch: Any, outputs: Tensor, targets: Tensor, weights: Tensor | None) -> Tensor:
        """Return the mean loss of some rows."""
        raise NotImplementedError

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
        if X_val is not None or y_val is not None:
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
        given = found if found is not None else self.input_shape
        return table, shape_of_rows(owner, table.shape[1], given)

    def _check_new_images(self, X: Table) -> Matrix:
        check_is_fitted(self)
        rows, _ = as_rows(type(self).__name__, X, self.input_shape_)
        table: Matrix = check_new(self, rows, dtype=self._dtype)
        return table

    def _held_out(self, X_val: Any, y_val: Any, shape: Shape, dtype: Any) -> Matrix:
        """Check rows that are held out."""
        owner = type(self).__name__
        if X_val is None or y_val is None:
            missing = "y_val" if y_val is None else "X_val"
            raise DataError(f"{owner}: X_val and y_val go together; {missing} is missing.")
        try:
            rows, _ = as_rows(owner, X_val, shape)
            table: Matrix = check_new(self, rows, dtype=dtype)
            check_size(self, "X", table, LARGEST)
        except DataError as error:
            raise DataError(f"{owner}: X_val does not fit. {error}") from None
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
        """Train a network with so many outputs; `known` are fitted attributes besides."""
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
        native = native_network(layers, shape, self._output)
        work = 0 if native is not None else _work(layers, shape, settings.batch_size)
        with torch_threads(work) as torch:
            initial = initial_weights(layers, shape, seed, table.dtype)
            tensors, generator = tensors_of(initial), generator_of(seed)
            X, y = tensor_of(table), tensor_of(targets)
            w = None if each is None else tensor_of(each.astype(table.dtype))

            def backward(rows: Tensor) -> Tensor:
                found = forward(
                    layers,
                    shape,
                    tensors,
                    X.index_select(0, rows),
                    training=True,
                    generator=generator,
                )
                own = None if w is None else w.index_select(0, rows)
                loss = self._loss(torch, found, y.index_select(0, rows), own)
                loss.backward()
                return loss

            def loss_held_out() -> float:
                assert held_out is not None
                with torch.no_grad():
                    found = forward(layers, shape, tensors, tensor_of(held_out[0]))
                    return float(self._loss(torch, found, tensor_of(held_out[1]), None))

            def state() -> dict[str, Any]:
                return {
                    **known,
                    "weights_": arrays_of(tensors),
                    "layers_": layers,
                    "input_shape_": shape,
                    "n_features_in_": table.shape[1],
                }

            owner = type(self).__name__
            watch: Any = {
                "held_out": None if held_out is None else loss_held_out,
                "after_epoch": lambda: task.iteration(state),
            }
            if native is None:
                n = len(table)
                history = train(owner, tensors, backward, n, settings, generator, **watch)
            else:
                vector = native.join(initial)
                native_steps = NativeTraining(native, settings, table, targets, each, seed, vector)
                run = native_steps.epochs_of(tensors, generator)
                history = train_epochs(owner, tensors, run, settings, **watch)
            self.weights_ = arrays_of(tensors)
        self.layers_, self.input_shape_ = layers, shape
        self.loss_curve_ = history.losses
        self.validation_loss_curve_ = history.held_out
        self.best_epoch_ = history.best_epoch
        self.n_iter_ = len(history.losses)
        task.done(state)

    # --- outputs ---------------------------------------------------------------------------------

    def _threads(self, rows: int) -> Any:
        return torch_threads(_work(self.layers_, self.input_shape_, rows))

    def _outputs(self, table: Matrix) -> Matrix:
        """Return the outputs of the last layer for checked rows."""
        native = native_network(self.layers_, self.input_shape_, self._output)
        if native is not None:
            return native.outputs(native.join(self.weights_), table)
        outputs = len(self.weights_[f"layer{len(self.layers_) - 1}.bias"])
        found = np.empty((len(table), outputs), dtype=self._dtype)
        size = _rows_at_once(self.layers_, self.input_shape_)
        with self._threads(min(len(table), size)) as torch, torch.inference_mode():
            tensors = tensors_of(self.weights_)
            for start in range(0, len(table), size):
                part = slice(start, start + size)
                rows = tensor_of(table[part])
                found[part] = forward(self.layers_, self.input_shape_, tensors, rows).numpy()
        return found

    def feature_maps(self, X: Table) -> list[npt.NDArray[Any]]:
        """Return what every layer makes of some rows.

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
        with self._threads(len(table)) as torch, torch.inference_mode():
            tensors = tensors_of(self.weights_)
            return [
                np.ascontiguousarray(map_.movedim(1, -1).numpy().copy())
                for map_ in steps(self.layers_, self.input_shape_, tensors, tensor_of(table))
            ]

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
        """Return the network as a module of PyTorch's, a ``torch.nn.Sequential``.

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
            raise ModelFileError(f"{owner}: input_shape_ must be that of {self.n_features_in_}.")


def check_weights_of(owner: str, layers: Any, shape: Any, weights: Any) -> None:
    """Raise unless the arrays of a model file have the names and shapes that layers need."""
    if not (IsLayers().accepts(layers) and layers and IsInputShape().accepts(shape)):
        raise ModelFileError(f"{owner}: layers_ and input_shape_ must be those of a network.")
    wanted: dict[str, Shape] = {}
    for k, (layer, before) in enumerate(zip(layers, shapes_of(layers, shape), strict=False)):
        for name, sizes in layer.parameter_shapes(before).items():
            wanted[f"layer{k}.{name}"] = sizes
        if isinstance(layer, BatchNorm):
            wanted[f"layer{k}.running_mean"] = before[-1:]
            wanted[f"layer{k}.running_var"] = before[-1:]
    check_shapes(owner, weights, wanted)


def _work(layers: Sequence[Layer], shape: Shape, rows: int) -> int:
    """Return the number of products of a batch that PyTorch does; 0 where we do more.

    Its threads wait busily for the next product, and ours would have to share the cores with them.
    """
    ours = theirs = 0
    lines = summarize_layers(layers, shape)
    after = (*layers[1:], None)
    for layer, follows, before, line in zip(
        layers, after, shapes_of(layers, shape), lines, strict=False
    ):
        if is_native(layer, follows, before):
            ours += line.connections
        else:
            theirs += line.connections
    return rows * theirs if theirs >= ours else 0


def _rows_at_once(layers: Sequence[Layer], shape: Shape) -> int:
    """Return how many rows to predict together, so that the maps of a layer stay in the cache."""
    widest = max(prod(sides) for sides in shapes_of(layers, shape))
    return min(max(1, _MAPS // widest), PREDICT_ROWS)


def _of_mean_one(weights: Weights) -> Weights:
    largest = weights.max()
    scaled = weights / largest  # whose sum is finite
    return np.asarray(scaled * (len(scaled) / scaled.sum()))
