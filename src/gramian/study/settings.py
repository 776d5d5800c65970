"""All settings of a study."""

from dataclasses import asdict, dataclass, fields
from difflib import get_close_matches
from typing import Any, Literal, get_args

from gramian.base.errors import ParameterError
from gramian.study import setting_values as check

TaskOption = Literal["auto", "classification", "regression", "clustering"]


@dataclass(frozen=True)
class Settings:
    """Settings of a study.

    `budget` and `memory` may also be texts such as "5m" and "4GB", and lists of names a single
    name; they are stored as the types below.

    Attributes
    ----------
    target
        Column to predict; None for clustering.
    labels
        Columns of 0 and 1 to predict together (multi-label), in place of a target.
    task
        ``"auto"`` infers it from the target; ``"clustering"`` takes none.
    metric
        Name of the metric to select models by; None uses the default of the task.
    evals
        Number of parameter settings to try; None derives it from task and shape.
    budget
        Seconds after which no further evaluation starts; None sets no limit.
    seed
        Random seed. Evaluation i depends only on the seed and i.
    alpha
        Significance level of the tests; intervals have confidence 1 - alpha.
    test_size
        Fraction of the rows held out for the final test.
    models
        Names of the estimators to try; None tries all that have a search space.
    drop
        Columns to leave out.
    categorical
        Columns to treat as categorical, such as numeric codes or informative identifiers.
    groups
        Column of groups; rows of a group stay together in every split.
    time
        Column by which rows are ordered; the test set is then the latest rows.
    weights
        Column of row weights.
    costs
        ``costs[i][k]`` is the cost of predicting class i when the true class is k.
    cost_classes
        The classes in the order of `costs`; None uses the sorted order.
    reject
        Cost of rejecting a row (making no decision).
    memory
        Maximum bytes of the prepared table; larger tables are sampled.
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
        self._check_values()
        if self.labels:
            self._check_labels()
        elif self.task == "clustering":
            self._refuse(("metric", "evals", "models", "alpha", "test_size"), "for clustering")
            self._refuse(("groups", "time", "weights", "costs", "reject"), "for clustering")
        if self.groups is not None and self.time is not None:
            raise ParameterError("groups and time cannot both be set; choose one.")
        for name in ("groups", "time", "weights"):
            if self.target is not None and getattr(self, name) == self.target:
                raise ParameterError(f"{name} must not be the target column.")
        both = [name for name in self.categorical if name in self.drop]
        if both:
            raise ParameterError(f"categorical and drop cannot both name {both[0]!r}.")
        if self.target in self.drop:
            raise ParameterError(f"drop must not name the target, {self.target!r}.")

    def _check_values(self) -> None:
        """Raise if a value has the wrong type or range; store the converted values."""
        if self.task not in get_args(TaskOption):
            raise ParameterError(
                f"task must be one of {', '.join(get_args(TaskOption))}; got {self.task!r}."
            )
        found: dict[str, Any] = {
            "seed": check.integer("seed", self.seed, 0),
            "budget": check.seconds("budget", self.budget),
            "memory": check.number_of_bytes("memory", self.memory),
            "costs": check.cost_table("costs", self.costs),
            "reject": check.cost("reject", self.reject),
        }
        if self.evals is not None:
            found["evals"] = check.integer("evals", self.evals, 1)
        for name in ("alpha", "test_size"):
            found[name] = check.fraction(name, getattr(self, name))
        for name in ("target", "metric", "groups", "time", "weights"):
            check.text(name, getattr(self, name))
        for name in ("labels", "drop", "categorical", "models", "cost_classes"):
            if getattr(self, name) is not None:
                found[name] = check.texts(name, getattr(self, name))
        if found.get("models") == ():
            raise ParameterError(
                "models must name at least one model, or be None for all; got none."
            )
        for name, value in found.items():
            object.__setattr__(self, name, value)  # the dataclass is frozen

    def _check_labels(self) -> None:
        """Raise for settings that have no effect with several labels."""
        if self.target is not None:
            raise ParameterError("labels and target cannot both be set; choose one.")
        if len(self.labels) < 2:
            raise ParameterError(
                f"labels must name at least two columns; got only {self.labels[0]!r}. Make it the "
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
        """Raise for settings that are set but would have no effect."""
        for name in names:
            if getattr(self, name) != getattr(Settings, name):
                raise ParameterError(f"{name} cannot be used {why}; leave it out.")

    def plain(self) -> dict[str, Any]:
        """Return the settings other than defaults as plain values, for a file."""
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


def check_setting_names(owner: str, names: list[str]) -> None:
    """Raise for a name that is not a setting, and suggest the setting that was meant.

    Examples
    --------
    >>> check_setting_names("study.run", ["modles"])
    Traceback (most recent call last):
    TypeError: study.run: there is no setting 'modles'; did you mean 'models'?
    """
    known = [f.name for f in fields(Settings)]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"did you mean {near[0]!r}?" if near else f"the settings are {', '.join(known)}."
            raise TypeError(f"{owner}: there is no setting {name!r}; {hint}")
