import inspect
import warnings

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import gramian
from gramian.base.errors import DataError, ParameterError
from gramian.base.overflow import GUARDED, guarded

rng = np.random.default_rng(0)
X = rng.normal(size=(40, 3)) + 3 * (np.arange(40) % 2)[:, None]
numbers = X @ [1.0, 2.0, 3.0]
labels = np.arange(40) % 2
ONES = np.ones(40)
WILD = 10.0 ** np.linspace(-300, 300, 40)
f32 = np.float32

# What strangers found: errors of LAPACK and NumPy, and NaN with a RuntimeWarning only.
CASES = [
    *[
        (cls, {}, (X * 1e20).astype(f32), None, None)
        for cls in ("EmpiricalCovariance", "ShrunkCovariance", "LedoitWolf", "OAS", "PCA",
                    "FactorAnalysis", "IncrementalPCA")
    ],
    ("LogisticRegressionCV", {"Cs": 2, "cv": 2}, X, labels, ONES * 5e-324),
    ("LogisticRegression", {}, X, labels, ONES * 5e-324),
    ("LogisticRegression", {"l1_ratio": 0.5, "solver": "saga"}, X, np.arange(40) % 3,
     ONES * 1e-310),
    ("LinearSVC", {}, X, labels, ONES * 5e-324),
    ("SGDRegressor", {"max_iter": 5}, X, numbers, np.where(labels == 0, 1e300, 5e-324)),
    ("KernelRidge", {"kernel": "rbf", "gamma": "scale"}, X / 10 * 1e-160, numbers, None),
    ("AdaBoostRegressor", {"n_estimators": 10, "learning_rate": 100.0, "loss": "exponential",
                           "random_state": 0}, X, numbers, None),
    ("BaggingRegressor", {"estimator": gramian.KNeighborsRegressor(2), "n_estimators": 3}, X,
     numbers, ONES * 1e300),
    ("BaggingClassifier", {"estimator": gramian.KNeighborsClassifier(2), "n_estimators": 3}, X,
     labels, ONES * 1e300),
    ("SmoothingSpline", {"max_iter": 5}, X, numbers, WILD),
    ("HuberRegressor", {}, X * 1e-160, numbers, None),
    ("HuberRegressor", {}, X, numbers * 1e-160, None),
    ("BayesianRidge", {}, (X / 10 * 1e38).astype(f32), numbers, None),
    ("LinearProgramClassifier", {}, X * 1e-320, labels, None),
    ("RidgeCV", {}, X.astype(f32), numbers / 10 * 1e300, None),
    *[
        (cls, {}, X.astype(f32), numbers / 10 * size, None)
        for cls in ("RidgeCV", "LinearRegression", "Lasso", "BayesianRidge", "KernelRidgeCV",
                    "QuantileRegressor", "PoissonRegressor", "GradientBoostingRegressor", "SVR")
        for size in (1e39, 1e60)
    ],
    *[
        (cls, {}, (X / 10 * size).astype(f32), labels, None)
        for cls in ("LinearDiscriminantAnalysis", "NearestCentroid", "Perceptron")
        for size in (1e38, 1e-38)
    ],
    ("RBFSampler", {}, (X / 10 * 3e38).astype(f32), None, None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "params", "table", "y", "w"), CASES)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_extreme_numbers_have_finite_answers_or_an_error_that_names_the_estimator(
    name, params, table, y, w
):
    model = getattr(gramian, name)(**params)
    weighted = {} if w is None else {"sample_weight": w}
    answers, refusal = [], ""
    try:
        model.fit(table, y, **weighted)
        methods = ("predict", "transform", "score_samples", "decision_function")
        answers = [getattr(model, m)(table) for m in methods if hasattr(model, m)]
    except (DataError, ParameterError) as error:
        refusal = str(error)
    assert answers or refusal or name.endswith(("Covariance", "Wolf", "OAS"))
    assert all(a.dtype.kind != "f" or np.isfinite(a).all() for a in answers)
    assert not refusal or name in refusal or name.removesuffix("CV") in refusal


def test_targets_beyond_float32_are_refused_with_advice_where_the_predictions_are_float32():
    single = X.astype(f32)
    fitted = "at most where X is float32, as .* X as float64, or divide y by a constant"
    with pytest.raises(DataError, match=rf"^LinearRegression: fit overflows; y .*{fitted}"):
        gramian.LinearRegression().fit(single, numbers * 1e60)
    model = gramian.GradientBoostingRegressor(n_estimators=3).fit(single, numbers * 1e60)
    advice = "in float32 can be 3.4e.38 at most. Fit and predict with X and y in float64, or divide"
    with pytest.raises(DataError, match=rf"^GradientBoostingRegressor: predict overf.*{advice}"):
        model.predict(single)
    model = gramian.GradientBoostingRegressor(n_estimators=3).fit(X, numbers * 1e60)
    assert np.isfinite(model.predict(X)).all()


