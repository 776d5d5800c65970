"""Every model that the command can make, in ONNX Runtime as in Python."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.decomposition import PCA
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler

import gramian
from gramian import BayesDecision, TablePreparer, to_onnx
from gramian.base.catalogue import ESTIMATORS
from gramian.base.errors import DataError
from gramian.export import onnx_inputs
from gramian.export.onnx.models import CONVERTERS
from gramian.study.search.spaces import SPACES
from gramian.study.search.trial import Candidate
from tests.export.onnx.tables import answers, new_rows, shop
from tests.export.onnx.test_models import NOT_WRITTEN
from tests.study.workbench import bench_of

pytest.importorskip("onnx", reason="needs the extra onnx")
pytest.importorskip("onnxruntime", reason="ONNX Runtime checks the answers")

KINDS = {e.name: e.kind for e in ESTIMATORS}
SEARCHED = [name for name in SPACES if name in KINDS and name not in NOT_WRITTEN]
SETTINGS = {
    "KNeighborsClassifier": [{}, {"weights": "distance", "p": 1}, {"n_neighbors": 1}],
    "KNeighborsRegressor": [{}, {"weights": "distance", "p": 1}],
    "QuadraticDiscriminantAnalysis": [{"singular": "drop"}, {"reg_param": 0.3}],
}
SIZES = {"n_estimators": 20}
CASES = [
    (name, target, params)
    for name in SEARCHED
    for target in (("two", "three") if KINDS[name] == "classifier" else ("price",))
    for params in SETTINGS.get(name, [SIZES])
]


def fitted(name, target, params):
    others = [c for c in ("two", "three", "price") if c != target]
    bench, splits, _ = bench_of(shop(), target=target, drop=tuple(others))
    return bench.fitted_pipeline(Candidate(name, params), splits.development)


def assert_same(model, table, found=None):
    found = found or answers(to_onnx(model), onnx_inputs(model, table))
    named = {name.removesuffix("_1"): values for name, values in found.items()}  # of "label"
    if "variable" in named:
        expected = np.asarray(model.predict(table)).reshape(len(named["variable"]), -1)
        assert_allclose(named["variable"], expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
        return
    assert_array_equal(named["label"], np.asarray(model.predict(table)))
    if hasattr(model, "predict_proba"):
        assert_allclose(named["probabilities"], model.predict_proba(table), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "target", "params"), CASES, ids=str)
def test_a_model_of_the_command_predicts_the_same(name, target, params):
    model = fitted(name, target, params)
    for table in (shop(), new_rows()):
        assert_same(model, table)


def test_every_column_is_an_input_by_its_name():
    model = fitted("LogisticRegression", "two", {})
    found = to_onnx(model)
    inputs = {value.name: value.doc_string for value in found.graph.input}
    assert list(inputs) == ["label", "income, net", "town", "street", "when", "flag"]
    assert inputs["town"] == "categorical; '' if missing"
    assert inputs["when"].startswith("days since 1970-01-01")
    assert [output.name for output in found.graph.output] == ["label_1", "probabilities"]


@pytest.mark.parametrize("reject", [None, 0.303])  # no sum of votes makes such a tie
@pytest.mark.parametrize("costs", [None, [[0, 1], [20, 0]]])
def test_decisions_by_costs_are_the_same(costs, reject):
    model = BayesDecision(
        fitted("RandomForestClassifier", "two", SIZES), costs=costs, reject=reject
    )
    assert_same(model, new_rows())
    if reject is not None:
        assert (model.predict(new_rows()) == "reject").any()


def test_classes_and_rejections_may_be_numbers():
    inner = fitted("LogisticRegression", "three", {})
    assert_same(BayesDecision(inner, reject=0.3, reject_label=-1), new_rows())
    with pytest.raises(DataError, match="reject_label 'reject' must have the same type"):
        to_onnx(BayesDecision(inner, reject=0.3))


@pytest.mark.parametrize("settings", [{"reject": 0.3}, {"costs": [[0, 1], [20, 0], [3, 3]]}])
def test_decisions_have_a_probability_for_each_class_not_for_each_action(settings):
    model = BayesDecision(fitted("LogisticRegression", "two", {}), **settings)
    (found,) = [o for o in to_onnx(model).graph.output if o.name == "probabilities"]
    assert found.type.tensor_type.shape.dim[1].dim_value == 2


def test_clusters_have_the_same_numbers():
    columns = shop().select("label", "income, net", "town")
    preparer = TablePreparer().fit(columns)
    clusters = gramian.KMeans(3, random_state=0).fit(preparer.transform(columns))
    model = Pipeline([("prepare", preparer), ("model", clusters)])
    assert_same(model, new_rows().select(columns.columns))


OTHERS = [
    e for e in ESTIMATORS
    if e.kind in ("classifier", "regressor") and e.path.split(".")[1] in ("linear_model", "svm")
]  # fmt: skip
REFUSED = {"LinearProgramClassifier", "SigmoidDiscriminant", "VotedPerceptron"}
OTHERS = [e for e in OTHERS if e.name in CONVERTERS or e.name in REFUSED]


@pytest.mark.slow
@pytest.mark.parametrize("entry", OTHERS, ids=lambda e: e.name)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_linear_models_predict_the_same_or_raise_by_name(entry, dtype):
    table = shop().select("label", "price", "three", "two")
    X = StandardScaler().fit_transform(table.select("label", "price").to_numpy()).astype(dtype)
    regression = entry.kind == "regressor"
    targets = (
        [np.abs(table["price"].to_numpy()) / 100] if regression else [table["two"], table["three"]]
    )
    for y in targets:
        model = entry.resolve()().fit(X, np.asarray(y))
        if entry.name in REFUSED:
            with pytest.raises(DataError, match=f"step 'model': {entry.name} cannot be exported"):
                to_onnx(model)
            continue
        inputs = onnx_inputs(model, X, dtype=dtype)
        assert_same(model, X, answers(to_onnx(model, dtype=dtype), inputs))


@pytest.mark.parametrize("p", [1, 2, 3, np.inf])
def test_neighbors_by_every_minkowski_metric(p):
    X = shop().select("label", "price").to_numpy().astype(float)
    model = gramian.KNeighborsClassifier(7, p=p, weights="distance").fit(X, shop()["three"])
    assert_same(model, X, answers(to_onnx(model, dtype="float64"), {"X": X}))
    queries = X + 0.123
    assert_same(model, queries, answers(to_onnx(model, dtype="float64"), {"X": queries}))


@pytest.mark.parametrize(
    "scaler", [StandardScaler(), StandardScaler(with_mean=False), RobustScaler(), MaxAbsScaler(),
               MinMaxScaler((-1, 2)), "passthrough"], ids=str,
)  # fmt: skip
def test_scalers_of_scikit_learn_are_exported(scaler):
    X = shop().select("label", "price").to_numpy().astype(float)
    model = make_pipeline(scaler, gramian.DecisionTreeClassifier(max_depth=4)).fit(X, shop()["two"])
    assert_same(model, X, answers(to_onnx(model, dtype="float64"), {"X": X}))


def test_unsupported_steps_are_named(tmp_path):
    X = shop().select("label", "price").to_numpy().astype(float)
    y = shop()["two"].to_numpy()
    with pytest.raises(DataError, match="step 'pca': PCA cannot be exported"):
        to_onnx(make_pipeline(PCA(1), gramian.LogisticRegression()).fit(X, y))
    with pytest.raises(DataError, match="KNeighborsClassifier: the metric 'cosine' cannot be"):
        to_onnx(gramian.KNeighborsClassifier(metric="cosine").fit(X, y))
    with pytest.raises(DataError, match="callable weights cannot be exported"):
        to_onnx(gramian.KNeighborsClassifier(weights=np.ones_like).fit(X, y))
    texts = pl.DataFrame({"note": ["a b c", "b c d"] * 20, "size": range(40)})
    kinds = {"note": "text", "size": "numeric"}
    model = make_pipeline(TablePreparer(kinds), gramian.LogisticRegression()).fit(
        texts, ["x", "y"] * 20
    )
    with pytest.raises(DataError, match="TablePreparer: the text column 'note' cannot be exported"):
        to_onnx(model, tmp_path / "model.onnx")
    assert list(tmp_path.iterdir()) == []


def test_a_model_is_written_to_a_file(tmp_path):
    import onnx

    model = fitted("Ridge", "price", {})
    to_onnx(model, tmp_path / "model.onnx")
    assert_same(
        model, shop(), answers(onnx.load(tmp_path / "model.onnx"), onnx_inputs(model, shop()))
    )


def test_inputs_need_all_columns():
    model = fitted("Ridge", "price", {})
    with pytest.raises(DataError, match="the table has no column 'town'"):
        onnx_inputs(model, shop().drop("town"))


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    tree = gramian.C45Classifier().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    with pytest.raises(OSError, match=r"create the folder first: .*absent"):
        to_onnx(tree, tmp_path / "absent" / "model.onnx")
    path = tmp_path / "model.onnx"
    path.write_bytes(b"old")
    found = to_onnx(tree, path)
    assert path.read_bytes() == found.SerializeToString()
    assert [file.name for file in tmp_path.iterdir()] == ["model.onnx"]
