"""Ridge regression that chooses its penalty by exact cross-validation."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils.metadata_routing import MetadataRouter

from gramian.base.errors import DataError, ParameterError, caller_level
from gramian.base.fields import KW_ONLY, params
from gramian.base.folds import check_splits
from gramian.base.inputs.gate import check_fit, check_size, numbers_of
from gramian.base.inputs.targets import check_targets, unit_exponent
from gramian.base.inputs.weights import check_weights
from gramian.base.kinds import Estimator, Regressor
from gramian.base.routing import routed, to_splitter
from gramian.base.rows.chunks import GivenChunk
from gramian.base.rows.moments import Rows, Vector
from gramian.base.rows.parts import Parts
from gramian.base.types import Data, Matrix, Table, Weights
from gramian.linear_model.common.linear_prediction import LinearPrediction
from gramian.linear_model.ridge.leave_one_out import (
    fold_models,
    leave_one_out,
    leave_one_out_by_columns,
)
from gramian.linear_model.ridge.ridge_base import RidgeBaseCV
from gramian.linear_model.ridge.ridge_problem import RidgeProblem
from gramian.linear_model.ridge.scoring import score_regression
from gramian.linear_model.ridge.tikhonov import tikhonov

_Exponents: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.intc]]

_MAX_SQUARE_EXPONENT = 500  # squares beyond 2^500 or below 2^-500 overflow or underflow
_NO_ARGUMENTS: Mapping[str, Any] = {}
_SCALE_FREE = (None, "r2", "explained_variance")  # the same for y and for y * 2^k


@params(first=("fit_intercept", "scoring", "cv", "gcv_mode"))
class RidgeCV(RidgeBaseCV, LinearPrediction, Regressor):
    """Ridge regression with alpha chosen by exact cross-validation.

    Leave-one-out needs no refitting: the residual of a left-out row is e_i / (1 - h_i), and one
    eigendecomposition gives the leverages h_i for every alpha (Golub, Heath and Wahba 1979). Folds
    need one eigendecomposition each. Costs O(n d (d + alphas)), or O(n^2 (n + d)) with fewer rows
    than columns. Leaving out a row removes its whole weight.

    Parameters
    ----------
    scoring
        Scorer for the predictions of left-out rows; None uses the mean squared error
        (leave-one-out) or R^2 (folds), as in scikit-learn.
    gcv_mode
        Ignored; present for scikit-learn compatibility.
    store_cv_results
        Whether to store the squared errors of left-out rows (their predictions, with
        `scoring`) for each alpha.
    alpha_per_target
        Whether to choose alpha separately for each target.

    Attributes
    ----------
    alpha_
        The best alpha, or one per target.
    best_score_
        Its score, or one per target; infinite or 0 if squares of y overflow or underflow (1e200,
        1e-200).
    cv_results_
        Array (n, alphas) or (n, targets, alphas), if stored.
    coef_
        Array (d,) or (targets, d).
    intercept_
        A number or one per target.

    Examples
    --------
    >>> from gramian import RidgeCV
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> RidgeCV(alphas=(0.01, 1.0, 100.0)).fit(X, [0.1, 0.9, 2.2, 2.8]).alpha_
    0.01
    """

    _: KW_ONLY
    gcv_mode: Literal["auto", "svd", "eigen"] | None = None
    alpha_per_target: bool = False

    def get_metadata_routing(self) -> MetadataRouter:
        """Return which arguments of `fit` go to the splitter."""
        return to_splitter(self)

    def fit(
        self,
        X: Table,
        y: npt.ArrayLike,
        sample_weight: npt.ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Choose alpha and fit to all rows.

        Parameters
        ----------
        X
            Array or CSR matrix (n, d).
        y
            Targets, (n,) or (n, targets).
        sample_weight
            Weights >= 0 of the rows.
        **params
            Further arguments of the splitter, such as ``groups``; needs scikit-learn's
            ``enable_metadata_routing=True``.

        Returns
        -------
        self
        """
        table = check_fit(self, X)
        targets = check_targets(self, y, table.shape[0], columns=True)
        weights = check_weights(self, sample_weight, table.shape[0])
        if self.gcv_mode == "svd" and sp.issparse(table):
            warnings.warn(
                "RidgeCV: The 'svd' mode is not supported for sparse X, and scikit-learn 1.11 will "
                "raise an error; set gcv_mode='auto', which gives the same.",
                FutureWarning,
                stacklevel=caller_level(),
            )
        split_params = routed(self, "fit", params).splitter["split"]
        search = choose_alpha(
            self,
            table,
            targets,
            weights,
            score_predictions=score_regression,
            split_params=split_params,
        )
        one_target = targets.ndim == 1
        self.alpha_, self.best_score_ = search.alpha, search.score
        if self.store_cv_results and search.results is not None:
            kept = search.results
            self.cv_results_ = (kept[:, 0] if one_target else kept).astype(table.dtype)
        self._set_model(search.model[:, :-1], search.model[:, -1], table.dtype, one_target)
        return self

    def fit_chunks(self, chunks: Iterable[GivenChunk] | Parts) -> Self:
        """Choose alpha by leave-one-out and fit, on rows in chunks.

        Parameters
        ----------
        chunks
            An iterable of (X, y) or (X, y, sample_weight) that can be iterated again, for
            example `gramian.scale.chunks` of a file. Two passes suffice for all alphas.

        Returns
        -------
        self

        Examples
        --------
        >>> from gramian import RidgeCV
        >>> chunks = [([[0.0], [1.0]], [0.1, 0.9]), ([[2.0], [3.0]], [2.2, 2.8])]
        >>> RidgeCV(alphas=(0.01, 1.0, 100.0)).fit_chunks(chunks).alpha_
        0.01
        """
        rows, dtype, one_target = self._check_chunks(chunks)
        if self.cv is not None or self.scoring is not None or self.store_cv_results:
            raise ParameterError(
                "RidgeCV: fit_chunks supports leave-one-out only: cv=None, scoring=None and "
                "store_cv_results=False; for other settings use fit, in memory."
            )
        alphas = _check_alphas("RidgeCV", self.alphas)
        fits = bool(self.fit_intercept)
        out, n = leave_one_out_by_columns(rows, alphas, fit_intercept=fits, keep_errors=False)
        score = -out.squares / n  # (m, alphas)
        per_target = bool(self.alpha_per_target) and rows.n_targets > 1
        score = score if per_target else score.mean(axis=0, keepdims=True)
        best: npt.NDArray[np.intp] = score.argmax(axis=1)
        chosen = np.broadcast_to(alphas[best], (rows.n_targets,)).copy()
        model = out.models[np.broadcast_to(best, (rows.n_targets,)), range(rows.n_targets)]
        if not out.accurate[best].all():
            model = tikhonov(rows, RidgeProblem(chosen, None, fits, False), solver="cholesky").model
        scores = score[np.arange(len(score)), best]
        self.alpha_ = chosen if per_target else float(chosen[0])
        self.best_score_ = scores if per_target else float(scores[0])
        self._set_model(model[:, :-1], model[:, -1], dtype, one_target)
        return self


