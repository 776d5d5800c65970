"""Base class of the voting estimators: parameters, members, weights."""

import sys
from abc import abstractmethod
from time import perf_counter
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping

from gramian.base.conversions import parameter_array
from gramian.base.errors import ParameterError
from gramian.base.fields import KW_ONLY, Array, Jobs, NonNegativeInt, params
from gramian.base.folds import Folds, check_splits
from gramian.base.inputs.weights import check_weights
from gramian.base.members import Members
from gramian.base.models import Model
from gramian.base.routing import is_routing, routed
from gramian.base.types import Data, Floats, Table
from gramian.ensemble.common.input_checks import check_fit_rows
from gramian.ensemble.common.members import fit_member
from gramian.ensemble.common.named_ensemble import (
    NamedEnsemble,
    NamedEstimators,
    normalized_weights,
    unfitted_copy,
)


@params
class Voting(NamedEnsemble, Members):
    """Fits named learners and combines their predictions with weights.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner; "drop" in place of a learner omits it.
    weights
        Weights >= 0 of the learners; None for equal weights.
    n_jobs
        Ignored; present for scikit-learn compatibility.
    verbose
        Whether to print the fitting time of each learner.
    cv
        Cross-validation folds for "bayes".

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted learners.
    named_estimators_ : Bunch
        The fitted learners by name.
    weights_ : array of shape (n_estimators,)
        Weights of the learners in the prediction.
    log_evidence_ : array of shape (n_estimators,)
        Cross-validated log likelihood of each learner, for "bayes".
    """

    estimators: NamedEstimators
    _: KW_ONLY
    weights: Array | None = None
    n_jobs: Jobs = None
    verbose: bool | NonNegativeInt = False
    cv: Folds = 5

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **fit_params: Any,
    ) -> Self:
        """Fit the learners.

        Parameters
        ----------
        X : array of shape (n, d)
            The rows.
        y : array of shape (n,)
            Class labels, or numeric targets for regression.
        sample_weight : array of shape (n,), optional
            Weights of the rows; all learners must support them. With scikit-learn's
            ``enable_metadata_routing=True`` only the learners that request them get them.
        **fit_params : dict
            Further arguments of the learners' `fit`, with ``enable_metadata_routing=True``.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = self._check_targets(y, table.shape[0])
        row_weights = check_weights(self, sample_weight, table.shape[0])
        kept, owner = self._members(), type(self).__name__
        self._check_estimator_types(kept)
        given_weights = weights_of_kept(self.weights, self.estimators, owner)
        weights = normalized_weights(given_weights, len(kept), owner)
        if self._is_bayesian():
            folds = check_splits(owner, self.cv, table, targets, classifier=is_classifier(self))
            self.log_evidence_ = np.array(
                [self._log_likelihood(member, table, targets, folds) for _, member in kept]
            )
            weights = model_posterior(self.log_evidence_, weights)
        self.weights_ = weights
        if is_routing() and row_weights is not None:
            row_weights, fit_params = None, {"sample_weight": row_weights, **fit_params}
        routed_params = routed(self, "fit", fit_params)
        fitted = []
        for number, (name, member) in enumerate(kept, start=1):
            started = perf_counter()
            arguments = routed_params[name]["fit"]
            fitted.append(
                fit_member(self, unfitted_copy(member), table, targets, row_weights, arguments)
            )
            if self.verbose:
                sys.stdout.write(
                    f"[Voting] ({number} of {len(kept)}) Processing {name}, "
                    f"total={perf_counter() - started:6.1f}s\n"
                )
        self._set_members(kept, fitted)
        return self

    def _check_estimator_types(self, kept: list[tuple[str, Any]]) -> None:
        classifiers = is_classifier(self)
        for name, member in kept:
            has_tags = hasattr(member, "__sklearn_tags__")
            if has_tags and (is_regressor if classifiers else is_classifier)(member):
                kind = "classifier" if classifiers else "regressor"
                raise ParameterError(
                    f"{type(self).__name__}: The estimator {type(member).__name__} should be a "
                    f"{kind}; replace {name!r}."
                )

    def get_metadata_routing(self) -> MetadataRouter:
        """Return the metadata routing: the arguments of `fit` that the learners accept."""
        router = MetadataRouter(owner=self)
        for name, member in self._members():
            mapping = MethodMapping().add(caller="fit", callee="fit")
            router.add(**{name: member}, method_mapping=mapping)
        return router

    @abstractmethod
    def _check_targets(self, y: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
        """Check the targets of n rows and return them as the members expect them."""

    @abstractmethod
    def _is_bayesian(self) -> bool:
        """Return whether learners are weighted by their evidence."""

    @abstractmethod
    def _log_likelihood(self, member: Model, table: Data, y: npt.NDArray[Any], folds: Any) -> float:
        """Return the cross-validated log likelihood of the targets under a learner."""


def model_posterior(log_evidence: npt.ArrayLike, prior: npt.ArrayLike | None = None) -> Floats:
    """Return P(M_j | data), proportional to prior times evidence.

    Parameters
    ----------
    log_evidence
        log P(data | M_j) of each model.
    prior
        P(M_j), up to a constant factor; None for equal priors.

    Returns
    -------
    array
        Probabilities that sum to 1.

    Examples
    --------
    >>> from gramian.ensemble import model_posterior
    >>> model_posterior([-1000.0, -1000.0 - 1.0986122886681098]).round(3)
    array([0.75, 0.25])
    """
    logs = np.asarray(log_evidence, dtype=float)
    probabilities = normalized_weights(prior, len(logs), "model_posterior")
    with np.errstate(divide="ignore"):
        logs = logs + np.log(probabilities)
    return np.asarray(np.exp(logs - logsumexp(logs)))


def weights_of_kept(weights: npt.ArrayLike | None, estimators: Any, owner: str) -> Any:
    """Return the weights of the learners that are not dropped."""
    if weights is None:
        return None
    all_weights = parameter_array(owner, "weights", weights)
    if len(all_weights) != len(estimators):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {len(all_weights)} "
            f"weights, {len(estimators)} estimators."
        )
    dropped = [isinstance(member, str) for _, member in estimators]
    return all_weights[~np.array(dropped)]
