"""A fit that does not finish leaves the estimator as it was.

Ctrl-C is pressed at random moments of every way to fit: before random lines of Python, also of
scikit-learn and NumPy, and by a timer, which reaches native code. After it the earlier model has
the same attributes, bit for bit, and gives the same answers; without an earlier model,
`NotFittedError` is raised.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from time import perf_counter
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from gramian.base.errors import DataError, MissingExtra, ParameterError
from gramian.base.fitting import FITTING
from tests.contract.estimators import assert_same_outputs, every, first_of_each, outputs, quick
from tests.contract.interrupts import (
    FurtherFit,
    first_table,
    further_fits,
    interrupt_after,
    interrupt_line,
    second_table,
)

LINES = 4  # interrupts of each way to fit, at every setting, before a line of Python
MOMENTS = 2  # and by a timer
QUICK_WAYS = ("fit", "partial_fit", "warm_start")

# Public methods that need no fit, and those whose task is to change the estimator.
NEED_NO_FIT = {"cost_complexity_pruning_path", "from_parameters", "path", "sphere", "summarise"}
CHANGE_ON_PURPOSE = {"densify", "sparsify"}

pytestmark = pytest.mark.filterwarnings("ignore")  # few iterations


class Fitted:
    """A fitted estimator with its attributes and its answers."""

    def __init__(self, model: Any, n: int = 60) -> None:
        self.model = model
        self.X, y = first_table(model, n)
        model.fit(self.X, y)
        self.answers = outputs(model, self.X)
        self.remember()

    def remember(self) -> None:
        self.attributes = dict(vars(self.model))
        self.contents = {name: joblib.hash(value) for name, value in self.attributes.items()}

    def put_back(self) -> None:
        self.model.__dict__ = dict(self.attributes)

    def assert_unchanged(self) -> None:
        now = vars(self.model)
        assert now.keys() == self.attributes.keys()
        assert [name for name in now if now[name] is not self.attributes[name]] == []
        assert {name: joblib.hash(value) for name, value in now.items()} == self.contents
        assert_same_outputs(outputs(self.model, self.X), self.answers)


def fitted_before(model: Any, way: FurtherFit, n: int = 60) -> Fitted:
    """Return the model fitted once, ready to be fitted again."""
    fitted = Fitted(clone(model).set_params(**way.first), n)
    fitted.model.set_params(**way.then)
    fitted.remember()
    return fitted


def lines_of_finished_fit(fitted: Fitted, way: FurtherFit) -> int:
    """Return how many lines a fit runs that finishes; it does not change the earlier model."""
    lines = 0
    try:
        _, lines = interrupt_line(lambda: way.run(fitted.model), None)
    except (DataError, ParameterError):
        assert way.name in ("fit_chunks", "solve")  # some settings do not have it
    else:
        fitted.put_back()
    fitted.assert_unchanged()
    return lines


def interrupted(call: Callable[[], Any], lines: int, count: int, seed: int) -> Iterator[bool]:
    """Interrupt a call, of so many lines, so many times; yield False when it finished.

    It does where the line is in a finalizer, which cannot be interrupted, or where a later run has
    fewer lines than the first.
    """
    rng = np.random.default_rng(seed)
    for _ in range(10 * count):
        stopped, _ = interrupt_line(call, int(rng.integers(1, lines + 1)))
        yield stopped
        count -= stopped
        if count == 0:
            return
    raise AssertionError("the call could not be interrupted")


def assert_first_fit_undone(model: Any, lines: int, count: int, seed: int) -> None:
    X, y = first_table(model)
    before = dict(vars(model))
    for stopped in interrupted(lambda: model.fit(X, y), lines, count, seed):
        if not stopped:
            model.__dict__ = dict(before)
            continue
        assert vars(model) == before
        if get_tags(model).requires_fit:
            with pytest.raises(NotFittedError):
                check_is_fitted(model)


def assert_further_fit_undone(fitted: Fitted, way: FurtherFit, count: int, seed: int) -> int:
    lines = lines_of_finished_fit(fitted, way)
    if lines == 0:
        return 0
    for stopped in interrupted(lambda: way.run(fitted.model), lines, count, seed):
        if not stopped:
            fitted.put_back()
        fitted.assert_unchanged()
    return lines


@pytest.mark.parametrize("model", first_of_each())
def test_an_interrupted_fit_leaves_the_model_as_it_was(model):
    model = quick(model, 5)
    for way in further_fits(model, n=30):
        if way.name in QUICK_WAYS:
            fitted = fitted_before(model, way, n=30)
            lines = assert_further_fit_undone(fitted, way, 1, seed=0)
            if way.name == "fit":
                assert_first_fit_undone(clone(model), lines, 1, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("model", every())
def test_many_interrupts_of_the_first_fit(model):
    model = quick(model)
    fitted = Fitted(clone(model))
    X, y = first_table(model)
    _, lines = interrupt_line(lambda: clone(model).fit(X, y), None)
    assert_first_fit_undone(model, lines, LINES, seed=2)
    answers = outputs(model.fit(X, y), X)
    assert_same_outputs(answers, fitted.answers)  # interrupts have no effect on the next fit


@pytest.mark.slow
@pytest.mark.parametrize("model", every())
def test_many_interrupts_of_every_further_fit(model):
    for seed, way in enumerate(further_fits(quick(model))):
        assert_further_fit_undone(fitted_before(quick(model), way), way, LINES, seed)


@pytest.mark.slow
@pytest.mark.parametrize("model", every())
def test_a_timer_interrupts_every_further_fit(model):
    rng = np.random.default_rng(3)
    for way in further_fits(quick(model), n=400):
        fitted = fitted_before(quick(model), way, n=400)
        if not lines_of_finished_fit(fitted, way):
            continue
        start = perf_counter()
        way.run(fitted.model)
        seconds = perf_counter() - start
        fitted.put_back()
        for _ in range(MOMENTS):
            call = lambda way=way, fitted=fitted: way.run(fitted.model)  # noqa: E731
            if not interrupt_after(call, rng.random() * seconds):
                fitted.put_back()
            fitted.assert_unchanged()


def test_there_are_at_least_two_thousand_interrupts():
    counts = [1 + sum(1 for _ in further_fits(case.values[0])) for case in every()]
    assert LINES * sum(counts) >= 2000


def public_methods(model: Any) -> Iterator[str]:
    """Yield the methods that neither fit nor are those of every estimator."""
    for name in sorted(set(dir(model)) - set(dir(BaseEstimator)) - set(FITTING)):
        own = inspect.getattr_static(type(model), name, None)
        plain = not name.startswith(("_", "set_", "fit_")) and not isinstance(own, property)
        if plain and callable(getattr(model, name, None)):
            yield name


def call(model: Any, method: str, X: Any, y: Any) -> None:
    """Call a method with rows, targets and small numbers; run an iterator to its end."""
    arguments = []
    bound = getattr(model, method)
    for parameter in inspect.signature(bound).parameters.values():
        if parameter.default is parameter.empty and parameter.kind < parameter.VAR_POSITIONAL:
            numeric = parameter.name in ("n", "n_samples", "k", "radius", "index")
            arguments.append(y if parameter.name == "y" else 1 if numeric else X)
    found = bound(*arguments)
    if isinstance(found, Iterator):
        list(found)


@pytest.mark.parametrize("model", first_of_each())
def test_every_method_needs_a_fit_and_none_but_a_fit_changes_the_estimator(model):
    model = quick(model, 5)
    X, y = first_table(model, n=30)
    needed = get_tags(model).requires_fit
    for method in public_methods(model):
        if needed and method not in NEED_NO_FIT | CHANGE_ON_PURPOSE:
            with pytest.raises(NotFittedError):
                call(model, method, X, y)
    fitted = Fitted(model, n=30)
    for method in sorted(set(public_methods(model)) - CHANGE_ON_PURPOSE):
        for rows in ((X, y), second_table(model, n=20)):
            # not for such rows, or not without an extra
            with suppress(AttributeError, IndexError, TypeError, ValueError, MissingExtra):
                call(model, method, *rows)
    now = vars(model)
    kept = {name: joblib.hash(now[name]) for name in fitted.contents}
    assert kept == fitted.contents
    assert [name for name in now if name not in kept and name.endswith("_")] == []
