"""Transformers of scikit-learn in model files: as they were, to the bit, or refused."""

import json
import zipfile

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.impute import KNNImputer, MissingIndicator, SimpleImputer
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    LabelEncoder,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    OneHotEncoder,
    OrdinalEncoder,
    PolynomialFeatures,
    PowerTransformer,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

import gramian
from gramian.base.errors import ModelFileError
from gramian.base.files.sklearn_steps import STEPS, path_of
from tests.base.files.forging import forge, npy, refusal, rewrite

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3)) * [1, 10, 100]
HOLED = np.where(RNG.random(X.shape) < 0.2, np.nan, X)
WORDS = np.array([["a", "x"], ["b", "y"], ["a", None], ["c", "x"]] * 10, dtype=object)
CODES = np.array([[3.0, 1.0], [1.0, np.nan], [3.0, 7.0], [2.0, 7.0]] * 10)
y = (X[:, 0] + X[:, 1] / 10 > 0).astype(int)
FRAME = pd.DataFrame(HOLED, columns=["p", "q", "r"]).assign(word=WORDS[:, 0], more=X[:, 1])
STEP_NAMES = [path.rpartition(".")[2] for path in STEPS]

NUMERIC = [
    StandardScaler(), StandardScaler(with_mean=False), StandardScaler(with_std=False),
    MinMaxScaler(feature_range=(-1, 1), clip=True), MaxAbsScaler(), RobustScaler(),
    RobustScaler(with_centering=False, unit_variance=True), Normalizer("l1"), Binarizer(),
    QuantileTransformer(n_quantiles=10, output_distribution="normal"), PowerTransformer(),
    PowerTransformer(standardize=False), PolynomialFeatures(), PolynomialFeatures((2, 3)),
    PolynomialFeatures(3, interaction_only=True, include_bias=False), FunctionTransformer(),
]  # fmt: skip
HOLES = [
    SimpleImputer(), SimpleImputer(strategy="constant", fill_value=-1.0, add_indicator=True),
    SimpleImputer(strategy="median"), KNNImputer(n_neighbors=3), KNNImputer(add_indicator=True),
    KNNImputer(weights="distance"), MissingIndicator(), MissingIndicator(features="all"),
]  # fmt: skip
CATEGORIES = [
    OneHotEncoder(), OneHotEncoder(sparse_output=False, dtype=np.float32, handle_unknown="ignore"),
    OneHotEncoder(drop="first"), OneHotEncoder(drop="if_binary"),
    OneHotEncoder(min_frequency=12, handle_unknown="infrequent_if_exist"),
    OneHotEncoder(max_categories=2, drop="first"), OrdinalEncoder(),
    OrdinalEncoder(
        handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2,
        dtype=np.int64,
    ),
    OrdinalEncoder(max_categories=2, encoded_missing_value=-9),
]  # fmt: skip
WORDS_ONLY = [SimpleImputer(strategy="most_frequent", missing_values=None)]
CASES = [
    *((step, X) for step in NUMERIC),
    *((step, HOLED) for step in HOLES),
    *((step, data) for step in CATEGORIES for data in (WORDS, CODES)),
    *((step, WORDS) for step in WORDS_ONLY),
    (FeatureUnion([("a", StandardScaler()), ("b", "passthrough")]), X),
    (
        FeatureUnion(
            [("a", StandardScaler()), ("b", MinMaxScaler())], transformer_weights={"a": 2}
        ),
        X,
    ),
]


def copied(model, folder):
    return gramian.load(gramian.save(model, folder / "model.gram"))


def same(first, second):
    first, second = (
        v.toarray() if hasattr(v, "toarray") else np.asarray(v) for v in (first, second)
    )
    assert first.dtype == second.dtype
    if first.dtype == object:
        assert first.tolist() == second.tolist()
    else:
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(("step", "data"), CASES, ids=lambda v: str(v)[:50] if v is not X else "X")
def test_a_transformer_comes_back_to_the_bit(step, data, tmp_path):
    step = sklearn.clone(step).fit(data)
    copy = copied(step, tmp_path)
    assert type(copy) is type(step)
    assert vars(copy).keys() == vars(step).keys()
    same(copy.transform(data), step.transform(data))
    if hasattr(step, "get_feature_names_out"):
        assert copy.get_feature_names_out().tolist() == step.get_feature_names_out().tolist()
    unfitted = copied(sklearn.clone(step), tmp_path)
    same(unfitted.fit(data).transform(data), step.transform(data))


