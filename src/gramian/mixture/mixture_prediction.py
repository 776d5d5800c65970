"""Predictions of a fitted Gaussian mixture."""

from typing import Any, ClassVar

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.gate import check_new
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Density
from gramian.base.randomness import seed_of, stream
from gramian.base.types import Data, Floats, Matrix, Table
from gramian.mixture.components import Components, CovarianceType
from gramian.mixture.missing_values import ScoreKind, scores_of


class MixturePrediction(Density):
    """Components, densities and samples of a fitted mixture; missing values are integrated out."""

    takes_nan: ClassVar[bool] = True

    covariance_type: CovarianceType
    random_state: Any
    weights_: Floats
    means_: Floats
    covariances_: Floats
    precisions_cholesky_: Floats

    def _components(self) -> Components:
        return Components.of_fitted(
            self.covariance_type,
            self.weights_,
            self.means_,
            self.covariances_,
            self.precisions_cholesky_,
        )

    def _scores(self, table: Data, what: ScoreKind) -> Any:
        return scores_of(self._components(), table, what)

    def predict(self, X: Table) -> Codes:
        """Return the most probable component of each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        codes : array of shape (m,)
        """
        codes: Codes = self._scores(check_new(self, X), "codes")
        return codes

    def predict_proba(self, X: Table) -> Matrix:
        """Return the responsibility of each component for each row.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        p : array of shape (m, K)
        """
        table = check_new(self, X)
        return np.asarray(self._scores(table, "posterior"), dtype=table.dtype)

    def score_samples(self, X: Table) -> Matrix:
        """Return the log density at each row; of its observed values if some are missing.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows; NaN is missing.

        Returns
        -------
        log_density : array of shape (m,)
        """
        table = check_new(self, X)
        return np.asarray(self._scores(table, "log_norm"), dtype=table.dtype)

    def score(self, X: Table, y: object = None) -> float:
        """Return the mean log density of the rows.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.
        y : ignored
            Ignored; present for scikit-learn compatibility.

        Returns
        -------
        mean : float
        """
        return float(np.mean(self._scores(check_new(self, X), "log_norm")))

    def sample(self, n_samples: int = 1) -> tuple[Floats, Codes]:
        """Draw rows from the mixture.

        Parameters
        ----------
        n_samples : int
            Number of rows.

        Returns
        -------
        X : array of shape (n_samples, d)
            The rows, in the order of their components.
        y : array of shape (n_samples,)
            Component of each row.
        """
        check_is_fitted(self)
        if n_samples < 1:
            raise ParameterError(
                f"GaussianMixture: Invalid value for 'n_samples': {n_samples!r}; pass an integer "
                ">= 1."
            )
        rng = stream(seed_of(self.random_state))
        codes = np.sort(rng.choice(len(self.weights_), size=n_samples, p=self.weights_))
        noise = rng.standard_normal((n_samples, self.means_.shape[1]))
        roots = np.linalg.cholesky(self._components().full())
        return self.means_[codes] + np.einsum("nij,nj->ni", roots[codes], noise), codes

    def bic(self, X: Table) -> float:
        """Return the Bayesian information criterion on the rows; lower is better.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        bic : float
            -2 log likelihood + log(m) times the number of parameters.
        """
        log_density = self._scores(check_new(self, X), "log_norm")
        parameters = self._components().n_parameters()
        return float(-2 * log_density.sum() + parameters * np.log(len(log_density)))

    def aic(self, X: Table) -> float:
        """Return Akaike's information criterion on the rows; lower is better.

        Parameters
        ----------
        X : array of shape (m, d)
            The rows.

        Returns
        -------
        aic : float
            -2 log likelihood + 2 times the number of parameters.
        """
        log_density = self._scores(check_new(self, X), "log_norm")
        return float(-2 * log_density.sum() + 2 * self._components().n_parameters())

    def _check_loaded(self) -> None:
        K, d = len(self.weights_), self.n_features_in_
        shape = {"full": (K, d, d), "tied": (d, d), "diag": (K, d), "spherical": (K,)}
        wanted = shape[self.covariance_type]
        if self.means_.shape != (K, d) or self.precisions_cholesky_.shape != wanted:
            raise DataError("GaussianMixture: the arrays do not match the number of components.")
