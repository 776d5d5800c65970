"""A classifier whose layers are pre-trained as denoising autoencoders, without labels."""

from collections import OrderedDict
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.errors import ModelFileError
from gramian.base.fields import KW_ONLY, NonNegativeInt, params
from gramian.base.inputs.targets import check_labels
from gramian.base.kinds import Classifier, LogProbabilities, ModelFamily
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Matrix, Table
from gramian.neural_network.autoencoder.autoencoder_base import (
    EncoderBase,
    add_activation,
    linear_module,
)
from gramian.neural_network.autoencoder.coding import dense, encoded, level_weights
from gramian.neural_network.autoencoder.corruption import check_noise
from gramian.neural_network.autoencoder.dense_training import DenseTraining
from gramian.neural_network.autoencoder.greedy import train_levels
from gramian.neural_network.autoencoder.stacked_denoising_autoencoder import (
    StackParameters,
    autoencoder_settings,
)
from gramian.neural_network.mlp.descent import Examples
from gramian.neural_network.training.named_arrays import Arrays, check_shapes
from gramian.neural_network.training.parameters import settings_of
from gramian.neural_network.training.training import ArrayTraining, train_arrays
from gramian.objectives.tensors import Module, torch_module


@params
class StackedDenoisingClassifier(StackParameters, LogProbabilities, EncoderBase, Classifier):
    """A network pre-trained as a stack of denoising autoencoders and fine-tuned with labels.

    First each hidden layer learns to reconstruct the layer below from a noisy copy, without labels
    (`StackedDenoisingAutoencoder`); then a softmax layer is put on the highest codes and the whole
    network is trained by the mean cross-entropy of the labels (Vincent et al. 2010, section 3.5).
    Rows without labels, ``fit(X, y, X_unlabelled)``, take part in the first step. With
    ``pretrain_iter=0`` it is an ordinary network with the same layers. The parameters of training
    are those of both steps.

    Parameters
    ----------
    pretrain_iter
        Epochs of pre-training of each level; `max_iter` are those of fine-tuning.

    Attributes
    ----------
    classes_ : array
        The labels; if there is only one, it is predicted for every row.
    pretrain_loss_curves_ : list of lists of float
        Mean reconstruction loss of each epoch of pre-training, of each level.

    Examples
    --------
    >>> from gramian import StackedDenoisingClassifier
    >>> from sklearn.datasets import load_digits
    >>> X, y = load_digits(return_X_y=True)
    >>> model = StackedDenoisingClassifier((100,), loss="cross_entropy", random_state=0)
    >>> model.fit(X[:100] / 16, y[:100], X / 16).predict(X[:1] / 16)
    array([0])
    """

    _: KW_ONLY
    pretrain_iter: NonNegativeInt = 30
    model_family: ClassVar[ModelFamily | None] = "discriminative"

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        X_unlabelled: Table | None = None,
    ) -> Self:
        """Train the levels without labels, then the whole network with them.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Their labels.
        X_unlabelled : array of shape (m, d), optional
            Rows whose labels are not known, for pre-training.

        Returns
        -------
        self : StackedDenoisingClassifier
            The fitted model.
        """
        table = self._check_rows(X)
        check_noise(type(self).__name__, self.corruption, self.noise_level)
        codes, classes = check_labels(self, y, len(table))
        rows = table
        if X_unlabelled is not None:
            more = self._check_more_rows(X_unlabelled, "X_unlabelled", table.dtype)
            rows = np.concatenate([table, more])
        seed = seed_of(self.random_state)
        task = Task.of(self, steps=len(self.hidden_layer_sizes) + 1, X=table, y=codes)
        first, curves = self._pretrained(rows, seed, task)

        top = len(first[f"encoder{len(self.hidden_layer_sizes) - 1}.bias"])
        deviation = np.sqrt(2 / (top + len(classes)))
        drawn = stream(seed, 2 * len(self.hidden_layer_sizes)).standard_normal((len(classes), top))
        first["output.weight"] = (drawn * deviation).astype(table.dtype)
        first["output.bias"] = np.zeros(len(classes), dtype=table.dtype)
        known = {
            "classes_": classes,
            "n_features_in_": table.shape[1],
            "_n_features_out": top,
        }
        self._fine_tune(table, codes.astype(np.int64), first, seed, task, known)
        self.classes_, self.pretrain_loss_curves_ = classes, curves
        self._n_features_out = top
        return self

    def _pretrained(self, rows: Matrix, seed: int, task: Task) -> tuple[Arrays, Any]:
        """Return pre-trained or random encoders, and the losses of pre-training."""
        sizes = tuple(int(units) for units in self.hidden_layer_sizes)
        if self.pretrain_iter == 0:
            found: Arrays = {}
            inputs = rows.shape[1]
            for level, units in enumerate(sizes):
                found |= level_weights(level, inputs, units, True, seed, rows.dtype)
                inputs = units
            curves: Any = []
        else:
            settings = settings_of(
                self, len(rows), max_iter=self.pretrain_iter, n_iter_no_change=None
            )
            found, histories = train_levels(
                type(self).__name__,
                rows,
                sizes,
                autoencoder_settings(self),
                settings,
                seed,
                lambda _: task.part("level", steps=self.pretrain_iter),
                lambda _: {},
            )
            curves = [history.training for history in histories]
        return {name: w for name, w in found.items() if name.startswith("encoder")}, curves

    def _fine_tune(
        self,
        table: Matrix,
        codes: npt.NDArray[np.int64],
        first: Arrays,
        seed: int,
        task: Task,
        known: dict[str, Any],
    ) -> None:
        settings = settings_of(self, len(table))
        part = task.part("fine-tuning", steps=self.max_iter)
        names = [*(f"encoder{k}" for k in range(len(self.hidden_layer_sizes))), "output"]
        one = len(known["classes_"]) == 1  # a single class has probability 1 from the start
        rows = Examples(
            table,
            None if one else codes.astype(np.int32),
            np.ones((len(table), 1), dtype=table.dtype) if one else None,
        )
        training = DenseTraining(names, first, self.activation, "softmax", rows, settings, seed)

        def state() -> dict[str, Any]:
            return {**known, "weights_": training.weights()}

        history = train_arrays(
            type(self).__name__,
            ArrayTraining(training.memory, training.epoch, len(table)),
            settings,
            after_epoch=lambda: part.iteration(state),
        )
        self.weights_ = training.weights()
        self.loss_curve_, self.n_iter_ = history.training, len(history.training)
        part.done(state)
        task.done(state)

    def _scores(self, weights: Arrays, x: Matrix) -> Matrix:
        levels = range(len(self.hidden_layer_sizes))
        return dense(weights, "output", encoded(weights, x, levels, self.activation))

    def decision_function(self, X: Table) -> Any:
        """Return the scores before softmax.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        scores : array of shape (m, n_classes), or (m,) for two classes: the log-odds of the second
        """
        z = self._outputs(X)
        return z[:, 1] - z[:, 0] if len(self.classes_) == 2 else z

    def predict_proba(self, X: Table) -> Any:
        """Return the probability of each class.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        p : array of shape (m, n_classes)
        """
        z = self._outputs(X)
        p = np.exp(z - z.max(axis=1, keepdims=True))
        return p / p.sum(axis=1, keepdims=True)

    def predict(self, X: Table) -> Any:
        """Return the class with the highest probability.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        labels : array of shape (m,)
        """
        z = self._outputs(X)
        return self.classes_[z.argmax(axis=1)]

    def _outputs(self, X: Table) -> Matrix:
        table = self._check_new(X)
        return self._mapped(table, len(self.classes_), self._scores)

    def to_torch(self) -> Any:
        """Return the network as a ``torch.nn.Sequential``; its weights are copies.

        It takes rows and returns scores before softmax.
        """
        check_is_fitted(self)
        torch, parts = torch_module(), OrderedDict[str, Module]()
        for name in (*(f"encoder{k}" for k in self._levels), "output"):
            weight, bias = self.weights_[f"{name}.weight"], self.weights_[f"{name}.bias"]
            parts[name] = linear_module(torch, weight, bias)
            if name != "output":
                add_activation(torch, parts, name, self.activation)
        return torch.nn.Sequential(parts).eval()

    def _check_loaded(self) -> None:
        names = [*(f"encoder{k}" for k in range(len(self.hidden_layer_sizes))), "output"]
        widths = [self.n_features_in_, *self.hidden_layer_sizes, len(self.classes_)]
        wanted: dict[str, tuple[int, ...]] = {}
        for name, inputs, units in zip(names, widths, widths[1:], strict=False):
            wanted |= {f"{name}.weight": (units, inputs), f"{name}.bias": (units,)}
        check_shapes(type(self).__name__, self.weights_, wanted)
        if self._n_features_out != self.hidden_layer_sizes[-1]:
            raise ModelFileError(
                "StackedDenoisingClassifier: _n_features_out must equal hidden_layer_sizes[-1]."
            )
