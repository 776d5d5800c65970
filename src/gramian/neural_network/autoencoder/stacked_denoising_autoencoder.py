"""A stack of denoising autoencoders, trained level by level."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Annotated, Any, Self

from gramian.base.callbacks import Task, with_callbacks
from gramian.base.fields import KW_ONLY, params
from gramian.base.kinds import Estimator
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


@dataclass(frozen=True)
class IsSizes:
    """The check of the parameter `hidden_layer_sizes`."""

    def accepts(self, value: object) -> bool:
        """Return whether the value is a list or tuple of at least one positive integer."""
        if not isinstance(value, list | tuple) or not value:
            return False
        return all(
            isinstance(v, Integral) and not isinstance(v, bool) and int(v) >= 1 for v in value
        )

    def __str__(self) -> str:
        return "a list or tuple of integers >= 1"


@params
class StackParameters(AutoencoderParameters):
    """Sizes and noise of a stack.

    Parameters
    ----------
    hidden_layer_sizes
        Number of units of each level, lowest first.
    corruption
        "masking", "gaussian", "salt_and_pepper" or a function ``(X, noise_level, generator)``, on
        what each level sees.
    noise_level
        Fraction of the numbers that are replaced, in [0, 1), the deviation of "gaussian", or what
        the function is given.
    """

    hidden_layer_sizes: Annotated[Sequence[int], IsSizes()] = (64, 32)
    _: KW_ONLY
    corruption: Corruption = "masking"
    noise_level: NoiseLevel = 0.3


@params
class StackedDenoisingAutoencoder(StackParameters, AutoencoderBase, EncoderBase):
    """A stack of denoising autoencoders, each trained on the codes of the one below.

    The first level is a `DenoisingAutoencoder` of X, the next one of its codes, and so on; a level
    is not changed by those above it (Vincent et al. 2010, section 3.5). `transform` returns the
    highest codes and `inverse_transform` decodes them level by level. Codes are reconstructed with
    cross-entropy where that is the loss and they are "sigmoid", otherwise with squared errors. For
    fine-tuning with labels see `StackedDenoisingClassifier`.

    Attributes
    ----------
    loss_curves_ : list of lists of float
        Mean training loss of each epoch, of each level.

    Examples
    --------
    >>> from gramian import StackedDenoisingAutoencoder
    >>> from sklearn.datasets import load_digits
    >>> X = load_digits().data / 16
    >>> model = StackedDenoisingAutoencoder((50, 20), loss="cross_entropy", random_state=0)
    >>> model.fit(X).transform(X).shape
    (1797, 20)
    """

    @with_callbacks
    def fit(self, X: Table, y: object = None) -> Self:
        """Train the levels, lowest first.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        self : StackedDenoisingAutoencoder
            The fitted model.
        """
        table = self._check_rows(X)
        check_noise(type(self).__name__, self.corruption, self.noise_level)
        sizes = tuple(int(units) for units in self.hidden_layer_sizes)
        task = Task.of(self, steps=len(sizes), X=table)

        def state(weights: Any) -> dict[str, Any]:
            top = sum(name.startswith("encoder") for name in weights) // 2 - 1
            return {
                "weights_": weights,
                "n_features_in_": table.shape[1],
                "_n_features_out": sizes[top],
            }

        weights, histories = train_levels(
            type(self).__name__,
            table,
            sizes,
            autoencoder_settings(self),
            settings_of(self, len(table)),
            seed_of(self.random_state),
            lambda _: task.part("level", steps=self.max_iter),
            state,
        )
        self.weights_ = weights
        self.loss_curves_ = [history.training for history in histories]
        self.loss_curve_ = self.loss_curves_[-1]
        self.n_iter_ = max(len(losses) for losses in self.loss_curves_)
        self._n_features_out = sizes[-1]
        task.done(lambda: state(weights))
        return self


def autoencoder_settings(estimator: Estimator) -> AutoencoderSettings:
    """Return the autoencoder settings that a stack's parameters describe."""
    return AutoencoderSettings(
        estimator.activation,
        estimator._output,
        estimator.loss,
        estimator.tied_weights,
        estimator.corruption,
        float(estimator.noise_level),
    )