class RidgeSearch(NamedTuple):
    """The chosen alpha, its score, the model fitted to all rows and the leave-one-out results."""

    alpha: Vector | float
    score: Matrix | float
    model: Matrix
    results: Matrix | None


def choose_alpha(
    model: Estimator,
    X: Data,
    y: Matrix,
    w: Weights | None,
    *,
    score_predictions: Callable[..., float | Matrix],
    targets: Matrix | None = None,
    split_params: Mapping[str, Any] = _NO_ARGUMENTS,
) -> RidgeSearch:
    """Choose alpha for a ridge model with the fields alphas, scoring, cv and so on.

    `targets` are the numeric targets if they are not y itself (a classifier's signs);
    `score_predictions` scores predictions (n, m) or (n,) against y; `split_params` are arguments of
    the splitter. y is scaled by a power of two, which causes no rounding, if its squares could
    overflow or underflow.
    """
    check_size(model, "X", X, 1e307)
    check_size(model, "sample_weight", w, 1e100)
    name = type(model).__name__
    alphas = _check_alphas(name, model.alphas)
    Y = y if targets is None else targets
    table = np.ascontiguousarray(Y.reshape(len(Y), -1), dtype=np.float64)
    per_target = bool(getattr(model, "alpha_per_target", False)) and table.shape[1] > 1
    fit_intercept = bool(model.fit_intercept)
    unit = _unit(table, per_target)  # of each target, or of all
    table = np.ldexp(table, -unit)
    scored, prediction_unit = (
        y,
        unit,
    )  # the targets given to a scorer, and the unit of its predictions
    if unit.any() and model.scoring in _SCALE_FREE:
        scored, prediction_unit = (table if y.ndim == 2 else table[:, 0]), 0 * unit
    if model.cv is not None:
        if model.store_cv_results or per_target:
            raise ParameterError(
                f"{name}: store_cv_results and alpha_per_target need cv=None, leave-one-out; "
                f"got cv={model.cv!r}. cv!=None and store_cv_results=True are incompatible."
            )
        classifier = targets is not None
        splits = check_splits(
            name, model.cv, X, y, classifier=classifier, split_params=split_params, weights=w
        )
        scores = np.zeros(len(alphas))
        models = fold_models(X, table, w, alphas, splits, fit_intercept=fit_intercept)
        for (_, test), fitted in zip(splits, models, strict=True):
            for a, predicted in enumerate(_predictions(X[test], fitted, prediction_unit, Y.ndim)):
                scores[a] += score_predictions(
                    model.scoring, predicted, scored[test], _subset(w, test), "r2"
                ) / len(splits)
        _check_scores(model, scores[None], unit)
        best = int(np.argmax(scores))
        chosen = _fit_alpha(X, table, w, np.full(table.shape[1], alphas[best]), fit_intercept)
        chosen = _scale_by_powers(chosen, unit[:, None])
        return RidgeSearch(float(alphas[best]), float(scores[best]), chosen, None)

    keep = model.scoring is not None or bool(model.store_cv_results)
    out = leave_one_out(X, table, w, alphas, fit_intercept=fit_intercept, keep_errors=keep)
    results = None
    if model.scoring is None:
        score = -out.squares / len(Y)  # (m, alphas)
        if not per_target:
            score = score.mean(axis=0, keepdims=True)
        if out.errors is not None:
            squares = np.square(out.errors) * (1 if w is None else w[:, None, None])
            results = _scale_by_powers(squares, 2 * unit[:, None])
    else:
        assert out.errors is not None
        predictions = table[:, :, None] - out.errors
        results, left_out = (
            _scale_by_powers(predictions, u[:, None]) for u in (unit, prediction_unit)
        )
        columns = range(table.shape[1]) if per_target else [None]
        score = np.array(
            [
                [
                    score_predictions(
                        model.scoring, *_columns(left_out[:, :, a], scored, t), w, "r2"
                    )
                    for a in range(len(alphas))
                ]
                for t in columns
            ]
        )
    _check_scores(model, score, unit)
    best_of: npt.NDArray[np.intp] = score.argmax(axis=1)
    chosen_alphas = np.broadcast_to(alphas[best_of], (table.shape[1],)).copy()
    if out.accurate[best_of].all():
        fitted_model = out.models[
            np.broadcast_to(best_of, (table.shape[1],)), range(table.shape[1])
        ]
    else:
        fitted_model = _fit_alpha(X, table, w, chosen_alphas, fit_intercept)
    fitted_model = _scale_by_powers(fitted_model, unit[:, None])
    best_score = score[np.arange(len(score)), best_of]
    if model.scoring is None:
        best_score = _scale_by_powers(best_score, 2 * unit[: len(score)])
    if per_target:
        return RidgeSearch(chosen_alphas, best_score, fitted_model, results)
    return RidgeSearch(float(alphas[best_of[0]]), float(best_score[0]), fitted_model, results)