def test_every_class_of_the_table_is_tested():
    tested = {type(step).__name__ for step, _ in CASES}
    assert tested | {"ColumnTransformer", "LabelEncoder"} == set(STEP_NAMES)


def test_label_encoders_come_back(tmp_path):
    for labels in (["b", "a", "b"], [3, 1, 2]):
        encoder = LabelEncoder().fit(labels)
        copy = copied(encoder, tmp_path)
        assert copy.inverse_transform(copy.transform(labels)).tolist() == labels


def pipeline(remainder="passthrough"):
    columns = ColumnTransformer(
        [
            ("numbers", make_pipeline(SimpleImputer(), StandardScaler()), ["p", "q"]),
            ("words", OneHotEncoder(handle_unknown="ignore"), ["word"]),
            ("gone", "drop", ["r"]),
        ],
        remainder=remainder,
    )
    return make_pipeline(columns, gramian.LogisticRegression())


@pytest.mark.parametrize("remainder", ["drop", "passthrough", MinMaxScaler()], ids=str)
def test_a_pipeline_of_theirs_and_ours_predicts_the_same_bits(remainder, tmp_path):
    model = pipeline(remainder).fit(FRAME, y)
    copy = copied(model, tmp_path)
    same(copy.predict_proba(FRAME), model.predict_proba(FRAME))
    assert copy[0].output_indices_ == model[0].output_indices_
    new = FRAME.iloc[::-1].assign(word="unseen")
    same(copy.predict_proba(new), model.predict_proba(new))


@pytest.mark.parametrize("columns", [slice(0, 2), [True, False, True], [0, -1]])
def test_columns_are_named_in_every_way_but_by_a_function(columns, tmp_path):
    model = ColumnTransformer([("a", StandardScaler(), columns)]).fit(X)
    same(copied(model, tmp_path).transform(X), model.transform(X))
    chosen = ColumnTransformer([("a", StandardScaler(), make_column_selector("p"))]).fit(FRAME)
    with pytest.raises(ModelFileError, match=r"transformers\[0\]\[2\] is a .*make_column_selector"):
        gramian.save(chosen, tmp_path / "model.gram")


def test_frames_come_out_where_they_did(tmp_path):
    model = ColumnTransformer([("a", StandardScaler(), ["p"])]).set_output(transform="pandas")
    model.fit(FRAME)
    assert copied(model, tmp_path).transform(FRAME).equals(model.transform(FRAME))


def test_the_file_has_json_and_arrays_alone(tmp_path):
    path = gramian.save(pipeline().fit(FRAME, y), tmp_path / "model.gram")
    with zipfile.ZipFile(path) as file:
        manifest = json.loads(file.read("manifest.json"))
        assert all(name.endswith((".npy", ".json")) for name in file.namelist())
    assert manifest["scikit-learn"] == sklearn.__version__
    assert manifest["root"]["pipeline"][0][1]["sklearn"] == "sklearn.compose.ColumnTransformer"


# --- what is refused -----------------------------------------------------------------------------


def test_what_a_file_cannot_hold_is_refused_with_advice(tmp_path):
    from sklearn.linear_model import LogisticRegression as Theirs

    path = tmp_path / "model.gram"
    with pytest.raises(ModelFileError, match=r"use gramian.linear_model.LogisticRegression in"):
        gramian.save(make_pipeline(StandardScaler(), Theirs()), path)
    with pytest.raises(ModelFileError, match=r"TargetEncoder.*it contains ColumnTransformer, KNN"):
        gramian.save(TargetEncoder(), path)
    with pytest.raises(ModelFileError, match=r"FunctionTransformer.func is a numpy.ufunc"):
        gramian.save(FunctionTransformer(np.log1p), path)
    scaler = StandardScaler().fit(X)
    scaler.note_ = 1
    with pytest.raises(ModelFileError, match=r"has the attribute 'note_', which this version of"):
        gramian.save(scaler, path)

    class Own(StandardScaler):
        pass

    with pytest.raises(ModelFileError, match="cannot store"):
        gramian.save(Own().fit(X), path)
    assert not path.exists()


@pytest.fixture
def scaler(tmp_path):
    return gramian.save(StandardScaler().fit(X), tmp_path / "scaler.gram")


def test_a_file_of_another_version_of_scikit_learn_says_so(scaler):
    def older(manifest, parts):
        manifest["scikit-learn"] = "1.4.0"
        manifest["root"]["fitted"]["std_"] = manifest["root"]["fitted"].pop("scale_")

    rewrite(scaler, older)
    message = f"saved with scikit-learn 1.4.0 and does not fit the installed {sklearn.__version__}"
    assert message in refusal(scaler)
    rewrite(scaler, lambda manifest, parts: manifest["root"]["fitted"].pop("std_"))
    assert "it lacks 'scale_'" in refusal(scaler)
    rewrite(scaler, lambda manifest, parts: manifest["root"]["params"].update(axis=0))
    assert "it sets 'axis'" in refusal(scaler)


