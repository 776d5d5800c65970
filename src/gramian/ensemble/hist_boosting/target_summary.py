"""The first pass over rows on several workers: summarise targets, weights and categories."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from gramian.base.errors import DataError, ParameterError
from gramian.base.inputs.categorical import Categories, coded_numbers
from gramian.base.inputs.gate import check_size
from gramian.base.inputs.targets import check_labels
from gramian.base.inputs.weights import class_weights
from gramian.base.kinds import Estimator
from gramian.base.rows.chunks import Chunk, Chunks
from gramian.base.rows.exact_sum import ExactSum
from gramian.base.types import Floats
from gramian.ensemble.common.boosting_loss import MAX_WEIGHT, NativeLoss
from gramian.ensemble.common.units import in_units, scale_exponent
from gramian.ensemble.hist_boosting.boosting_rows import Rows, drop_zero_weights

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


class TargetSummary(NamedTuple):
    """Summary of targets, weights and categories."""

    counts: list[
        dict[Any, int]
    ]  # per part: rows of positive weight of each label (None: regression)
    weights: dict[Any, ExactSum]  # total weight of each label
    low: float  # smallest and largest y of positive weight
    high: float
    max_weight: float
    weighted: bool
    levels: list[dict[float, int]]  # per categorical column: rows of each value


def summarize_targets(chunks: Chunks, categorical: npt.NDArray[np.bool_]) -> TargetSummary:
    """Summarise all chunks; `chosen` marks the categorical columns."""
    return chunks.total(partial(_summarize_part, categorical), _merge)


def _summarize_part(categorical: npt.NDArray[np.bool_], chunks: Chunks) -> TargetSummary:
    summary = TargetSummary([{}], {}, np.inf, -np.inf, 0.0, False, [{} for _ in categorical])
    for chunk in chunks:
        summary = _merge(
            summary, _summarize_chunk(chunks.estimator, categorical, chunk), one_part=True
        )
    return summary


def _summarize_chunk(
    model: Estimator, categorical: npt.NDArray[np.bool_], chunk: Chunk
) -> TargetSummary:
    X, y, sample_weight = chunk
    n = X.shape[0]
    if y is None:
        raise DataError(
            f"{type(model).__name__}: chunks must have targets; got X without y. Pass (X, y)."
        )
    weights = np.ones(n) if sample_weight is None else sample_weight
    counts: dict[Any, int] = {None: int((weights > 0).sum())}
    sums: dict[Any, ExactSum] = {}
    low = high = 0.0
    if is_classifier(model):
        codes, labels = check_labels(model, y, n)
        label_list: list[object] = labels.tolist()
        row_counts = np.bincount(codes[weights > 0], minlength=len(label_list))
        counts = dict(zip(label_list, row_counts.tolist(), strict=True))
        sums = {name: ExactSum.of(weights[codes == k]) for k, name in enumerate(label_list)}
    else:
        values: Floats = model._encode(y, n)[weights > 0]
        low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    levels: list[dict[float, int]] = [{} for _ in categorical]
    for j in np.flatnonzero(categorical):
        column = X[:, j]
        values, inverse = np.unique(column[~np.isnan(column)], return_inverse=True)
        row_counts = np.bincount(
            inverse, weights=weights[~np.isnan(column)] > 0, minlength=len(values)
        )
        levels[j] = dict(zip(values.tolist(), row_counts.astype(int).tolist(), strict=True))
    max_weight = 0.0 if sample_weight is None else float(sample_weight.max())
    return TargetSummary(
        [counts], sums, float(low), float(high), max_weight, sample_weight is not None, levels
    )


def _merge(left: TargetSummary, right: TargetSummary, one_part: bool = False) -> TargetSummary:
    counts = [*left.counts, *right.counts]
    if one_part:
        counts = [_add_counts(left.counts[0], right.counts[0])]
    return TargetSummary(
        counts,
        _add_counts(left.weights, right.weights),
        min(left.low, right.low),
        max(left.high, right.high),
        max(left.max_weight, right.max_weight),
        left.weighted or right.weighted,
        [_add_counts(a, b) for a, b in zip(left.levels, right.levels, strict=True)],
    )


def _add_counts(left: dict[Any, Any], right: dict[Any, Any]) -> dict[Any, Any]:
    total = dict(left)
    for key, value in right.items():
        total[key] = total[key] + value if key in total else value
    return total


@dataclass(frozen=True)
class RowEncoding:
    """Encoding of the rows, based on a summary of all targets and weights."""

    loss: NativeLoss
    classes: npt.NDArray[Any] | None
    class_weight: Floats | None  # class weights, if any
    exponent: int  # y is divided by 2^exponent
    weight_exponent: int  # weights are divided by 2^weight_exponent
    weighted: bool
    categories: Categories
    part_sizes: tuple[int, ...]  # per part, rows of positive weight

    @classmethod
    def of(
        cls, model: "HistGradientBoosting", summary: TargetSummary, categories: Categories
    ) -> "RowEncoding":
        """Check the summary, and set the classes of the model."""
        owner = type(model).__name__
        weight_exponent = 0
        ordinary = 1 / MAX_WEIGHT < summary.max_weight < MAX_WEIGHT
        if summary.weighted and model.l2_regularization == 0 and not ordinary:
            weight_exponent = int(np.frexp(summary.max_weight)[1])
        check_size(
            model, "sample_weight", np.ldexp([summary.max_weight], -weight_exponent), MAX_WEIGHT
        )
        classes = class_weight = None
        extremes = np.array([summary.low, summary.high])
        labels: list[Any] = [None]
        if is_classifier(model):
            any_model: Any = model
            classes = np.unique(np.asarray(list(summary.weights)))
            any_model.classes_, labels = classes, classes.tolist()
            extremes = np.array([0.0, len(labels) - 1.0])
            if any_model.class_weight is not None:
                total = np.ldexp(
                    [float(summary.weights[label]) for label in labels], -weight_exponent
                )
                class_weight = class_weights(owner, any_model.class_weight, classes, total)
        loss = model._loss()
        if not isinstance(loss, NativeLoss) or loss.leaf_quantile is not None:
            raise ParameterError(
                f"{owner}: loss={model.loss!r} needs all rows of a leaf in one process, but the "
                "chunks are on several workers; use another loss, or fit on one machine."
            )
        exponent = scale_exponent(extremes, loss, penalised=model.l2_regularization > 0)
        model._check_targets_and_loss(loss, in_units(extremes, exponent))
        count = dict.fromkeys(labels, True)
        if class_weight is not None:
            count = dict(zip(labels, (class_weight > 0).tolist(), strict=True))
        part_sizes = tuple(
            sum(n for label, n in part.items() if count[label]) for part in summary.counts
        )
        weighted = summary.weighted or class_weight is not None
        return cls(
            loss, classes, class_weight, exponent, weight_exponent, weighted, categories, part_sizes
        )

    @property
    def curved(self) -> bool:
        """Whether the curvature differs between rows."""
        return self.weighted or not self.loss.unit_curvature

    def rows(self, model: Estimator, chunk: Chunk) -> Rows:
        """Return the rows of a chunk with positive weight; categories and targets are encoded."""
        X, y, weights = chunk
        n = X.shape[0]
        if self.classes is None:
            values = in_units(model._encode(y, n), self.exponent)
        else:
            codes, labels = check_labels(model, y, n)
            values = np.searchsorted(self.classes, labels)[codes].astype(np.float64)
        if self.weighted:
            weights = np.ones(n) if weights is None else weights
            if self.weight_exponent:
                weights = np.ldexp(weights, -self.weight_exponent)
            if self.class_weight is not None:
                weights = self.class_weight[values.astype(np.intp)] * weights
        return drop_zero_weights(Rows(coded_numbers(X, self.categories), values, weights))
