"""Names, task, baseline and seeds of the models of a comparison."""

import pytest
from sklearn.cluster import KMeans
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from gramian.base.errors import DataError, ParameterError
from gramian.evaluate.comparison.compared_models import add_baseline, name_models, seeded, task_of


def test_unnamed_models_are_named_after_their_class_and_numbered():
    first, second, third = GaussianNB(), GaussianNB(), GaussianNB()
    named = name_models([first, ("GaussianNB 2", second), third])
    assert list(named) == ["GaussianNB", "GaussianNB 2", "GaussianNB 3"]
    assert list(named.values()) == [first, second, third]
    assert name_models({3: first}) == {"3": first}
    with pytest.raises(ParameterError, match="must be unique; got 'a' twice"):
        name_models([("a", first), ("a", second)])


def test_the_task_matches_all_models():
    assert task_of({"a": GaussianNB(), "b": make_pipeline(GaussianNB())}) == "classifier"
    assert task_of({"a": Ridge()}) == "regressor"
    for models, phrase in (
        ({}, "models is empty"),
        ({"a": GaussianNB(), "b": Ridge()}, "got both"),
        ({"a": GaussianNB(), "b": KMeans()}, "'b' is neither"),
        ({"a": GaussianNB}, "'a' is neither"),
    ):
        with pytest.raises(DataError, match=phrase):
            task_of(models)


def test_the_baseline_suits_the_task_and_has_a_name_of_its_own():
    named = {"baseline": GaussianNB()}
    assert add_baseline(named, None, "classifier") is None
    assert add_baseline(named, "dummy", "classifier") == "baseline'"
    assert isinstance(named["baseline'"], DummyClassifier)
    numeric = {"a": Ridge()}
    assert add_baseline(numeric, "dummy", "regressor") == "baseline"
    assert isinstance(numeric["baseline"], DummyRegressor)
    with pytest.raises(ParameterError, match="must be a regressor like the models"):
        add_baseline(numeric, GaussianNB(), "regressor")


def test_seeds_are_set_where_none_is_given_and_only_in_the_copy():
    model = make_pipeline(RandomForestClassifier())
    fresh = seeded(model, 7)
    assert fresh[0].random_state == 7
    assert model[0].random_state is None
    assert seeded(make_pipeline(RandomForestClassifier(random_state=1)), 7)[0].random_state == 1
    assert seeded(model, None)[0].random_state is None