def test_means_of_huge_targets_are_finite():
    y = np.array([1.7e308, 1.7e308, -1.7e308, 1.0])
    model = gramian.RadiusNeighborsRegressor(radius=1.5).fit(np.arange(4.0)[:, None], y)
    expected = [1.7e308, 1.7e308 / 3, 1.0 / 3, -0.85e308]
    np.testing.assert_allclose(model.predict(np.arange(4.0)[:, None]), expected, rtol=1e-15, atol=1)


def test_a_layer_too_large_for_the_memory_is_named():
    message = r"MLPRegressor: fit is not possible with hidden_layer_sizes=\(1000000000000000,\)"
    with pytest.raises(ParameterError, match=message):
        gramian.MLPRegressor(hidden_layer_sizes=(10**15,)).fit(X, numbers)


def test_a_row_without_neighbors_is_no_overflow():
    model = gramian.RadiusNeighborsRegressor(radius=3.0).fit(X, numbers.astype(f32))
    with pytest.warns(UserWarning, match="no neighbors within"):
        answer = model.predict(np.vstack([X[:1], X[:1] + 1e4]))
    assert answer.dtype == f32
    np.testing.assert_array_equal(np.isnan(answer), [False, True])


class Squares:
    """Adds up squares without a thought of overflow."""

    def __init__(self, power=2.0):
        self.power = power

    def fit(self, X, y=None):
        self.sum_ = (np.asarray(X) ** self.power).sum()
        return self

    def predict(self, X):
        return np.exp(np.asarray(X)[:, 0])


@pytest.mark.parametrize(
    ("table", "phrase"),
    [
        (np.full((2, 2), 1e200), "Squares: fit overflows; X must contain numbers whose squares"),
        (np.full((2, 2), 1e20, dtype=f32), "finite in float32, got numbers of size 1e\\+20. Scale"),
    ],
)
def test_an_overflow_in_numpy_names_the_array(table, phrase):
    with pytest.raises(DataError, match=phrase):
        guarded("fit", Squares.fit)(Squares(), table)


def test_an_extreme_parameter_is_named():
    with pytest.raises(ParameterError, match=r"fit is not possible with power=1e\+300"):
        guarded("fit", Squares.fit)(Squares(1e300), np.full((2, 2), 3.0))


def test_a_parameter_in_single_precision_is_compared_without_a_warning():
    with pytest.warns(RuntimeWarning, match="overflow") as caught:
        guarded("fit", Squares.fit)(Squares(np.float32(20)), np.full((2, 2), 1e20))
    assert len(caught) == 1


@pytest.mark.parametrize("name", ["LogisticRegression", "KMeans", "PCA", "MLPClassifier"])
def test_an_unfitted_estimator_says_so_whatever_the_numbers(name):
    model = getattr(gramian, name)(max_iter=10**8) if name != "PCA" else gramian.PCA()
    method = model.transform if name == "PCA" else model.predict
    for size in (1.0, 1e80, 1e-80):
        with pytest.raises(NotFittedError):
            method(X * size)


def test_an_error_of_a_users_function_stays_as_it_is():
    def kernel(A, B):
        raise ValueError("rows must be positive")

    with pytest.raises(ValueError, match=r"^rows must be positive$"):
        gramian.SVC(kernel=kernel, max_iter=10**8).fit(X * 1e-80, labels)


def test_an_answer_beyond_all_floats_is_an_error_if_numbers_are_extreme_and_else_a_warning():
    predict = guarded("predict", Squares.predict)
    assert predict(Squares(), np.zeros((2, 2))).tolist() == [1, 1]
    with pytest.raises(DataError, match="Squares: predict overflows"):
        predict(Squares(), np.full((2, 2), 1e80))
    with pytest.warns(RuntimeWarning, match="Squares: overflow in predict; check the result"):
        predict(Squares(), np.full((2, 2), 1e4))


class Ratio:
    """Divides by the first column without a thought of zeros."""

    def fit(self, X, y=None):
        self.ratio_ = np.asarray(X)[:, 1] / np.asarray(X)[:, 0]
        return self

    def predict(self, X):
        return np.asarray(X)[:, 1] / np.asarray(X)[:, 0] > 0


@pytest.mark.parametrize(("name", "values"), [("fit", "fitted values"), ("predict", "result")])
def test_a_warning_of_numpy_about_ordinary_numbers_names_the_estimator(name, values):
    method = guarded(name, getattr(Ratio, name))
    with pytest.warns(RuntimeWarning, match=f"Ratio: divide by zero in {name}; check the {values}"):
        method(Ratio(), np.array([[0.0, 1.0], [1.0, 1.0]]))


