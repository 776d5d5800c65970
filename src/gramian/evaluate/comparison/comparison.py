"""The result of a comparison of models, as a table, sentences and a figure."""

from dataclasses import dataclass
from importlib import import_module
from math import isnan
from typing import TYPE_CHECKING, Any

from gramian.base.types import Floats
from gramian.evaluate.hypothesis_tests.bayesian import Posterior
from gramian.evaluate.hypothesis_tests.ranks import rank_rows
from gramian.evaluate.results import HypothesisTestResult, Interval
from gramian.plot.evaluation.critical_difference import plot_critical_difference

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Pair:
    """Two models of a comparison.

    Attributes
    ----------
    first, second
        Names of the two models.
    result
        The test of "both are equally good", not adjusted for the other pairs.
    p_adjusted
        Its p-value, adjusted for the other pairs.
    posterior
        Probabilities that the first is better, the same, or worse.
    agrees
        Whether the estimate of the test has the same sign as the difference of the mean scores.
    """

    first: str
    second: str
    result: HypothesisTestResult
    p_adjusted: float
    posterior: Posterior
    agrees: bool = True

    def is_better(self, alpha: float) -> bool:
        """Return whether the first is significantly better."""
        return self.p_adjusted <= alpha and self.agrees

    @property
    def same(self) -> bool:
        """Whether the two are practically equal with probability above 0.95."""
        return self.posterior.same > 0.95