@pytest.mark.parametrize("name", ["os.system", "sklearn.pipeline.Pipeline", "sklearn.svm.SVC", 3])
def test_a_class_outside_the_table_is_refused(scaler, name):
    rewrite(scaler, lambda manifest, parts: manifest["root"].update(sklearn=name))
    with pytest.raises(ModelFileError):
        gramian.load(scaler)


@pytest.mark.parametrize("name", ["fit", "transform", "__class__", "copy", "scale"])
def test_a_file_cannot_set_other_attributes(scaler, name):
    rewrite(scaler, lambda manifest, parts: manifest["root"]["fitted"].update({name: 1}))
    assert f"it sets {name!r}" in refusal(scaler)


def test_shapes_that_do_not_fit_are_refused(scaler):
    def change(root, parts):
        root["fitted"]["scale_"] = {"array": "forged"}
        parts["forged.npy"] = npy(np.ones(2))

    forge(scaler, change)
    assert "scale_ of the file's sklearn.preprocessing.StandardScaler is malformed" in refusal(
        scaler
    )


@pytest.mark.parametrize(
    "change",
    [
        {"_n_features_outs": [3, 2]},
        {"_n_features_outs": [99, 99]},
        {"_infrequent_enabled": True},
        {"drop_idx_": "x"},
        {"categories_": []},
        {"_drop_idx_after_grouping": {"objects": [0, 9], "shape": [2]}},
    ],
)
def test_codes_beyond_the_columns_are_refused(tmp_path, change):
    """The encoder builds a sparse matrix unchecked: such a file would write beyond its memory."""
    path = gramian.save(OneHotEncoder(sparse_output=False).fit(WORDS), tmp_path / "model.gram")
    rewrite(path, lambda manifest, parts: manifest["root"]["fitted"].update(change))
    assert "load:" in refusal(path)


def test_categories_out_of_order_are_refused(tmp_path):
    """Codes of numbers are found by bisection, which answers beyond the end of unsorted ones."""
    path = gramian.save(OneHotEncoder().fit(CODES[:, :1]), tmp_path / "model.gram")
    forge(path, lambda root, parts: parts.update({"a0.npy": npy(np.array([3.0, 2.0, 1.0]))}))
    assert "categories_" in refusal(path)


def test_more_terms_than_a_table_can_have_are_refused(tmp_path):
    path = gramian.save(PolynomialFeatures(2).fit(X), tmp_path / "model.gram")

    def change(manifest, parts):
        manifest["root"]["params"]["degree"] = 90
        manifest["root"]["fitted"].update(_max_degree=90, n_output_features_=1, _n_out_full=1)

    rewrite(path, change)
    assert "contradict each other" in refusal(path)


@pytest.mark.parametrize(
    "node",
    [
        {"objects": [[1]], "shape": [1]},
        {"objects": ["a"], "shape": [2]},
        {"objects": [{"scalar_type": "float64"}], "shape": [1]},
        {"slice": [0, 1]},
        {"slice": [0, [1], 2]},
        {"dtype": "V9999999999"},
        {"scalar_type": "datetime64"},
    ],
)
def test_values_out_of_form_are_refused(scaler, node):
    rewrite(scaler, lambda manifest, parts: manifest["root"]["params"].update(copy=node))
    assert "load:" in refusal(scaler)


def test_only_the_class_itself_is_of_the_table():
    assert path_of(StandardScaler) == "sklearn.preprocessing.StandardScaler"
    assert path_of(type("StandardScaler", (), {})) is None
    assert path_of(Pipeline) is None


@pytest.mark.parametrize("member", [{"estimator": "Ridge", "params": {}, "fitted": {}}, "x", 3])
def test_a_union_with_a_member_that_does_not_transform_is_refused(member, tmp_path):
    """The union is not tried: its first member has no columns."""
    path = gramian.save(
        FeatureUnion([("a", FunctionTransformer())]).fit(X), tmp_path / "model.gram"
    )
    assert gramian.load(path).transform(X).shape == X.shape
    pairs = [{"tuple": ["a", member]}]
    forge(path, lambda root, parts: root["params"].update(transformer_list=pairs))
    assert "parameters of the file's sklearn.pipeline.FeatureUnion" in refusal(path)
