"""Entries are found by their name and by their class, and by nothing else."""

import pytest

from gramian import Ridge, distributions
from gramian.base.catalogue import (
    DISTRIBUTIONS,
    ESTIMATORS,
    MODELS,
    RECORDS,
    entry,
    entry_of,
    resolve,
)
from gramian.base.kinds import Estimator


def test_an_entry_knows_its_name_and_its_class():
    found = entry("Ridge")
    assert found.name == "Ridge"
    assert found.kind == "regressor"
    assert found.resolve() is Ridge
    assert entry_of(Ridge) == found


def test_a_name_outside_the_catalogue_has_no_entry():
    assert entry("sklearn.linear_model.Ridge") is None
    assert entry("Rdige") is None


def test_a_class_of_the_same_name_has_no_entry():
    assert entry_of(type("Ridge", (), {})) is None
    assert entry_of(type("Rdige", (), {})) is None


def test_names_and_paths_are_unique():
    names = [e.name for e in ESTIMATORS]
    assert len(names) == len(set(names))
    paths = [e.path for e in ESTIMATORS] + [*RECORDS.values(), *MODELS.values()]
    assert len(paths) == len(set(paths))


@pytest.mark.parametrize("found", ESTIMATORS, ids=lambda e: e.name)
def test_every_entry_is_an_estimator_of_its_name(found):
    assert issubclass(found.resolve(), Estimator)
    assert found.resolve().__name__ == found.name


def test_a_path_that_does_not_exist_is_an_error():
    with pytest.raises(AttributeError):
        resolve("gramian.tree.Shrub")
    with pytest.raises(ModuleNotFoundError):
        resolve("gramian.shrubs.Shrub")


def test_every_distribution_is_listed():
    public = [getattr(distributions, name) for name in distributions.__all__]
    found = {c for c in public if isinstance(c, type) and issubclass(c, distributions.Distribution)}
    assert {resolve(path) for path in DISTRIBUTIONS.values()} == found - {
        distributions.Distribution
    }
