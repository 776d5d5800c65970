"""Base class of the density estimators."""

from abc import abstractmethod

from gramian.base.kinds import Density
from gramian.base.types import Matrix, Table


class DensityEstimator(Density):
    """A density estimator whose score is the log-likelihood of the rows, as in scikit-learn."""

    @abstractmethod
    def score_samples(self, X: Table) -> Matrix:
        """Return the log density at each row."""

    def score(self, X: Table, y: object = None) -> float:
        """Return the sum of the log densities of the rows.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : object
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        log_likelihood : float
        """
        return float(self.score_samples(X).sum())