def _unit(Y: Matrix, per_target: bool) -> _Exponents:
    """Return the binary exponent of the largest target, per column; 0 for ordinary sizes."""
    size: Matrix = np.abs(Y).max(axis=0, initial=0.0)
    return unit_exponent(size if per_target else np.full_like(size, size.max()))


def _scale_by_powers(values: Matrix, exponent: _Exponents) -> Matrix:
    if not exponent.any():
        return values
    # `check_model` refuses an infinite model; infinite scores stay.
    with np.errstate(over="ignore"):
        return np.asarray(np.ldexp(values, exponent))


def _check_scores(model: Estimator, scores: Matrix, unit: _Exponents) -> None:
    """Raise if scores (.., alphas) do not distinguish the alphas: y is too large or too small."""
    if model.scoring in _SCALE_FREE or np.abs(unit).max() < _MAX_SQUARE_EXPONENT:
        return
    same = scores.shape[1] > 1 and np.any(scores.max(axis=1) == scores.min(axis=1))
    if same or not np.isfinite(scores).all():
        raise DataError(
            f"{type(model).__name__}: y must have a scale at which scores are finite and differ; "
            f"got {scores[0, 0]:g} from scoring={model.scoring!r} for the first of alphas. Divide "
            "y by a constant, and multiply predictions by it."
        )


def _subset(w: Weights | None, rows: Matrix) -> Weights | None:
    return None if w is None else w[rows]


def _columns(predicted: Matrix, y: Matrix, target: int | None) -> tuple[Matrix, Matrix]:
    if target is not None:
        return predicted[:, target], y[:, target]
    return (predicted if y.ndim == 2 else predicted.squeeze()), y


def _predictions(X: Data, models: Matrix, unit: _Exponents, ndim: int) -> list[Matrix]:
    predicted = [_scale_by_powers(X @ model[:, :-1].T + model[:, -1], unit) for model in models]
    return [p[:, 0] if ndim == 1 else p for p in predicted]


def _fit_alpha(X: Data, Y: Matrix, w: Weights | None, alpha: Vector, fit_intercept: bool) -> Matrix:
    problem = RidgeProblem(alpha, None, fit_intercept, False)
    return tikhonov(Rows.of(X, Y, w), problem, solver="cholesky").model


def _check_alphas(owner: str, alphas: npt.ArrayLike) -> Vector:
    values = numbers_of(f"{owner}: alphas", alphas)
    if not len(values) or not np.all(values > 0) or not np.all(np.isfinite(values)):
        raise ParameterError(
            f"{owner}: alphas must contain finite numbers > 0; got {alphas!r}. "
            "Use LinearRegression for no penalty."
        )
    return values
