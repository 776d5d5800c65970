"""The run card: the data, the task and the settings of a run."""

from dataclasses import dataclass

from gramian.study.contents.values import Value


@dataclass(frozen=True)
class DataSource:
    """The table.

    Attributes
    ----------
    name, format, sha256
        Its name, the format of its file and the digest of its bytes.
    rows, rows_used, columns
        Number of rows of the table, of rows used (those with a target), and of columns.
    notes
        Notes about reading the file.
    sheet
        The sheet of a workbook; None for other formats.
    """

    name: str
    format: str
    sha256: str | None
    rows: int
    rows_used: int
    columns: int
    notes: tuple[str, ...]
    sheet: str | None = None


@dataclass(frozen=True)
class Evaluations:
    """Number of parameter settings tried (`made`) and planned."""

    made: int
    planned: int


@dataclass(frozen=True)
class RunCard:
    """The facts of a run.

    Attributes
    ----------
    name
        Name of the table.
    task, reason
        ``"classification"``, ``"regression"``, ``"clustering"`` or ``"multi-label"``, and why.
    target
        The column to predict, or a text that lists the labels; None for clustering.
    metric
        The metric that models are selected by.
    seed, alpha
        The seed, and the significance level.
    split
        How rows were split, in words.
    evaluations
        Parameter settings tried and planned.
    complete
        False if the time limit was reached.
    winner
        The best model.
    seconds
        Time of the run.
    versions
        Versions of gramian and of its dependencies, by package.
    settings
        The settings other than defaults, by name.
    data
        The table.
    """

    name: str
    task: str
    reason: str
    target: str | None
    metric: str
    seed: int
    alpha: float
    split: str
    evaluations: Evaluations
    complete: bool
    winner: str
    seconds: float
    versions: dict[str, str]
    settings: dict[str, Value]
    data: DataSource