@dataclass(frozen=True)
class Comparison:
    """Models compared on the same splits of one table.

    Attributes
    ----------
    names
        The models, best mean score first.
    scores
        One row for each model and one column for each split; higher is better.
    intervals
        Mean score of each model with its interval; the limits are NaN if all splits have the
        same score and it is not accuracy.
    pairs
        Every pair of models, the one with the higher mean first.
    groups
        Names of models without a significant difference: the maximal sets without a
        significant pair.
    fit_seconds, predict_seconds
        Mean over the splits, for each model.
    sizes
        Bytes of each model pickled after the first fit; NaN if it cannot be pickled.
    scoring
        Name of the score.
    test, adjust, alpha
        Test, adjustment and significance level of the pairs.
    baseline
        Name of the baseline, or None.
    n_rows
        Rows of the table.
    """

    names: tuple[str, ...]
    scores: Floats
    intervals: tuple[Interval, ...]
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]
    fit_seconds: Floats
    predict_seconds: Floats
    sizes: Floats
    scoring: str
    test: str
    adjust: str
    alpha: float
    baseline: str | None
    n_rows: int

    @property
    def best(self) -> str:
        """Name of the model with the highest mean score."""
        return self.names[0]

    @property
    def mean_ranks(self) -> Floats:
        """Mean rank of each model over the splits, 1 is best."""
        ranks: Floats = rank_rows(self.scores.T).mean(axis=0)
        return ranks

    def pair(self, first: str, second: str) -> Pair:
        """Return the pair of two models, in either order."""
        for pair in self.pairs:
            if {pair.first, pair.second} == {first, second}:
                return pair
        raise KeyError(f"no pair of {first!r} and {second!r}; the models are {list(self.names)}")

    def table(self) -> Any:
        """Return one row for each model, best first.

        Returns
        -------
        table
            A pandas frame if pandas is installed, else a dict of columns, which `narwhals`,
            polars and pyarrow accept.
        """
        against = [None, *(self.pair(self.best, name) for name in self.names[1:])]
        columns: dict[str, list[Any]] = {
            "model": list(self.names),
            "score": [i.estimate for i in self.intervals],
            "low": [i.low for i in self.intervals],
            "high": [i.high for i in self.intervals],
            "rank": self.mean_ranks.tolist(),
            "groups": [
                "".join(letter(g) for g, group in enumerate(self.groups) if name in group)
                for name in self.names
            ],
            "p_best": [1.0 if pair is None else pair.p_adjusted for pair in against],
            "same_as_best": [1.0 if pair is None else pair.posterior.same for pair in against],
            "fit_seconds": self.fit_seconds.tolist(),
            "predict_seconds": self.predict_seconds.tolist(),
            "bytes": self.sizes.tolist(),
        }
        return to_frame(columns)

    def pair_table(self) -> Any:
        """Return one row for each pair, with the type of `table`."""
        columns: dict[str, list[Any]] = {
            "first": [p.first for p in self.pairs],
            "second": [p.second for p in self.pairs],
            "difference": [p.posterior.estimate for p in self.pairs],
            "statistic": [p.result.statistic for p in self.pairs],
            "p_value": [p.result.p_value for p in self.pairs],
            "p_adjusted": [p.p_adjusted for p in self.pairs],
            "better": [p.posterior.better for p in self.pairs],
            "same": [p.posterior.same for p in self.pairs],
            "worse": [p.posterior.worse for p in self.pairs],
        }
        return to_frame(columns)

    def plot(self, *, baseline: bool = True, ax: "Axes | None" = None) -> "Axes":
        """Draw the critical-difference diagram: mean scores, and bars over the groups.

        Parameters
        ----------
        baseline
            Whether to draw the baseline, which may be far from the other models.
        ax
            Axes to draw on; new axes if None.

        Returns
        -------
        ax
            The Axes drawn on.
        """
        names = [name for name in self.names if baseline or name != self.baseline]
        return plot_critical_difference(
            [self.intervals[self.names.index(name)].estimate for name in names],
            names,
            [[names.index(name) for name in group if name in names] for group in self.groups],
            low_is_best=False,
            label=f"mean {self.scoring}",
            ax=ax,
        )

    def __str__(self) -> str:
        top = self.intervals[0]
        how = f"{self.test.replace('_', ' ')}, {self.adjust}, level {self.alpha:g}"
        n_models, n_splits = self.scores.shape
        interval = f"{100 * top.confidence:g}% interval {top.low:.4g} to {top.high:.4g}"
        if isnan(top.low):
            interval = "no interval, since all splits have the same score"
        lines = [
            f"{n_models} models, {self.n_rows} rows, {n_splits} splits, scored by {self.scoring}.",
            f"Highest mean: {self.best}, {top.estimate:.4g} ({interval}).",
        ]
        rope = f"{self.pairs[0].posterior.rope:g}"
        for statement, pairs in {
            f"Practically the same, within {rope}": [
                p for p in self._with_best() if p.p_adjusted > self.alpha and p.same
            ],
            f"Not significantly different from it ({how})": [
                p for p in self._with_best() if p.p_adjusted > self.alpha and not p.same
            ],
            f"Significantly worse than it, but practically the same, within {rope} ({how})": [
                p for p in self._with_best() if p.is_better(self.alpha) and p.same
            ],
            f"Significantly worse than it ({how})": [
                p for p in self._with_best() if p.is_better(self.alpha) and not p.same
            ],
            f"Significantly different, but test and means disagree on the better one ({how})": [
                p for p in self._with_best() if p.p_adjusted <= self.alpha and not p.agrees
            ],
        }.items():
            if pairs:
                lines.append(f"{statement}: {listed([p.second for p in pairs])}.")
        if self.baseline is not None:
            lines.append(self._about_baseline(self.baseline))
        return "\n".join(lines)

    def _with_best(self) -> list[Pair]:
        return [self.pair(self.best, name) for name in self.names[1:]]

    def _about_baseline(self, baseline: str) -> str:
        where = self.names.index(baseline)
        not_better = [
            name
            for i, name in enumerate(self.names)
            if name != baseline
            and (i > where or not self.pair(name, baseline).is_better(self.alpha))
        ]
        score = f"{self.intervals[where].estimate:.4g}"
        if not not_better:
            return f"All are significantly better than the baseline ({score})."
        verb = "is" if len(not_better) == 1 else "are"
        return f"{listed(not_better)} {verb} not significantly better than the baseline ({score})."


def letter(index: int) -> str:
    """Return a, b, ..., z, then (26), (27): the label of a group."""
    return chr(ord("a") + index) if index < 26 else f"({index})"


def listed(names: list[str]) -> str:
    """Join names with commas and "and"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def to_frame(columns: dict[str, list[Any]]) -> Any:
    """Return a pandas frame if pandas is installed, else the columns."""
    try:
        return import_module("pandas").DataFrame(columns)
    except ModuleNotFoundError:
        return columns
