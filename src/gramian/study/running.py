"""A study, from the table to the tested model; every step can be resumed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from gramian.study.announcement import Announce
from gramian.study.contents import Contents
from gramian.study.contents.result import result_json
from gramian.study.journal import Journal
from gramian.study.problem.problem import pose_problem
from gramian.study.progress import Clock, Watch
from gramian.study.rows import rows_of
from gramian.study.settings import Settings, check_setting_names
from gramian.study.tasks.clustering import group_rows
from gramian.study.tasks.multilabel import label_rows
from gramian.study.tasks.supervised import predict_target


@dataclass(frozen=True, eq=False)
class Study:
    """The result of a study.

    Attributes
    ----------
    model
        The best model, fitted to all rows except the test rows: a pipeline that takes a frame.
    contents
        The contents of the report, for `gramian.report.render`.
    """

    model: Any
    contents: Contents

    @property
    def result(self) -> dict[str, Any]:
        """The contents of ``result.json``."""
        return result_json(self.contents)

    def __str__(self) -> str:
        return "\n".join([*self.contents.headline, *self.contents.verdict])


def run(
    table: Any,
    target: str | None = None,
    *,
    folder: Path | None = None,
    watch: Watch | None = None,
    announce: Announce | None = None,
    **settings: Any,
) -> Study:
    """Search, compare and test models for a table.

    Parameters
    ----------
    table
        A frame of pandas, polars or pyarrow, the result of `gramian.read_table`, or a
        `gramian.scale.LargeTable`.
    target
        The column to predict; None for ``task="clustering"`` and for ``labels``.
    folder
        An existing folder for the journal, so that a stopped run can be resumed; None keeps
        everything in memory.
    watch
        Function called with a `gramian.study.Step` after each step.
    announce
        Function called once, before the search begins, with lines of text: the table, the task,
        the issues of the data, and how much will be tried.
    **settings
        Fields of `gramian.study.Settings`, such as ``seed``, ``evals``, ``metric``, ``costs``.

    Returns
    -------
    study : Study
        The model, the result, and the contents of the report.

    Examples
    --------
    >>> from gramian import load_example, study
    >>> table, target = load_example("iris")
    >>> found = study.run(table, target, evals=2, models=("LogisticRegression",))
    >>> found.result["task"], found.result["winner"]
    ('classification', 'LogisticRegression')
    >>> found.model.predict(table.frame[:1]).tolist()
    ['setosa']
    """
    check_setting_names("study.run", list(settings))
    wanted = Settings(target=target, **settings)
    rows = rows_of(table)
    source = rows.table
    # gramian's own results are identical for any number of threads, but those of BLAS are not.
    with Journal(folder) as journal, threadpool_limits(1, user_api="blas"):
        clock = Clock(wanted.budget, _seconds_before(journal))
        if wanted.labels:
            return Study(*label_rows(source, wanted, journal, clock, watch, announce))
        problem = pose_problem(source.frame, wanted, source.formats)
        if problem.task == "clustering":
            return Study(*group_rows(problem, source, wanted, journal, clock, watch, announce))
        return Study(*predict_target(problem, rows, wanted, journal, clock, watch, announce))


def _seconds_before(journal: Journal) -> float:
    """Return the seconds spent by earlier runs, from the journal."""
    total = 0.0
    for value in journal.values():
        if isinstance(value, dict):
            spent = value.get("seconds", 0.0)
            total += sum(spent) if isinstance(spent, list) else float(spent)
    return total
