"""Logistic regression that chooses its penalty by cross-validation."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.metrics import check_scoring, log_loss, make_scorer
from sklearn.utils.metadata_routing import MetadataRouter
from sklearn.utils.validation import check_is_fitted

from gramian.base.callbacks import CallbackSupportMixin, Task, print_progress, with_callbacks
from gramian.base.conversions import array_of, parameter_array, translated
from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import (
    KW_ONLY,
    Array,
    Count,
    Function,
    Jobs,
    NonNegative,
    NonNegativeInt,
    Positive,
    Seed,
    check_params,
    params,
)
from gramian.base.folds import Splits, check_splits
from gramian.base.inputs.gate import check_fit
from gramian.base.inputs.targets import Classes, check_labels
from gramian.base.inputs.weights import ClassWeight, check_weights
from gramian.base.kinds import Classifier
from gramian.base.routing import routed, to_splitter
from gramian.base.runtime.threads import threads_for
from gramian.base.scores import score_number
from gramian.base.types import Data, Floats, Table, Weights
from gramian.linear_model.common.class_targets import check_classes
from gramian.linear_model.glm.log_odds import LogOdds
from gramian.linear_model.glm.logistic_regression import LogisticRegression
from gramian.linear_model.glm.solver_choice import SolverName


@params
class LogisticRegressionCV(LogOdds, CallbackSupportMixin, Classifier):
    """Logistic regression with C and l1_ratio chosen by cross-validation.

    On each fold and for each l1_ratio, the solutions for all C are computed from the strongest
    penalty to the weakest, each started from the one before. The pair with the best mean score on
    the held-out rows is chosen, and the model is refitted on all rows.

    Parameters
    ----------
    Cs
        Values of C, or their number: then they are spaced evenly on a log scale from 1e-4 to 1e4.
    l1_ratios
        Fractions of the l1 penalty, in [0, 1]: 0 is the squared penalty, 1 the l1 penalty alone.
    fit_intercept
        Whether to fit a bias b.
    cv
        Number of folds, stratified (None means 5), a splitter, or an iterable of (train, test).
    dual
        Ignored; present for scikit-learn compatibility.
    scoring
        A scorer or its name; None means accuracy.
    solver
        "auto", or the name of a solver; "gradient" and "sgd" are textbook implementations. The
        minimum does not depend on the solver, so scikit-learn's "liblinear", "sag" and "saga" mean
        "auto".
    tol
        Stop when the norm of the mean cost's gradient is at most this.
    max_iter
        Maximum number of solver steps per fit.
    class_weight
        Weights of the classes, {label: weight}, which multiply `sample_weight`; "balanced":
        W / (K W_k), W_k the total weight of class k.
    n_jobs
        Number of threads; the result does not depend on it.
    verbose
        Whether to print a line for each fold.
    refit
        Whether to refit on all rows with the best pair. If False, the coefficients, C and l1_ratio
        of each fold's best pair are averaged.
    intercept_scaling
        Ignored; present for scikit-learn compatibility.
    random_state
        Seed or generator for the random draws of "sgd"; it has no effect on the other solvers.

    Attributes
    ----------
    C_ : float
        The value chosen.
    Cs_ : array (n_cs,)
        The values tried, as given.
    l1_ratio_ : float
        The l1_ratio chosen.
    l1_ratios_ : array (n_ratios,)
        The l1_ratios tried.
    scores_ : array (n_folds, n_ratios, n_cs)
        The scores on the held-out rows.
    coefs_paths_ : array (n_folds, n_ratios, n_cs, 1 or K, d + 1)
        The coefficients along the paths, the bias last (d without one).
    n_iter_ : array (n_folds, n_ratios, n_cs)
        Steps of each fit.

    Examples
    --------
    >>> from gramian import LogisticRegressionCV
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = LogisticRegressionCV(Cs=[0.01, 1.0]).fit(X, y)
    >>> model.C_, model.scores_.shape
    (1.0, (5, 1, 2))
    """

    _: KW_ONLY
    Cs: Count | Array = 10
    l1_ratios: Array = (0.0,)
    fit_intercept: bool = True
    cv: Splits = None
    dual: bool = False
    scoring: str | Function | None = "neg_log_loss"
    solver: SolverName = "auto"
    tol: NonNegative = 1e-4
    max_iter: Count = 100
    class_weight: ClassWeight = None
    n_jobs: Jobs = None
    verbose: bool | NonNegativeInt = 0
    refit: bool = True
    intercept_scaling: Positive = 1.0
    random_state: Seed = None

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` go to the splitter."""
        return to_splitter(self)

    @with_callbacks
    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Choose C and l1_ratio and fit to all rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Labels.
        sample_weight
            Weights >= 0 of the rows; weight k counts as the row repeated k times.
        **params
            Further arguments of the splitter, such as ``groups``; needs scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self
        """
        check_params(self)  # before n_jobs is used
        split_params = routed(self, "fit", params).splitter["split"]
        with threads_for(self.n_jobs):
            return self._choose(X, y, sample_weight, split_params)

    def _choose(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None,
        split_params: Mapping[str, Any],
    ) -> Self:
        table = check_fit(self, X)
        codes, classes = check_labels(self, y, table.shape[0])
        weights = check_weights(self, sample_weight, table.shape[0])
        grid, ratios = self._grid(), self._ratios()
        mass = np.bincount(codes, weights, len(classes)).astype(float)
        check_classes("LogisticRegressionCV", classes, mass)
        labels = classes[codes]
        owner = type(self).__name__
        folds = check_splits(
            owner,
            self.cv,
            table,
            labels,
            classifier=True,
            split_params=split_params,
            weights=weights,
        )
        task = Task.of(self, steps=len(folds), X=X, y=y)
        paths = []
        for number, (train, test) in enumerate(folds):
            self._check_fold(number, labels[train], classes)
            along = [
                self._path(grid, ratio, table, labels, weights, train, test) for ratio in ratios
            ]
            paths.append([np.stack(part) for part in zip(*along, strict=True)])
            print_progress(self, f"fold {number + 1} of {len(folds)}")
            task.part("fold", steps=None).done(dict)  # there is no model to score yet
        scores, coefs, steps = (np.stack(part) for part in zip(*paths, strict=True))
        self.Cs_, self.l1_ratios_, self.classes_ = grid, ratios, classes
        self.scores_, self.coefs_paths_, self.n_iter_ = scores, coefs, steps
        if self.refit:
            which, at = np.unravel_index(scores.mean(axis=0).argmax(), scores.shape[1:])
            self.C_, self.l1_ratio_ = float(grid[at]), float(ratios[which])
            model = self._model(self.C_, self.l1_ratio_).fit(table, labels, sample_weight=weights)
            self.coef_, self.intercept_ = model.coef_, model.intercept_
        else:
            own: npt.NDArray[np.intp] = scores.reshape(len(folds), -1).argmax(axis=1)
            at_ratio, places = np.unravel_index(own, scores.shape[1:])
            self.C_, self.l1_ratio_ = float(grid[places].mean()), float(ratios[at_ratio].mean())
            W = coefs[np.arange(len(folds)), at_ratio, places].mean(axis=0).astype(table.dtype)
            d = table.shape[1]
            self.coef_ = np.ascontiguousarray(W[:, :d])
            self.intercept_ = W[:, d] if self.fit_intercept else np.zeros(len(W), table.dtype)
        task.done(dict)
        return self

    def score(
        self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None
    ) -> float:
        """Return the score of the model by `scoring`."""
        check_is_fitted(self)
        if self.scoring is None:
            return float(super().score(X, y, sample_weight))
        weighted = {} if sample_weight is None else {"sample_weight": sample_weight}
        if array_of("LogisticRegressionCV", "y", y).ndim != 1:
            raise DataError("LogisticRegressionCV: y must contain one label per row of X.")
        scorer = self._scorer(self.classes_)
        found = translated("LogisticRegressionCV", "y", lambda: scorer(self, X, y, **weighted))
        return score_number("LogisticRegressionCV", "scoring", found)

    def _grid(self) -> Floats:
        if isinstance(self.Cs, int | np.integer):
            return np.logspace(-4, 4, int(self.Cs))
        grid = parameter_array("LogisticRegressionCV", "Cs", self.Cs)
        if grid.ndim != 1 or len(grid) == 0 or not (grid > 0).all():
            raise ParameterError(
                f"LogisticRegressionCV: Cs must be positive numbers; got {self.Cs!r}."
            )
        return grid

    def _ratios(self) -> Floats:
        ratios = parameter_array("LogisticRegressionCV", "l1_ratios", self.l1_ratios)
        if ratios.ndim != 1 or len(ratios) == 0 or not ((ratios >= 0) & (ratios <= 1)).all():
            raise ParameterError(
                f"LogisticRegressionCV: l1_ratios must be numbers in [0, 1]; got "
                f"{self.l1_ratios!r}."
            )
        return ratios

    def _scorer(self, classes: Classes) -> Any:
        """Return the scorer; log loss gets all classes, because a fold may lack some."""
        if self.scoring == "neg_log_loss":
            return make_scorer(
                log_loss, greater_is_better=False, response_method="predict_proba", labels=classes
            )
        return check_scoring(self._model(1.0, 0.0), self.scoring)

    def _check_fold(self, number: int, labels: Classes, classes: Classes) -> None:
        missing = np.setdiff1d(classes, labels)
        if len(missing):
            raise DataError(
                f"LogisticRegressionCV: the training rows of fold {number} lack the class "
                f"{missing[0]!r}; use fewer or stratified folds, or add rows of that class."
            )

    def _model(self, C: float, l1_ratio: float) -> LogisticRegression:
        return LogisticRegression(
            C=C,
            l1_ratio=l1_ratio,
            fit_intercept=self.fit_intercept,
            solver=self.solver,
            tol=self.tol,
            max_iter=self.max_iter,
            class_weight=self.class_weight,
            random_state=self.random_state,
            warm_start=True,
        )

    def _path(
        self,
        grid: Floats,
        l1_ratio: float,
        table: Data,
        labels: Classes,
        weights: Weights | None,
        train: npt.NDArray[np.intp],
        test: npt.NDArray[np.intp],
    ) -> tuple[Floats, Floats, npt.NDArray[np.int32]]:
        """Fit every C on one fold; return scores, coefficients and steps."""
        scorer = self._scorer(np.unique(labels))
        train_weights = None if weights is None else weights[train]
        test_weights = {} if weights is None else {"sample_weight": weights[test]}
        X, y = table[train], labels[train]
        model = self._model(1.0, float(l1_ratio))
        scores, steps = np.empty(len(grid)), np.empty(len(grid), dtype=np.int32)
        coefs: dict[int, Floats] = {}
        for at in np.argsort(grid, kind="stable"):
            model.set_params(C=float(grid[at])).fit(X, y, sample_weight=train_weights)
            found = scorer(model, table[test], labels[test], **test_weights)
            scores[at] = score_number("LogisticRegressionCV", "scoring", found)
            bias = model.intercept_[:, None] if self.fit_intercept else model.coef_[:, :0]
            coefs[int(at)] = np.concatenate([model.coef_, bias], axis=1).astype(float)
            steps[at] = model.n_iter_[0]
        return scores, np.stack([coefs[at] for at in range(len(grid))]), steps
