"""Search spaces are data that the estimators accept."""

import numpy as np
import polars as pl
import pytest

from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import ParameterError
from gramian.base.fields import rules_of
from gramian.study.problem.metrics import REGRESSION
from gramian.study.problem.problem import pose_problem
from gramian.study.search.spaces import (
    SPACES,
    LogInteger,
    LogUniform,
    OneOf,
    Space,
    families,
    settings_at,
)
from gramian.study.search.trial import Workbench
from gramian.study.settings import Settings

KNOWN = {e.name: e for e in ESTIMATORS if e.name in SPACES}


@pytest.mark.parametrize("name", KNOWN)
def test_every_setting_of_a_space_is_allowed(name):
    rules = rules_of(KNOWN[name].resolve())
    space = SPACES[name]
    for number in range(30):
        for parameter, value in settings_at(space, number, seed=3).items():
            assert parameter in rules, parameter
            assert rules[parameter].accepts(value), (parameter, value)


@pytest.mark.parametrize("name", SPACES)
def test_the_first_setting_is_the_default(name):
    assert settings_at(SPACES[name], 0, seed=5) == SPACES[name].fixed


def test_settings_depend_on_seed_and_number_alone():
    space = SPACES["KNeighborsClassifier"]
    forwards = [settings_at(space, i, 7) for i in range(10)]
    backwards = [settings_at(space, i, 7) for i in reversed(range(10))][::-1]
    assert forwards == backwards
    assert forwards != [settings_at(space, i, 8) for i in range(10)]


def test_settings_are_evenly_spread():
    """Any eight consecutive points of one dimension leave no gap wider than a third."""
    space = Space("matrix", {"C": LogUniform(1e-3, 1e3)})
    values = [settings_at(space, i, 0)["C"] for i in range(1, 9)]
    places = np.sort((np.log10(values) + 3) / 6)
    assert np.diff(np.r_[0, places, 1]).max() < 1 / 3


def test_ranges_keep_to_their_ends():
    for u in (0.0, 0.5, 1 - 1e-12):
        assert 1 <= LogInteger(1, 60).at(u) <= 60
        assert 0.01 <= LogUniform(0.01, 100).at(u) <= 100
        assert OneOf(("a", "b")).at(u) in ("a", "b")
    assert [LogInteger(3, 3).at(0.2), LogInteger(1, 2).at(0.0), LogInteger(1, 2).at(0.999)] == [
        3,
        1,
        2,
    ]


def test_models_are_found_by_name():
    assert [e.name for e in families("classifier", 100, ["RidgeClassifier"])] == ["RidgeClassifier"]
    with pytest.raises(ParameterError, match="did you mean 'LogisticRegression'"):
        families("classifier", 100, ["LogistiRegression"])
    with pytest.raises(ParameterError, match="Ridge is a regressor, but the task"):
        families("classifier", 100, ["Ridge"])


def test_large_tables_leave_slow_models_out():
    small = {e.name for e in families("classifier", 100)}
    large = {e.name for e in families("classifier", 10**9)}
    assert "KNeighborsClassifier" in small - large
    wide = {e.name for e in families("classifier", 100, columns=10_000)}
    assert small - wide == {"QuadraticDiscriminantAnalysis"}
    named = families("classifier", 10**9, ["KNeighborsClassifier"], columns=10**9)
    assert [e.name for e in named] == ["KNeighborsClassifier"]


def test_many_columns_fix_what_would_take_too_long():
    space = SPACES["RandomForestClassifier"]
    wide = space.for_many_columns()
    drawn = {settings_at(wide, i, seed=3)["max_features"] for i in range(20)}
    assert drawn == {"sqrt"}
    assert {settings_at(wide, i, seed=3)["min_samples_leaf"] for i in range(1, 20)} > {1, 2}
    assert len({settings_at(space, i, seed=3)["max_features"] for i in range(1, 20)}) == 4


def test_forests_of_numbers_look_at_a_third_of_the_columns_of_a_large_table():
    space = SPACES["RandomForestRegressor"]
    large = space.for_many_cells()
    assert {settings_at(large, i, seed=3)["max_features"] for i in range(20)} == {0.3}
    assert {settings_at(large, i, seed=3)["min_samples_leaf"] for i in range(1, 20)} > {1, 2}
    assert SPACES["RandomForestClassifier"].for_many_cells() == SPACES["RandomForestClassifier"]


def test_the_shape_of_the_table_decides_what_is_tried(rng):
    forest = "RandomForestRegressor"
    for rows, columns, fixed in ((100, 3, None), (100, 301, "sqrt"), (5_100, 99, 0.3)):
        frame = pl.DataFrame(rng.normal(size=(rows, columns + 1))).rename({"column_0": "y"})
        problem = pose_problem(frame, Settings(target="y"))
        bench = Workbench(problem, REGRESSION, REGRESSION[0], seed=0)
        assert bench.space(forest).fixed.get("max_features") == fixed
