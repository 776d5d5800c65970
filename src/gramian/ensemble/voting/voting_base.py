"""What the voting estimators have in common: parameters, members, weights."""

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
from gramian.base.members import Members
from gramian.base.routing import is_routing, routed
from gramian.base.types import Data, Floats, Table
from gramian.base.weights import check_weights
from gramian.ensemble.common.input_checks import check_fit_rows
from gramian.ensemble.common.members import fit_member
from gramian.ensemble.common.named import Named, NamedEnsemble, fresh, weights_of


@params
class Voting(NamedEnsemble, Members):
    """Fits named learners and weighs their predictions.

    Parameters
    ----------
    estimators
        Pairs of a name and a learner; "drop" in place of a learner omits it.
    weights
        Weights >= 0 of the learners; None for equal ones.
    n_jobs
        Ignored; present for scikit-learn compatibility.
    verbose
        Whether to print how long each learner took.
    cv
        Folds of the cross-validation of "bayes".

    Attributes
    ----------
    estimators_ : list of estimators
        The fitted learners.
    named_estimators_ : Bunch
        The fitted learners by name.
    weights_ : array of shape (n_estimators,)
        Their weights in the prediction.
    log_evidence_ : array of shape (n_estimators,)
        For "bayes", the log likelihood of each.
    """

    estimators: Named
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
            ``enable_metadata_routing=True`` those get them that ask for them.
        **fit_params : dict
            Further arguments of the learners' `fit`, with ``enable_metadata_routing=True``.

        Returns
        -------
        self : object
            The fitted model.
        """
        table = check_fit_rows(self, X)
        targets = self._check_targets(y, table.shape[0])
        given = check_weights(self, sample_weight, table.shape[0])
        kept, owner = self._members(), type(self).__name__
        self._check_kinds(kept)
        own = kept_weights(self.weights, self.estimators, owner)
        weights = weights_of(own, len(kept), owner)
        if self._is_bayesian():
            folds = check_splits(owner, self.cv, table, targets, classifier=is_classifier(self))
            self.log_evidence_ = np.array(
                [self._log_likelihood(member, table, targets, folds) for _, member in kept]
            )
            weights = model_posterior(self.log_evidence_, weights)
        self.weights_ = weights
        if is_routing() and given is not None:
            given, fit_params = None, {"sample_weight": given, **fit_params}
        more = routed(self, "fit", fit_params)
        fitted = []
        for number, (name, member) in enumerate(kept, start=1):
            begun = perf_counter()
            arguments = more[name]["fit"]
            fitted.append(fit_member(self, fresh(member), table, targets, given, arguments))
            if self.verbose:
                sys.stdout.write(
                    f"[Voting] ({number} of {len(kept)}) Processing {name}, "
                    f"total={perf_counter() - begun:6.1f}s\n"
                )
        self._remember(kept, fitted)
        return self

    def _check_kinds(self, kept: list[tuple[str, Any]]) -> None:
        wanted = is_classifier(self)
        for name, member in kept:
            tagged = hasattr(member, "__sklearn_tags__")
            if tagged and (is_regressor if wanted else is_classifier)(member):
                kind = "classifier" if wanted else "regressor"
                raise ParameterError(
                    f"{type(self).__name__}: The estimator {type(member).__name__} should be a "
                    f"{kind}; give another one for {name!r}."
                )

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` the learners take."""
        router = MetadataRouter(owner=self)
        for name, member in self._members():
            passed = MethodMapping().add(caller="fit", callee="fit")
            router.add(**{name: member}, method_mapping=passed)
        return router

    @abstractmethod
    def _check_targets(self, y: npt.ArrayLike, n: int) -> npt.NDArray[Any]:
        """Check targets of n rows and return them as passed to the members."""

    @abstractmethod
    def _is_bayesian(self) -> bool:
        """Return whether learners are weighed by their evidence."""

    @abstractmethod
    def _log_likelihood(self, member: Any, table: Data, y: npt.NDArray[Any], folds: Any) -> float:
        """Return the cross-validated log likelihood of the targets under a learner."""


def model_posterior(log_evidence: npt.ArrayLike, prior: npt.ArrayLike | None = None) -> Floats:
    """Return P(M_j | data), in proportion to prior times evidence.

    Parameters
    ----------
    log_evidence
        log P(data | M_j) of each model.
    prior
        P(M_j), up to a factor; None for equal ones.

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
    probabilities = weights_of(prior, len(logs), "model_posterior")
    with np.errstate(divide="ignore"):
        logs = logs + np.log(probabilities)
    return np.asarray(np.exp(logs - logsumexp(logs)))


def kept_weights(weights: npt.ArrayLike | None, estimators: Any, owner: str) -> Any:
    """Return the weights of the learners that are not dropped."""
    if weights is None:
        return None
    given = parameter_array(owner, "weights", weights)
    if len(given) != len(estimators):
        raise ParameterError(
            f"{owner}: Number of `estimators` and weights must be equal; got {len(given)} "
            f"weights, {len(estimators)} estimators"
        )
    drop = [isinstance(member, str) for _, member in estimators]
    return given[~np.array(drop)]
