"""Naive Bayes with a separate distribution for every column."""

from numbers import Integral
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np
import numpy.typing as npt

from gramian.base.errors import DataError, ParameterError
from gramian.base.fields import KW_ONLY, Array, Instance, Interval, NonNegative, Positive, params
from gramian.base.inputs.categorical import Categories, check_fit_columns, check_new_columns
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.label_batches import batch_codes, batch_weights
from gramian.base.inputs.targets import Codes
from gramian.base.kinds import Classifier
from gramian.base.rows.class_scores import (
    ClassScorer,
    GenerativePrediction,
    JointScorer,
    check_priors,
)
from gramian.base.types import Data, Floats, Table
from gramian.naive_bayes.column_models import (
    Column,
    ColumnKind,
    ColumnModel,
    bernoulli,
    categorical,
    check_support,
    gaussian,
    histogram,
    kernel,
    log_density,
    poisson,
)

_BLOCK_ROWS = 1 << 14  # rows whose scores are summed together
_DISTRIBUTIONS = ("gaussian", "bernoulli", "categorical", "poisson", "kernel", "histogram")
PerColumn = Annotated[Any, Instance((dict, list, tuple, np.ndarray), "a dict or a list of names")]


@params
class MixedNB(GenerativePrediction, Classifier):
    """Naive Bayes with a separate distribution for every column, and missing values.

    The columns are assumed to be independent given the class,

        log P(C_k | x) = log P(C_k) + sum over the columns present of log p_j(x_j | C_k) + constant.

    Categorical columns need no encoding; missing values and unseen categories do not affect the
    class probabilities. See `correlated_features` for columns that are not independent, whose
    evidence counts twice.

    Parameters
    ----------
    distributions
        "auto": "categorical" for categorical columns, "gaussian" for numeric ones; one name for all
        numeric columns; a list with a name per column; or a dict from column names or indices to
        names, with "auto" for other columns. Names: "gaussian", "bernoulli" (0 and 1),
        "categorical", "poisson" (counts), "kernel" (Gaussian kernels on the values), "histogram".
    categorical_features
        The categorical columns: "from_dtype", None, or indices, names or a mask of columns.
    alpha
        Pseudo-count of categories, binary values, bins and events; 0 is maximum likelihood.
    var_smoothing
        Fraction of the largest variance of the Gaussian columns that is added to their variances.
    bins
        Number of bins of a histogram.
    bandwidth
        Bandwidth of kernels: a number, or "scott": standard deviation of the class times n^(-1/5),
        n the sum of its weights.
    priors
        Class probabilities, which sum to 1; None means the proportions in the training data.

    Attributes
    ----------
    classes_ : array (K,)
        The labels, sorted.
    class_prior_ : array (K,)
        The prior probabilities.
    class_count_ : array (K,)
        The weight of the training rows of each class.
    distributions_ : list of d strings
        The distribution of each column.
    columns_ : list of d dicts
        The parameters of each column, one entry or row per class; None for a column without values.
    categories_ : list
        The levels of each categorical column, None for the others.

    Examples
    --------
    >>> from gramian import MixedNB
    >>> X = [[1.0, "red"], [1.2, "red"], [3.0, "blue"], [3.4, None]]
    >>> model = MixedNB().fit(X, ["a", "a", "b", "b"])
    >>> model.distributions_, model.predict([[None, "blue"], [1.1, None]]).tolist()
    (['gaussian', 'categorical'], ['b', 'a'])
    """

    parametric = True
    takes_nan: ClassVar[bool] = True
    takes_categories: ClassVar[bool] = True

    distributions: (
        Literal["auto", "gaussian", "bernoulli", "categorical", "poisson", "kernel", "histogram"]
        | PerColumn
    ) = "auto"
    _: KW_ONLY
    categorical_features: Literal["from_dtype"] | Array | None = "from_dtype"
    alpha: NonNegative = 1.0
    var_smoothing: NonNegative = 1e-9
    bins: Annotated[int, Interval(Integral, 1, 10**6)] = 10
    bandwidth: Positive | Literal["scott"] = "scott"
    priors: Array | None = None

    def fit(self, X: Table, y: npt.ArrayLike, sample_weight: npt.ArrayLike | None = None) -> Self:
        """Fit to labelled rows.

        Parameters
        ----------
        X
            Array or frame (n, d); categories and missing values are allowed.
        y
            Labels.
        sample_weight
            Weights >= 0; weight 2 counts as the row repeated twice.

        Returns
        -------
        self
        """
        table, categories = check_fit_columns(self, X, self.categorical_features)
        codes, classes = batch_codes(self, y, table.shape[0], None)
        row_weights = batch_weights(self, sample_weight, table, first=True)
        check_size(self, "X", table)
        weights = np.ones(len(codes)) if row_weights is None else row_weights
        kinds = self._column_distributions(categories)
        K = len(classes)
        counts = np.bincount(codes, weights, K)
        priors = counts / counts.sum()
        if self.priors is not None:
            priors = check_priors("MixedNB", "priors", self.priors, K, sum_one=True)
        epsilon = self._epsilon(table, kinds, weights)
        columns = [
            self._column(j, kind, table, codes, weights, K, categories[j], epsilon)
            for j, kind in enumerate(kinds)
        ]
        self.classes_ = classes
        self.class_count_, self.class_prior_ = counts, priors
        self.categories_, self.distributions_, self.columns_ = categories, kinds, columns
        return self

    def _column_distributions(self, categories: Categories) -> list[ColumnKind]:
        """Return the name of the distribution of each column."""
        d, wanted = len(categories), self.distributions
        auto = "gaussian" if isinstance(wanted, dict) or wanted == "auto" else wanted
        if isinstance(auto, str):
            kinds = [auto if levels is None else "categorical" for levels in categories]
        else:
            kinds = [str(kind) for kind in auto]
            if len(kinds) != d:
                raise ParameterError(
                    f"MixedNB: distributions must have one name for each of the {d} columns; got "
                    f"{len(kinds)}."
                )
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        if isinstance(wanted, dict):
            for column, kind in wanted.items():
                j = names.index(column) if column in names else column
                if not isinstance(j, int) or not 0 <= j < d:
                    raise ParameterError(
                        f"MixedNB: distributions contains the column {column!r}, which X does not "
                        f"have; it has {names or f'the columns 0 to {d - 1}'}."
                    )
                kinds[j] = kind
        for j, (kind, levels) in enumerate(zip(kinds, categories, strict=True)):
            if kind not in _DISTRIBUTIONS or (levels is not None and kind != "categorical"):
                column = repr(names[j]) if names else str(j)
                holds = (
                    f"one of {', '.join(_DISTRIBUTIONS)}"
                    if levels is None
                    else "'categorical', because it contains categories"
                )
                raise ParameterError(
                    f"MixedNB: the distribution of column {column} must be {holds}; got {kind!r}."
                )
        return kinds  # type: ignore[return-value]

    def _epsilon(self, table: Data, kinds: list[ColumnKind], weights: Floats) -> float:
        """Return the value added to the variances of Gaussian columns."""
        largest = 0.0
        for j, kind in enumerate(kinds):
            present = ~np.isnan(table[:, j]) & (weights > 0)
            if kind == "gaussian" and present.any():
                x, w = table[present, j].astype(np.float64), weights[present]
                centre = np.average(x, weights=w)
                largest = max(largest, float(np.average((x - centre) ** 2, weights=w)))
        return float(self.var_smoothing * largest)

    def _column(
        self,
        j: int,
        kind: ColumnKind,
        table: Data,
        codes: Codes,
        weights: Floats,
        n_classes: int,
        levels: Any,
        epsilon: float,
    ) -> ColumnModel | None:
        column = Column(f"column {j} of X", table[:, j], codes, weights, n_classes)
        if not len(column.values):
            return None
        match kind:
            case "gaussian":
                return gaussian(column, epsilon)
            case "bernoulli":
                return bernoulli(column, self.alpha)
            case "categorical":
                seen = int(column.values.max()) + 1 if levels is None else len(levels)
                return categorical(column, self.alpha, max(1, seen))
            case "poisson":
                return poisson(column, self.alpha)
            case "histogram":
                return histogram(column, self.alpha, self.bins)
        return kernel(column, self.bandwidth)

    def _check_new(self, X: Table) -> Data:
        return check_new_columns(self, X, self.categories_)

    def _scorer(self, sparse: bool) -> ClassScorer:
        with np.errstate(divide="ignore"):
            return _ColumnScorer(np.log(self.class_prior_), self.columns_)

    def _check_loaded(self) -> None:
        K = len(self.classes_)
        sizes: dict[str, Literal["means", "p", "rates", "densities", "widths"]] = {
            "gaussian": "means",
            "bernoulli": "p",
            "categorical": "p",
            "poisson": "rates",
            "histogram": "densities",
            "kernel": "widths",
        }
        for model in self.columns_:
            if model is None:
                continue
            kind = model.get("kind")
            if kind not in sizes or len(model[sizes[kind]]) != K:
                raise DataError("MixedNB: columns_ must have parameters for each class.")
            if kind == "kernel" and (
                len(model["starts"]) != K + 1 or model["starts"][-1] != len(model["points"])
            ):
                raise DataError("MixedNB: the points of a column must match the classes.")
        if len(self.columns_) != self.n_features_in_:
            raise DataError("MixedNB: columns_ must have one entry per column.")


class _ColumnScorer(JointScorer):
    def __init__(self, log_prior: Floats, columns: list[ColumnModel | None]) -> None:
        self.log_prior, self.columns = log_prior, columns

    def joint(self, table: Data) -> Floats:
        """Return the scores, (n, K)."""
        K = len(self.log_prior)
        for j, model in enumerate(self.columns):
            # Unseen categories are allowed.
            if model is not None and model["kind"] != "categorical":
                check_support(model["kind"], f"column {j} of X", table[:, j])
        scores = np.tile(self.log_prior, (table.shape[0], 1))
        for first in range(0, len(scores), _BLOCK_ROWS):
            part = slice(first, first + _BLOCK_ROWS)
            for j, model in enumerate(self.columns):
                if model is not None:
                    scores[part] += log_density(model, table[part, j], K)
        return scores
