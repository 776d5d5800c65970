"""The first pass over rows in several places: what must be known of targets and weights."""

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from gramian.base.categorical import Categories, coded_numbers
from gramian.base.errors import DataError, ParameterError
from gramian.base.gate import check_size
from gramian.base.rows.chunks import Chunk, Chunks
from gramian.base.rows.exact_sum import ExactSum
from gramian.base.targets import check_labels
from gramian.base.types import Floats
from gramian.base.weights import class_weights
from gramian.ensemble.common.boosting_loss import HEAVIEST, NativeLoss
from gramian.ensemble.common.units import exponent_of, in_units
from gramian.ensemble.hist_boosting.boosting_rows import Rows, counting

if TYPE_CHECKING:
    from gramian.ensemble.hist_boosting.hist_base import HistGradientBoosting


class Seen(NamedTuple):
    """What a pass over targets and weights has seen."""

    counts: list[dict[Any, int]]  # per part: rows of positive weight of each label (None: numbers)
    weights: dict[Any, ExactSum]  # of each label
    low: float  # the least and largest y of positive weight
    high: float
    heaviest: float
    weighted: bool
    levels: list[dict[float, int]]  # per column of categories: rows of each value


def look(gate: Chunks, chosen: npt.NDArray[np.bool_]) -> Seen:
    """Make the pass; `chosen` are the columns of categories."""
    return gate.total(partial(_look, chosen), _both)


def _look(chosen: npt.NDArray[np.bool_], gate: Chunks) -> Seen:
    found = Seen([{}], {}, np.inf, -np.inf, 0.0, False, [{} for _ in chosen])
    for chunk in gate:
        found = _both(found, _of_chunk(gate.estimator, chosen, chunk), one_part=True)
    return found


def _of_chunk(model: Any, chosen: npt.NDArray[np.bool_], chunk: Chunk) -> Seen:
    X, y, given = chunk
    n = X.shape[0]
    if y is None:
        raise DataError(f"{type(model).__name__}: chunks need targets; give (X, y).")
    weights = np.ones(n) if given is None else given
    counts: dict[Any, int] = {None: int((weights > 0).sum())}
    sums: dict[Any, ExactSum] = {}
    low = high = 0.0
    if is_classifier(model):
        codes, labels = check_labels(model, y, n)
        names = labels.tolist()
        number = np.bincount(codes[weights > 0], minlength=len(names))
        counts = dict(zip(names, number.tolist(), strict=True))
        sums = {name: ExactSum.of(weights[codes == k]) for k, name in enumerate(names)}
    else:
        values = model._encode(y, n)[weights > 0]
        low, high = values.min(initial=np.inf), values.max(initial=-np.inf)
    levels: list[dict[float, int]] = [{} for _ in chosen]
    for j in np.flatnonzero(chosen):
        column = X[:, j]
        values, place = np.unique(column[~np.isnan(column)], return_inverse=True)
        number = np.bincount(place, weights=weights[~np.isnan(column)] > 0, minlength=len(values))
        levels[j] = dict(zip(values.tolist(), number.astype(int).tolist(), strict=True))
    heaviest = 0.0 if given is None else float(given.max())
    return Seen([counts], sums, float(low), float(high), heaviest, given is not None, levels)


def _both(left: Seen, right: Seen, one_part: bool = False) -> Seen:
    counts = [*left.counts, *right.counts]
    if one_part:
        counts = [_added(left.counts[0], right.counts[0])]
    return Seen(
        counts,
        _added(left.weights, right.weights),
        min(left.low, right.low),
        max(left.high, right.high),
        max(left.heaviest, right.heaviest),
        left.weighted or right.weighted,
        [_added(a, b) for a, b in zip(left.levels, right.levels, strict=True)],
    )


def _added(left: dict[Any, Any], right: dict[Any, Any]) -> dict[Any, Any]:
    both = dict(left)
    for key, value in right.items():
        both[key] = both[key] + value if key in both else value
    return both


@dataclass(frozen=True)
class Targets:
    """How rows are encoded, once all targets and weights have been seen."""

    loss: NativeLoss
    classes: npt.NDArray[Any] | None
    of_class: Floats | None  # the weights of the classes, where there are any
    exponent: int  # y is divided by 2^exponent
    weight_exponent: int  # and the weights by 2^this
    weighted: bool
    categories: Categories
    kept: tuple[int, ...]  # per part, rows of positive weight

    @classmethod
    def of(cls, model: "HistGradientBoosting", seen: Seen, categories: Categories) -> "Targets":
        """Check what was seen, and set the classes of the model."""
        owner = type(model).__name__
        by = 0
        ordinary = 1 / HEAVIEST < seen.heaviest < HEAVIEST
        if seen.weighted and model.l2_regularization == 0 and not ordinary:
            by = int(np.frexp(seen.heaviest)[1])
        check_size(model, "sample_weight", np.ldexp([seen.heaviest], -by), HEAVIEST)
        classes = of_class = None
        ends = np.array([seen.low, seen.high])
        labels: list[Any] = [None]
        if is_classifier(model):
            any_model: Any = model
            classes = np.unique(np.asarray(list(seen.weights)))
            any_model.classes_, labels = classes, classes.tolist()
            ends = np.array([0.0, len(labels) - 1.0])
            if any_model.class_weight is not None:
                total = np.ldexp([float(seen.weights[label]) for label in labels], -by)
                of_class = class_weights(owner, any_model.class_weight, classes, total)
        loss = model._loss()
        if not isinstance(loss, NativeLoss) or loss.leaf_quantile is not None:
            raise ParameterError(
                f"{owner}: loss={model.loss!r} needs all rows of a leaf in one place, and the "
                "chunks lie in several; take another loss, or fit on one machine."
            )
        exponent = exponent_of(ends, loss, penalised=model.l2_regularization > 0)
        model._check_together(loss, in_units(ends, exponent))
        count = dict.fromkeys(labels, True)
        if of_class is not None:
            count = dict(zip(labels, (of_class > 0).tolist(), strict=True))
        kept = tuple(sum(n for label, n in part.items() if count[label]) for part in seen.counts)
        weighted = seen.weighted or of_class is not None
        return cls(loss, classes, of_class, exponent, by, weighted, categories, kept)

    @property
    def curved(self) -> bool:
        """Whether curvatures differ from row to row."""
        return self.weighted or not self.loss.unit_curvature

    def rows(self, model: Any, chunk: Chunk) -> Rows:
        """Return the rows of a chunk: codes of categories, encoded targets, weights above 0."""
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
            if self.of_class is not None:
                weights = self.of_class[values.astype(np.intp)] * weights
        return counting(Rows(coded_numbers(X, self.categories), values, weights))
