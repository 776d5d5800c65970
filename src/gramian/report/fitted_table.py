"""A model for a table in one call, with its leaderboard, report and explanations."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Never

import narwhals.stable.v2 as nw
import numpy as np

from gramian.base.files.writing import written_whole
from gramian.data.reading import LoadedTable, read_table
from gramian.report.formatting import number
from gramian.report.page import render
from gramian.report.progress_bar import progress_bar
from gramian.study import Study, run
from gramian.study.contents import (
    ClusterContents,
    Contents,
    LabelContents,
    SupervisedContents,
)
from gramian.study.rows import rows_of
from gramian.study.settings import TaskOption, check_setting_names
from gramian.study.using import explain


@dataclass(frozen=True, eq=False)
class FittedTable:
    """The result of `fit_table`.

    Attributes
    ----------
    study
        The study: the best model and the contents of the report.
    frame
        The rows that were given, for `explain`.
    """

    study: Study
    frame: Any

    @property
    def model(self) -> Any:
        """The best model, a pipeline for frames, fitted to all rows except the test rows."""
        return self.study.model

    @property
    def contents(self) -> Contents:
        """The contents of the report; see `gramian.study.contents`."""
        return self.study.contents

    @property
    def leaderboard(self) -> Any:
        """Scores of all models, best first, as a frame of the same library as the table.

        For clusters it has the numbers of clusters that were tried.
        """
        rows = _leaderboard(self.contents)
        backend = nw.from_native(self.frame, eager_only=True).implementation
        columns = {name: [row[name] for row in rows] for name in rows[0]}
        return nw.from_dict(columns, backend=backend).to_native()

    def report(self, path: str | os.PathLike[str]) -> Path:
        """Write the report as one HTML file, replacing an existing file; return its path.

        Needs the extra ``app``.
        """
        page = render(self.contents)
        with written_whole(Path(path)) as file:
            file.write(page.encode())
        return Path(path)

    def explain(self, row: int) -> Any:
        """Return the effect of each column on the prediction for one row of the table.

        Parameters
        ----------
        row
            Index of the row; the first is 0.

        Returns
        -------
        frame
            A row for each column, the largest effect first: ``column``, ``value`` (its value in
            the row, as text) and ``effect``: the prediction less the mean prediction when the
            value is replaced by those of other rows. For classification the prediction is the
            probability of the predicted class.
        """
        found, effects = explain(self.model, self.frame, row)
        place = 0 if found.proba is None else int(found.proba[0].argmax())
        columns = {
            "column": [each.column for each in effects],
            "value": ["" if each.value is None else str(each.value) for each in effects],
            "effect": [float(np.atleast_1d(each.effect)[place]) for each in effects],
        }
        backend = nw.from_native(self.frame, eager_only=True).implementation
        return nw.from_dict(columns, backend=backend).to_native()

    def __str__(self) -> str:
        return str(self.study)

    def _repr_html_(self) -> str:
        contents, rows = self.contents, _leaderboard(self.contents)
        serious = "".join(f"<p><b>Serious:</b> {escape(text)}</p>" for text in contents.headline)
        verdict = "".join(f"<p>{escape(text)}</p>" for text in contents.verdict)
        head = "".join(f"<th>{escape(name)}</th>" for name in rows[0])
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(v))}</td>' for v in row.values())}</tr>"
            for row in rows
        )
        return f"<div>{serious}{verdict}<table><tr>{head}</tr>{body}</table></div>"


def fit_table(
    table: Any,
    target: str | None = None,
    *,
    labels: str | Sequence[str] = (),
    task: TaskOption = "auto",
    metric: str | None = None,
    models: str | Sequence[str] | None = None,
    evals: int | None = None,
    budget: float | str | None = None,
    seed: int = 0,
    alpha: float = 0.05,
    test_size: float = 0.2,
    drop: str | Sequence[str] = (),
    categorical: str | Sequence[str] = (),
    groups: str | None = None,
    time: str | None = None,
    weights: str | None = None,
    costs: Sequence[Sequence[float]] | None = None,
    cost_classes: Sequence[str] | None = None,
    reject: float | None = None,
    memory: int | str | None = None,
    progress: bool | None = None,
    **misspelt: Never,
) -> FittedTable:
    """Tune, compare and test models on a table, and return the best.

    Works like the command ``gramian fit``, but writes no files.

    Parameters
    ----------
    table
        A pandas, polars or pyarrow data frame, the path of a file (which needs the extra ``app``),
        or the result of `gramian.read_table`.
    target
        Column to predict; None for ``task="clustering"`` and for `labels`.
    labels
        Columns of 0 and 1 to predict together (multi-label), in place of a target.
    task
        ``"classification"``, ``"regression"`` or ``"clustering"``; ``"auto"`` infers it from the
        target.
    metric
        Metric to select models by, such as ``"accuracy"``, ``"log_loss"``, ``"r2"`` or ``"rmse"``;
        None uses the default of the task.
    models
        Names of the estimators to try; None tries all that have a search space.
    evals
        Number of parameter settings to try; None derives it from the task and the shape.
    budget
        Time after which no further evaluation starts: seconds, or a text such as ``"30s"`` or
        ``"5m"``; None sets no limit.
    seed
        Random seed; the same seed gives the same result.
    alpha
        Significance level of the tests; intervals have confidence 1 - alpha.
    test_size
        Fraction of the rows held out for the final test.
    drop
        Columns to leave out.
    categorical
        Columns to treat as categorical, such as numeric codes.
    groups
        Column of groups; rows of a group stay together in every split.
    time
        Column that orders the rows; the latest rows are the test set.
    weights
        Column of row weights.
    costs
        ``costs[i][k]`` is the cost of predicting class i when the true class is k.
    cost_classes
        The classes in the order of `costs`; None uses the sorted order.
    reject
        Cost of rejecting a row (making no decision).
    memory
        Maximum bytes of the prepared table, or a text such as ``"4GB"``; larger tables are sampled.
    progress
        Whether to show a progress bar; None shows it in notebooks.
    **misspelt
        Any other name raises a TypeError with the setting that was probably meant.

    Returns
    -------
    FittedTable
        The model, its leaderboard, report and explanations; notebooks show a summary.

    Examples
    --------
    >>> import gramian
    >>> table, target = gramian.load_example("iris")
    >>> found = gramian.fit_table(table, target, models="LogisticRegression", evals=2)
    >>> found.leaderboard["model"].to_list()
    ['LogisticRegression', 'baseline']
    >>> found.model.predict(table.frame[:1]).tolist()
    ['setosa']
    """
    check_setting_names("fit_table", list(misspelt))
    read = read_table(table) if isinstance(table, str | os.PathLike) else table
    rows = rows_of(read, "fit_table")
    with progress_bar(progress) as watch:
        study = run(
            rows,
            target,
            watch=watch,
            labels=labels,
            task=task,
            metric=metric,
            models=models,
            evals=evals,
            budget=budget,
            seed=seed,
            alpha=alpha,
            test_size=test_size,
            drop=drop,
            categorical=categorical,
            groups=groups,
            time=time,
            weights=weights,
            costs=costs,
            cost_classes=cost_classes,
            reject=reject,
            memory=memory,
        )
    frame = table.frame if isinstance(table, LoadedTable) else table
    return FittedTable(study, frame if hasattr(frame, "columns") else rows.table.frame)


def _leaderboard(contents: Contents) -> list[dict[str, Any]]:
    """Return the rows of the leaderboard."""
    if isinstance(contents, ClusterContents):
        return [
            {"clusters": each.k, "silhouette": each.silhouette, "inertia": each.inertia}
            for each in contents.clusters.tried
        ]
    metric = contents.run.metric
    if isinstance(contents, LabelContents):
        return [
            {
                "model": row.name,
                metric: row.mean,
                "low": row.low,
                "high": row.high,
                "p vs best": row.p_best,
                "fit seconds": row.fit_seconds,
            }
            for row in contents.labelling.learners
        ]
    assert isinstance(contents, SupervisedContents)
    return [
        {
            "model": row.name,
            metric: row.metrics[metric].mean,
            "low": row.metrics[metric].low,
            "high": row.metrics[metric].high,
            "p vs best": None if row.is_winner else row.p_best,
            "fit seconds": row.fit_seconds,
        }
        for row in contents.leaderboard
    ]


def _cell(value: Any) -> str:
    return "" if value is None else number(value)
