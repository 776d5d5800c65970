"""A joint distribution of labels and rows."""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.weights import check_sample_weight
from gramian.base.types import Floats
from gramian.distributions.common.distribution import Distribution
from gramian.distributions.common.simplex import check_probabilities
from gramian.distributions.models.mixture import Mixture


class GenerativeModel:
    """Class priors and a distribution of x in each class: P(x, y) = prior_y p_y(x).

    Parameters
    ----------
    priors
        Probability of each class, shape (K,).
    distributions
        The distribution of x in each class.
    classes
        The class labels; None: 0, ..., K - 1.

    Examples
    --------
    >>> from gramian.distributions import Gaussian
    >>> model = GenerativeModel([0.5, 0.5], [Gaussian(0, 1), Gaussian(2, 1)], ["a", "b"])
    >>> model.posterior(1.0)
    array([0.5, 0.5])
    >>> X, y = model.sample(4, random_state=0)
    >>> X.shape, y.shape
    ((4,), (4,))
    """

    def __init__(
        self,
        priors: npt.ArrayLike,
        distributions: Sequence[Distribution],
        classes: npt.ArrayLike | None = None,
    ) -> None:
        array = np.asarray(priors, dtype=np.float64)
        check_probabilities("GenerativeModel", "priors", array)
        if len(array) != len(distributions):
            raise ParameterError(
                f"GenerativeModel: priors must have one entry per distribution; got {len(array)} "
                f"priors and {len(distributions)} distributions."
            )
        mixture = Mixture(array, list(distributions))
        labels = np.arange(len(mixture.weights)) if classes is None else np.array(classes)
        if labels.shape != mixture.weights.shape or len(np.unique(labels)) < len(labels):
            raise ParameterError(
                f"GenerativeModel: classes must be {len(mixture.weights)} different labels; got "
                f"{labels.tolist()}."
            )
        labels.flags.writeable = False
        self._mixture, self._classes = mixture, labels

    @property
    def priors(self) -> Floats:
        """The probability of each class."""
        return np.asarray(self._mixture.weights)

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """The distribution of x in each class."""
        return tuple(self._mixture.components)

    @property
    def classes(self) -> npt.NDArray[Any]:
        """The labels."""
        return self._classes

    def log_joint(self, x: npt.ArrayLike) -> Any:
        """Return log P(x, y) for every class, along the last axis."""
        return self._mixture.log_joint(x)

    def posterior(self, x: npt.ArrayLike) -> Any:
        """Return P(y | x) for every class, along the last axis; NaN if x is impossible."""
        return self._mixture.posterior(x)

    def marginal(self) -> Mixture:
        """Return the marginal distribution of x."""
        return self._mixture

    def predict(self, x: npt.ArrayLike) -> Any:
        """Return the most probable label of each x."""
        return self._classes[np.argmax(self.log_joint(x), axis=-1)]

    def sample(self, n: int | None = None, random_state: object = None) -> tuple[Any, Any]:
        """Draw rows and their labels.

        Parameters
        ----------
        n
            Number of pairs; None draws one pair.
        random_state
            Seed or generator for the random draws.

        Returns
        -------
        X, y
            Events along the first axis, and one label per event.
        """
        events, which = self._mixture.sample_with_components(n, random_state)
        return events, self._classes[which]

    @classmethod
    def fit(
        cls,
        X: npt.ArrayLike,
        y: npt.ArrayLike,
        family: type[Distribution],
        sample_weight: npt.ArrayLike | None = None,
        **fixed: Any,
    ) -> Self:
        """Return the maximum likelihood estimate: class proportions, and the family fitted to each.

        Parameters
        ----------
        X
            Events along the first axis.
        y
            One label per event.
        family
            The family of the distribution of every class, such as `MultivariateGaussian`.
        sample_weight
            One weight per event.
        fixed
            Parameters of the family that are known.

        Returns
        -------
        GenerativeModel
            The estimate.
        """
        events, labels = np.asarray(X), np.asarray(y)
        if labels.ndim != 1 or len(labels) != len(events) or not len(labels):
            raise DataError(
                f"GenerativeModel: y must be one label per event, at least one; got shapes "
                f"{labels.shape} and {events.shape}."
            )
        row_weights = check_sample_weight(cls.__name__, sample_weight, len(labels))
        weights = np.ones(len(labels)) if row_weights is None else row_weights
        classes, codes = np.unique(labels[weights > 0], return_inverse=True)
        events, weights = events[weights > 0], weights[weights > 0]
        totals = np.bincount(codes, weights=weights)
        parts = [
            family.fit(events[codes == k], weights[codes == k], **fixed)
            for k in range(len(classes))
        ]
        return cls(totals / totals.sum(), parts, classes)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GenerativeModel):
            return NotImplemented
        return self._mixture == other._mixture and np.array_equal(self._classes, other._classes)

    def __hash__(self) -> int:
        return hash((self._mixture, tuple(self._classes.tolist())))

    def __repr__(self) -> str:
        return (
            f"GenerativeModel(priors={self.priors.tolist()}, "
            f"distributions={list(self.distributions)}, classes={self._classes.tolist()})"
        )
