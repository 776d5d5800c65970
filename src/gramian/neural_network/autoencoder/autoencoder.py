"""Autoencoders of one hidden layer, without and with noise."""

from typing import Any, Self

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.fields import KW_ONLY, Count, params
from gramian.base.randomness import seed_of
from gramian.base.types import Table
from gramian.neural_network.autoencoder.autoencoder_base import (
    AutoencoderBase,
    AutoencoderParameters,
    EncoderBase,
    NoiseLevel,
)
from gramian.neural_network.autoencoder.corruption import Corruption, check_noise
from gramian.neural_network.autoencoder.greedy import AutoencoderSettings, train_levels
from gramian.neural_network.training.parameters import settings_of


@params
class OneLevel(AutoencoderParameters, AutoencoderBase):
    """An autoencoder of one hidden layer.

    Parameters
    ----------
    n_components
        Number of hidden units, the length of a code.

    Attributes
    ----------
    validation_loss_curve_ : list of float
        Mean loss of X_val after each epoch, empty without it.
    best_epoch_ : int
        The epoch of the least validation or training loss, counted from 1; with X_val the weights
        are those of this epoch.
    """

    n_components: Count = 32

    def _noise(self) -> tuple[Corruption, float]:
        return "masking", 0.0

    @with_callbacks
    def fit(self, X: Table, y: object = None, X_val: Table | None = None) -> Self:
        """Train encoder and decoder.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.
        X_val : array of shape (m, d), optional
            Held-out rows: training stops when their reconstruction no longer improves, and the
            weights of the best epoch are kept.

        Returns
        -------
        self : estimator
            The fitted model.
        """
        table = self._check_rows(X)
        corruption, level = self._noise()
        check_noise(type(self).__name__, corruption, level)
        held_out = None
        if X_val is not None:
            held_out = self._check_more_rows(X_val, "X_val", table.dtype)
        coding = AutoencoderSettings(
            self.activation, self._output, self.loss, self.tied_weights, corruption, level
        )
        settings = settings_of(self, len(table))
        task = Task.of(self, steps=self.max_iter, X=table)

        def state(weights: Any) -> dict[str, Any]:
            return {
                "weights_": weights,
                "n_features_in_": table.shape[1],
                "_n_features_out": self.n_components,
            }

        weights, (history,) = train_levels(
            type(self).__name__,
            table,
            (self.n_components,),
            coding,
            settings,
            seed_of(self.random_state),
            lambda _: task,
            state,
            held_out,
        )
        self.weights_ = weights
        self.loss_curve_, self.validation_loss_curve_ = history.training, history.validation
        self.best_epoch_, self.n_iter_ = history.best_epoch, len(history.training)
        self._n_features_out = self.n_components
        return self


@params
class Autoencoder(OneLevel, EncoderBase):
    """An autoencoder: a code from which rows can be reconstructed.

    ::

        y = s(W x + b),   z = s'(W' y + b'),   minimise the mean loss of z for x.

    The loss is |x - z|^2 (x Gaussian given y), or the cross-entropy (x in [0, 1], Bernoulli given
    y). With s and s' the identity and squared errors the codes span the space of the first
    principal components (Bourlard and Kamp 1988). An epoch costs about 6 n d k products for k
    units. It computes in the type of X. The same seed gives identical results for any
    number of threads.

    Examples
    --------
    >>> from gramian import Autoencoder
    >>> from sklearn.datasets import load_digits
    >>> X = load_digits().data / 16
    >>> model = Autoencoder(16, loss="cross_entropy", random_state=0)
    >>> model.fit(X).transform(X).shape
    (1797, 16)
    """


@params
class DenoisingAutoencoder(OneLevel, EncoderBase):
    """An autoencoder that learns to remove noise.

    The encoder sees x with noise, drawn anew in each epoch, and the loss compares the
    reconstruction with x itself, so that the code must capture what the features have in common
    (Vincent et al. 2010). Otherwise it is an `Autoencoder`; `transform` puts no noise on its rows.

    Parameters
    ----------
    corruption
        "masking": each number is 0 with probability `noise_level`; "salt_and_pepper": it is then
        the least or largest number of X; "gaussian": noise of deviation `noise_level` is added. A
        function ``(X, noise_level, generator)`` returns a batch of rows with noise of its own; a
        model with one cannot be saved to a file.
    noise_level
        A fraction in [0, 1), usually up to 1/2, a deviation, or what the function is given.

    Examples
    --------
    >>> from gramian import DenoisingAutoencoder
    >>> from sklearn.datasets import load_digits
    >>> X = load_digits().data / 16
    >>> model = DenoisingAutoencoder(100, noise_level=0.5, loss="cross_entropy", random_state=0)
    >>> model.fit(X).reconstruct(X).shape
    (1797, 64)
    """

    _: KW_ONLY
    corruption: Corruption = "masking"
    noise_level: NoiseLevel = 0.3

    def _noise(self) -> tuple[Corruption, float]:
        return self.corruption, float(self.noise_level)