def test_labels_of_an_overflow_are_an_error():
    table = np.array([[1e-200, 1e200]])
    with pytest.raises(DataError, match="Ratio: predict overflows; X must contain"):
        guarded("predict", Ratio.predict)(Ratio(), table)


def test_a_member_and_its_ensemble_warn_once():
    class Ensemble(Ratio):
        def fit(self, X, y=None):
            np.log(np.zeros(1))  # noted before the member starts
            with pytest.warns(RuntimeWarning, match="Ratio: divide"):
                guarded("fit", Ratio.fit)(Ratio(), X)
            guarded("predict", Ratio.predict)(Ratio(), np.ones((1, 2)))
            return self

    with pytest.warns(RuntimeWarning, match="Ensemble: divide") as record:
        guarded("fit", Ensemble.fit)(Ensemble(), np.array([[0.0, 1.0]]))
    assert len(record) == 1


def test_warnings_of_ordinary_numbers_stay_silent_and_signatures_stay():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gramian.Ridge().fit(X, numbers).predict(X).shape == (40,)
    assert list(inspect.signature(gramian.Ridge.fit).parameters)[:3] == ["self", "X", "y"]
    assert all(hasattr(getattr(gramian.PCA, m), "__guarded__") for m in GUARDED if m == "transform")


def test_an_answer_in_another_byte_order_is_accepted():
    selector = gramian.StepwiseSelector().fit(X, X[:, 0])
    rows = selector.transform(X)
    swapped = selector.inverse_transform(rows.astype(rows.dtype.newbyteorder(">")))
    np.testing.assert_array_equal(swapped, selector.inverse_transform(rows))


def test_errstate_of_the_caller_decides_what_replaces_the_warning():
    predict, zero = guarded("predict", Ratio.predict), np.array([[0.0, 1.0], [1.0, 1.0]])
    for setting in ("ignore", "raise"):
        with np.errstate(divide=setting), warnings.catch_warnings():
            warnings.simplefilter("error")
            if setting == "ignore":
                assert predict(Ratio(), zero).tolist() == [True, True]
            else:
                with pytest.raises(FloatingPointError, match="Ratio: divide by zero in predict"):
                    predict(Ratio(), zero)


@pytest.mark.parametrize("setting", ["raise", "ignore", "warn"])
@pytest.mark.parametrize("name", ["LogisticRegression", "GaussianMixture", "SVC", "MLPClassifier"])
def test_errstate_of_the_caller_changes_no_result(name, setting):
    """Exponentials of large negative numbers underflow, which is no error."""
    params = {"random_state": 0} if name in ("GaussianMixture", "MLPClassifier") else {}
    params |= {"max_iter": 5} if name == "MLPClassifier" else {}
    model = getattr(gramian, name)(**params)
    far = X * 300.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = model.fit(far, labels).predict(far)
        with np.errstate(all=setting):
            np.testing.assert_array_equal(model.fit(far, labels).predict(far), expected)


def test_large_numbers_are_an_error_whatever_errstate_is():
    with np.errstate(all="ignore"), pytest.raises(DataError, match="PCA: fit overflows"):
        gramian.PCA().fit((X * 1e20).astype(f32))


def test_a_fit_that_overflows_leaves_the_earlier_model():
    """The overflow is found when the fit has ended."""
    model = gramian.PCA().fit(X)
    before = vars(model).copy()
    with pytest.raises(DataError, match="overflows"):
        model.fit((X[:20] * 1e20).astype(f32))
    assert vars(model) == before


def test_methods_that_depend_on_a_member_are_guarded_too():
    """Those of `available_if`."""
    model = gramian.OneVsRestClassifier(gramian.LogisticRegression(tol=1e-10)).fit(X, labels)
    assert hasattr(inspect.getattr_static(type(model), "decision_function").fn, "__guarded__")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DataError, match="OneVsRestClassifier: decision_function overflows"):
            model.decision_function((X / 10 * 3e38).astype(f32))


def test_an_error_that_names_no_estimator_gets_the_name_of_its_own():
    rows = np.arange(12.0).reshape(6, 2)
    with pytest.raises(ParameterError, match=r"^PoissonRegressor: L2: strength must be finite"):
        gramian.PoissonRegressor(alpha=np.inf).fit(rows, np.arange(6.0))
    large = rows.astype(np.float32)
    large[3, 1] = 3e38
    with pytest.raises(DataError, match=r"^LogisticRegression: X must contain values whose"):
        gramian.LogisticRegression(l1_ratio=1.0).fit(large, [0, 1, 2, 0, 1, 2])
