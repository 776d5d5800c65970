"""`load` rejects models with incomplete or contradictory attributes."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, LabelEncoder, OneHotEncoder, StandardScaler

import gramian
from gramian.base.errors import ModelFileError
from tests.base.files.forging import forge, npy

ROWS = np.random.default_rng(0).normal(size=(60, 3))
CODES = np.arange(60) % 3
WORDS = np.array(["ash", "birch", "cedar"])[CODES]


def forged(model, path, change):
    gramian.save(model, path)
    forge(path, change)
    return path


def without(name):
    return lambda root, parts: root["fitted"].pop(name)


def with_value(name, value):
    return lambda root, parts: root["fitted"].update({name: value})


NAMES = {"strings": ["a", "b"], "shape": [2], "dtype": "U"}


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (gramian.Lasso(), without("coef_")),
        (gramian.Lasso(), without("intercept_")),
        (gramian.Lasso(), without("n_features_in_")),
        (gramian.Lasso(), with_value("n_features_in_", "3")),
        (gramian.Lasso(), with_value("n_features_in_", -3)),
        (gramian.Lasso(), with_value("coef_", NAMES)),
        (gramian.Lasso(), with_value("intercept_", "0")),
        (gramian.GaussianNB(), without("classes_")),
        (gramian.GaussianNB(), with_value("classes_", 7)),
        (gramian.LogisticRegression(), with_value("classes_", NAMES)),
        (gramian.LinearSVC(), with_value("classes_", NAMES)),
        (gramian.PCA(2), without("components_")),
        (gramian.PCA(2), with_value("components_", [[1, 2], [3, 4]])),
        (gramian.RandomForestClassifier(3), with_value("classes_", NAMES)),
        (gramian.KMeans(3), without("cluster_centers_")),
    ],
)
def test_a_model_that_cannot_predict_is_refused(model, change, tmp_path):
    y = CODES.astype(float) if hasattr(model, "alpha") else WORDS
    path = forged(model.fit(ROWS, y), tmp_path / "model.gram", change)
    with pytest.raises(ModelFileError, match="load: "):
        gramian.load(path)


def test_arrays_that_were_exchanged_are_refused(tmp_path):
    def change(root, parts):
        fitted = root["fitted"]
        fitted["coef_"], fitted["intercept_"] = fitted["intercept_"], fitted["coef_"]

    path = forged(gramian.RidgeClassifier().fit(ROWS, WORDS), tmp_path / "model.gram", change)
    with pytest.raises(ModelFileError, match="contradict each other"):
        gramian.load(path)


def test_the_message_names_the_model_and_what_to_do_in_one_line(tmp_path):
    change = with_value("cluster_centers_", [[1.0]])
    path = forged(gramian.KMeans(3).fit(ROWS), tmp_path / "model.gram", change)
    with pytest.raises(ModelFileError) as error:
        gramian.load(path)
    assert "file's KMeans contradict each other" in str(error.value)
    assert str(error.value).endswith("fit and save it again.")
    assert "\n" not in str(error.value)


def test_classes_of_a_member_must_match_its_scores(tmp_path):
    """Its predictions for other rows than those checked would index outside an array."""

    def change(root, parts):
        members = root["fitted"]["estimators_"]
        members[0]["fitted"]["classes_"] = NAMES

    model = gramian.AdaBoostClassifier(gramian.DecisionTreeClassifier(max_depth=3), n_estimators=2)
    path = forged(model.fit(ROWS, WORDS), tmp_path / "model.gram", change)
    with pytest.raises(ModelFileError, match="load: "):
        gramian.load(path)


def test_a_forged_number_of_columns_takes_no_memory(tmp_path):
    path = forged(
        gramian.GaussianNB().fit(ROWS, WORDS),
        tmp_path / "model.gram",
        with_value("n_features_in_", 10**12),
    )
    with pytest.raises(ModelFileError):
        gramian.load(path)


def words_and_numbers():
    table = pd.DataFrame({"a": ROWS[:, 0], "town": WORDS, "b": ROWS[:, 1]})
    table.loc[3, "town"] = None
    missing = SimpleImputer(strategy="constant", fill_value="none at all")
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["a", "b"]),
            ("words", make_pipeline(missing, OneHotEncoder()), ["town"]),
        ]
    )
    return make_pipeline(columns, gramian.LogisticRegression()), table


def test_pipelines_with_text_columns_are_checked_too(tmp_path):
    model, table = words_and_numbers()
    model.fit(table, WORDS)
    path = gramian.save(model, tmp_path / "model.gram")
    np.testing.assert_array_equal(gramian.load(path).predict(table), model.predict(table))

    def change(root, parts):
        root["pipeline"][-1][1]["fitted"].pop("coef_")

    with pytest.raises(ModelFileError, match="incomplete"):
        gramian.load(forged(model, path, change))


def test_models_that_reject_the_synthetic_rows_still_load(tmp_path):
    """The synthetic rows are far from all others, or contain categories unknown to the encoder."""
    far = gramian.RadiusNeighborsClassifier(radius=1e-9).fit(ROWS + 50, WORDS)
    table = pd.DataFrame({"town": WORDS})
    missing = SimpleImputer(strategy="constant", fill_value="none at all")
    words = make_pipeline(missing, OneHotEncoder(), gramian.Ridge()).fit(table, CODES)
    counts = gramian.CategoricalNB().fit(CODES[:, None], WORDS)
    for model, rows in ((far, ROWS + 50), (words, table), (counts, CODES[:, None])):
        copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
        np.testing.assert_array_equal(copy.predict(rows), model.predict(rows))


def test_unfitted_models_and_steps_without_columns_load(tmp_path):
    unfitted = gramian.PCA(2).set_output(transform="pandas")
    labels = LabelEncoder().fit(WORDS)
    same = make_pipeline(FunctionTransformer(), gramian.Ridge()).fit(ROWS, CODES)
    for model in (unfitted, labels, same):
        assert type(gramian.load(gramian.save(model, tmp_path / "m.gram"))) is type(model)

    def change(root, parts):
        root["pipeline"][-1][1]["fitted"].pop("coef_")

    with pytest.raises(ModelFileError):  # behind a step that knows no columns
        gramian.load(forged(same, tmp_path / "m.gram", change))


def test_a_study_of_all_kinds_of_columns_loads(tmp_path):
    pl = pytest.importorskip("polars")
    days = pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 2, 29), eager=True)
    table = pl.DataFrame(
        {"x": ROWS[:, 0], "town": WORDS, "day": days, "note": ["a b c"] * 59 + [None]}
    )
    kinds = {"x": "numeric", "town": "categorical", "day": "date", "note": "text"}
    preparer = gramian.TablePreparer(kinds)
    model = make_pipeline(preparer, gramian.LogisticRegression()).fit(table, WORDS)
    path = gramian.save(model, tmp_path / "model.gram")
    np.testing.assert_array_equal(gramian.load(path).predict(table), model.predict(table))

    def change(root, parts):
        root["pipeline"][0][1]["fitted"].pop("levels_")

    with pytest.raises(ModelFileError):
        gramian.load(forged(model, path, change))


def test_the_check_gives_no_warnings_and_does_not_change_the_model(tmp_path):
    table = pd.DataFrame(ROWS, columns=list("abc"))
    model = gramian.LogisticRegression().fit(table, WORDS)
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))  # warnings are errors here
    assert vars(copy).keys() == vars(model).keys()
    np.testing.assert_array_equal(copy.coef_, model.coef_)


def test_an_array_may_be_of_another_type(tmp_path):
    """`fit` would give float64, but the model can predict with float32."""

    def change(root, parts):
        name = root["fitted"]["coef_"]["array"]
        parts[f"{name}.npy"] = npy(np.zeros(3, np.float32))

    path = forged(gramian.Lasso().fit(ROWS, CODES), tmp_path / "model.gram", change)
    assert np.isfinite(gramian.load(path).predict(ROWS)).all()
