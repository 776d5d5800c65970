"""The learning task of a target, and the models of the catalogue that can learn it."""

from dataclasses import MISSING, dataclass, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils import get_tags
from sklearn.utils.multiclass import type_of_target

from gramian.base.catalogue import ESTIMATORS, Entry
from gramian.base.errors import DataError
from gramian.base.kinds import ModelFamily

TaskKind = Literal["classification", "regression", "clustering or dimension reduction"]

_KINDS: dict[str, tuple[str, ...]] = {
    "classification": ("classifier",),
    "regression": ("regressor",),
    "clustering or dimension reduction": ("clusterer", "transformer"),
}
_SEVERAL_LABELS = ("gramian.multilabel.", "gramian.multioutput.")
_FEW_VALUES = 20  # a target with at most this many distinct, frequent integers has classes


@dataclass(frozen=True)
class LearningTask:
    """A learning task, the reason it was inferred, and the models for it.

    ``parametric`` models have a number of parameters that is fixed by the features and the
    settings; ``nonparametric`` models grow with the rows, like trees and nearest neighbours;
    ``as_members`` models combine or wrap other models and are parametric if these are; a model with
    default members is listed like them. The class attribute ``parametric`` declares it.

    Classifiers are also listed by how they are built: ``generative`` ones model the rows of each
    class, ``discriminative`` ones the probabilities of the classes, ``boundary`` ones the boundary
    alone (class attribute ``model_family``; wrappers without a default estimator are not listed).
    ``with_posteriors`` are those that give probabilities (`predict_proba`) at their defaults.
    """

    kind: TaskKind
    reason: str
    parametric: tuple[str, ...]
    nonparametric: tuple[str, ...]
    as_members: tuple[str, ...]
    generative: tuple[str, ...] = ()
    discriminative: tuple[str, ...] = ()
    boundary: tuple[str, ...] = ()
    with_posteriors: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.reason}"


def describe_task(y: npt.ArrayLike | None = None) -> LearningTask:
    """Infer the task from the target.

    Without a target the task is clustering or dimension reduction; a categorical target means
    classification; a numeric one regression, unless it has a few integer values that each occur
    often, which are treated as classes.

    Parameters
    ----------
    y : array of shape (n,) or (n, outputs), optional
        The target, if there is one.

    Returns
    -------
    task : LearningTask
        The task, the reason for it, and the names of suitable models.

    Examples
    --------
    >>> from gramian.evaluate import describe_task
    >>> print(describe_task(["ash", "birch", "ash"]))
    classification: the target is categorical with 2 classes
    >>> print(describe_task([0.1, 0.7, 0.9]))
    regression: the target is numeric
    >>> "KNeighborsRegressor" in describe_task([0.1, 0.7, 0.9]).nonparametric
    True
    >>> "GaussianNB" in describe_task(["ash", "birch", "ash"]).generative
    True
    """
    kind, reason = _kind(y)
    one_target = y is None or np.ndim(y) == 1
    suitable = [
        e
        for e in ESTIMATORS
        if e.kind in _KINDS[kind]
        and (y is not None or _needs_no_target(e))
        and not (one_target and e.path.startswith(_SEVERAL_LABELS))
    ]

    def named(parametric: bool | None) -> tuple[str, ...]:
        return tuple(e.name for e in suitable if _is_parametric(e.resolve()) is parametric)

    classifiers = [e for e in suitable if e.kind == "classifier"]

    def names_of(family: ModelFamily) -> tuple[str, ...]:
        return tuple(e.name for e in classifiers if family_of(e.resolve()) == family)

    return LearningTask(
        kind,
        reason,
        named(True),
        named(False),
        named(None),
        names_of("generative"),
        names_of("discriminative"),
        names_of("boundary"),
        tuple(e.name for e in classifiers if has_posteriors(e.resolve())),
    )


def family_of(cls: Any) -> ModelFamily | None:
    """Return how a classifier is built: its own family, or the family of its default members.

    Examples
    --------
    >>> from gramian import LinearSVC, LogisticRegression
    >>> family_of(LogisticRegression), family_of(LinearSVC)
    ('discriminative', 'boundary')
    """
    if cls.model_family is not None or _lacks_defaults(cls):
        return cls.model_family  # type: ignore[no-any-return]
    families = {family_of(type(learner)) for learner in cls()._learners()}
    return families.pop() if len(families) == 1 else None


def has_posteriors(cls: Any) -> bool:
    """Return whether a classifier gives probabilities of the classes at its default settings.

    Examples
    --------
    >>> from gramian import LinearSVC, LogisticRegression
    >>> has_posteriors(LogisticRegression), has_posteriors(LinearSVC)
    (True, False)
    """
    return hasattr(cls if _lacks_defaults(cls) else cls(), "predict_proba")


def _is_parametric(cls: Any) -> bool | None:
    """Return whether a class, or its default members if they decide, is parametric."""
    if cls.parametric is not None or _lacks_defaults(cls):
        return cls.parametric  # type: ignore[no-any-return]
    return all(_is_parametric(type(learner)) for learner in cls()._learners())


def _lacks_defaults(cls: Any) -> bool:
    """Return whether a class needs arguments, as those that wrap an estimator do."""
    return any(f.default is MISSING for f in fields(cls))


def _needs_no_target(entry: Entry) -> bool:
    """Return whether an estimator can be fitted without a target."""
    return not get_tags(entry.resolve()()).target_tags.required


def _kind(y: npt.ArrayLike | None) -> tuple[TaskKind, str]:
    if y is None:
        return "clustering or dimension reduction", "there is no target"
    values = np.asarray(y)
    if not values.ndim or not values.size:
        raise DataError(
            f"describe_task: y must contain one target or more, (n,) or (n, outputs); got shape "
            f"{values.shape}. Pass None if there is no target."
        )
    elements = values.ravel().tolist() if values.dtype.kind == "O" else []
    if any(value is None for value in elements):
        at = (
            next(i for i, value in enumerate(elements) if value is None)
            * len(values)
            // len(elements)
        )
        raise DataError(
            f"describe_task: y must have no missing targets; got None at row {at}. Drop these rows."
        )
    target = type_of_target(values, input_name="y")
    if target.startswith("continuous"):
        return "regression", "the target is numeric"
    if target == "multilabel-indicator":
        return "classification", f"the target is multi-label with {values.shape[1]} labels"
    found = len(np.unique(values))
    if values.dtype.kind in "iuf":
        if found <= _FEW_VALUES and found <= max(2, len(values) // 5):
            return "classification", f"the target has {found} integer values, each frequent"
        return "regression", f"the target is numeric with {found} distinct integers"
    return "classification", f"the target is categorical with {found} classes"
