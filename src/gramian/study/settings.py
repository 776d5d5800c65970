"""All settings of a study."""

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from gramian.base.errors import ParameterError

TaskOption = Literal["auto", "classification", "regression", "clustering"]


@dataclass(frozen=True)
class Settings:
    """Settings of a study.

    Attributes
    ----------
    target
        Column to predict; None for clustering.
    labels
        Columns of 0 and 1 to predict together (multi-label), in place of a target.
    task
        ``"auto"`` infers it from the target; ``"clustering"`` takes none.
    metric
        Name of the metric by which models are chosen; None takes the default of the task.
    evals
        Number of parameter settings to try; None derives it from the task and the shape.
    budget
        Seconds after which no further evaluation starts; None sets no limit.
    seed
        Evaluation i depends on the seed and i alone.
    alpha
        Significance level of the tests; intervals have confidence 1 - alpha.
    test_size
        Fraction of the rows held out for the final test.
    models
        Names of the estimators to try; None takes all that have a search space.
    drop
        Columns to leave out.
    categorical
        Columns to take as categories whatever they look like: codes written as numbers, or
        identifiers that are informative.
    groups
        Column of groups; rows of a group stay together in every split.
    time
        Column by which rows are ordered; the test set is then the latest rows.
    weights
        Column of row weights.
    costs
        ``costs[i][k]`` is the cost of predicting class i when the true class is k.
    cost_classes
        The classes in the order of `costs`; None is the sorted order.
    reject
        Cost of rejecting a row (making no decision).
    memory
        Maximum bytes of the prepared table; rows are sampled to stay below.
    """

    target: str | None = None
    labels: tuple[str, ...] = ()
    task: TaskOption = "auto"
    metric: str | None = None
    evals: int | None = None
    budget: float | None = None
    seed: int = 0
    alpha: float = 0.05
    test_size: float = 0.2
    models: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    groups: str | None = None
    time: str | None = None
    weights: str | None = None
    costs: tuple[tuple[float, ...], ...] | None = None
    cost_classes: tuple[str, ...] | None = None
    reject: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        if self.task not in get_args(TaskOption):
            raise ParameterError(
                f"task must be one of {', '.join(get_args(TaskOption))}; got {self.task!r}."
            )
        for name, value in (("alpha", self.alpha), ("test_size", self.test_size)):
            if not 0 < value < 1:
                raise ParameterError(f"{name} must be between 0 and 1; got {value!r}.")
        if self.labels:
            self._check_labels()
        elif self.task == "clustering":
            self._refuse(("metric", "evals", "models", "alpha", "test_size"), "for clustering")
            self._refuse(("groups", "time", "weights", "costs", "reject"), "for clustering")
        if self.evals is not None and self.evals < 1:
            raise ParameterError(f"evals must be at least 1; got {self.evals!r}.")
        if self.budget is not None and not self.budget > 0:
            raise ParameterError(f"budget must be above 0 seconds; got {self.budget!r}.")
        if self.groups is not None and self.time is not None:
            raise ParameterError("groups and time cannot both be given; choose one.")
        for name in ("groups", "time", "weights"):
            if self.target is not None and getattr(self, name) == self.target:
                raise ParameterError(f"{name} must be another column than the target.")
        both = [name for name in self.categorical if name in self.drop]
        if both:
            raise ParameterError(f"categorical and drop cannot both name {both[0]!r}.")
        if self.target in self.drop:
            raise ParameterError(f"drop must not name the target, {self.target!r}.")

    def _check_labels(self) -> None:
        """Raise for settings that several labels have no use for."""
        if self.target is not None:
            raise ParameterError("labels must be given without a target; leave one of them out.")
        if len(self.labels) < 2:
            raise ParameterError(
                f"labels must be two columns or more; got {self.labels[0]!r} alone. Make it the "
                "target."
            )
        if len(set(self.labels)) < len(self.labels):
            raise ParameterError(f"labels must be different columns; got {list(self.labels)}.")
        if self.task != "auto":
            raise ParameterError(f"task must be auto with labels; got {self.task!r}.")
        self._refuse(("evals", "groups", "time", "weights", "costs", "reject"), "with labels")
        both = [name for name in self.labels if name in (*self.drop, *self.categorical)]
        if both:
            raise ParameterError(f"drop and categorical cannot name the label {both[0]!r}.")

    def _refuse(self, names: tuple[str, ...], why: str) -> None:
        """Raise for settings that were given and would have no effect."""
        for name in names:
            if getattr(self, name) != getattr(Settings, name):
                raise ParameterError(f"{name} cannot be used {why}; leave it out.")

    def plain(self) -> dict[str, Any]:
        """Return the settings that were given as plain values, for a file."""
        return {
            name: [list(v) if isinstance(v, tuple) else v for v in value]
            if isinstance(value, tuple)
            else value
            for name, value in asdict(self).items()
            if value is not None
        }

    @classmethod
    def of(cls, values: dict[str, Any]) -> "Settings":
        """Read settings written by `plain`; unknown ones are ignored."""
        known = {f.name for f in fields(cls)}

        def fixed(value: Any) -> Any:
            return tuple(map(fixed, value)) if isinstance(value, list) else value

        return cls(**{name: fixed(value) for name, value in values.items() if name in known})
