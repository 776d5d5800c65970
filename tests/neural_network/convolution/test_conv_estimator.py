"""What classifier and regressor share: images, callbacks, files, early stopping, divergence."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian
from gramian.base.errors import ModelFileError
from gramian.neural_network import (
    BatchNorm,
    Conv,
    ConvClassifier,
    ConvRegressor,
    Dense,
    Dropout,
    FilterBank,
    LocallyConnected,
    Pool,
)


@pytest.fixture(scope="module")
def digits():
    found = load_digits()
    return (found.images / 16).astype(np.float32), found.target


def small(**settings):
    defaults = {"max_iter": 5, "batch_size": 50, "learning_rate_init": 0.01, "random_state": 0}
    return ConvClassifier([Conv(4, 3), Pool(2), Dense(16)], **{**defaults, **settings})


def test_tables_images_and_images_with_channels_give_one_model(digits):
    X, y = digits[0][:200], digits[1][:200]
    flat = small(input_shape=(8, 8, 1)).fit(X.reshape(200, -1), y)
    grey, deep = small().fit(X, y), small().fit(X[..., None], y)
    assert flat.input_shape_ == grey.input_shape_ == deep.input_shape_ == (8, 8, 1)
    np.testing.assert_array_equal(flat.predict_proba(X), grey.predict_proba(X[..., None]))
    np.testing.assert_array_equal(flat.predict_proba(X.reshape(200, -1)), deep.predict_proba(X))


def test_rows_are_predicted_in_parts_whose_borders_do_not_matter(digits):
    X, y = digits
    model = ConvClassifier([Conv(100, 3), Pool(2)], max_iter=1, random_state=0).fit(X[:60], y[:60])
    whole = model.decision_function(X[:400])  # about 150 rows at a time
    parts = np.vstack([model.decision_function(X[i : i + 50]) for i in range(0, 400, 50)])
    np.testing.assert_allclose(whole, parts, rtol=1e-4, atol=1e-5)
    maps = model.feature_maps(X[:3])[-1]
    np.testing.assert_allclose(maps, whole[:3], rtol=1e-4, atol=1e-5)


def test_images_of_bytes_are_computed_in_single_precision(digits):
    X, y = (digits[0][:100] * 16).astype(np.uint8), digits[1][:100]
    bytes_, floats = small().fit(X, y), small().fit(X.astype(np.float32), y)
    assert bytes_.weights_["layer0.weight"].dtype == np.float32
    np.testing.assert_array_equal(bytes_.predict_proba(X), floats.predict_proba(X))


def test_the_same_seed_gives_the_same_weights(digits):
    X, y = digits[0][:200], digits[1][:200]
    layers = [Conv(4, 3), Dropout(0.3), Dense(16)]
    one, two = (small().set_params(layers=layers).fit(X, y) for _ in range(2))
    other = small(random_state=1).set_params(layers=layers).fit(X, y)
    for name, w in one.weights_.items():
        np.testing.assert_array_equal(w, two.weights_[name])
    assert not np.array_equal(one.weights_["layer0.weight"], other.weights_["layer0.weight"])


def test_grid_search_and_pipelines(digits):
    X, y = digits[0][:200].reshape(200, -1), digits[1][:200]
    search = GridSearchCV(
        make_pipeline(StandardScaler(), small(input_shape=(8, 8, 1))),
        {"convclassifier__layers": [[Dense(8)], [Conv(4, 3), Dense(16)]]},
        cv=2,
    ).fit(X, y)
    assert search.best_score_ > 0.3


def test_callbacks_see_epochs_and_stop_them(digits):
    X, y = digits[0][:200], digits[1][:200]
    budget = small(max_iter=50).set_callbacks(gramian.TimeBudget(0.0)).fit(X, y)
    assert budget.n_iter_ == 1
    stopping = gramian.EarlyStopping(X[:50], y[:50], patience=1, tol=2.0)
    assert small(max_iter=50).set_callbacks(stopping).fit(X, y).n_iter_ == 2


def test_held_out_rows_stop_the_training_and_choose_the_epoch(digits):
    X, y = digits
    model = small(max_iter=60, n_iter_no_change=3).fit(
        X[:100], y[:100], None, X[100:200], y[100:200]
    )
    curve = model.validation_loss_curve_
    assert len(curve) == model.n_iter_ < 60
    assert model.best_epoch_ == 1 + int(np.argmin(curve))
    p = model.predict_proba(X[100:200])[np.arange(100), y[100:200]]
    assert -np.log(p).mean() == pytest.approx(min(curve), rel=1e-5)


def test_training_stops_when_the_loss_no_longer_improves(digits):
    model = small(max_iter=200, n_iter_no_change=2, tol=1.0).fit(digits[0][:100], digits[1][:100])
    assert model.n_iter_ < 20


@pytest.mark.parametrize(
    "layers",
    [
        [Conv(3, 3, padding="same", stride=2), Pool(2, "average"), Dense(5, "tanh")],
        [FilterBank("edges"), BatchNorm(), LocallyConnected(2, 3), Dropout(0.2), Dense(6)],
        [Conv(3, 4, padding="same"), BatchNorm(momentum=0.2)],
    ],
)
def test_model_files_hold_layers_and_named_arrays(digits, layers, tmp_path):
    X, y = digits[0][:100], digits[1][:100]
    model = ConvClassifier(layers, max_iter=2).fit(X, y)
    copy = gramian.load(gramian.save(model, tmp_path / "net.gram"))
    assert copy.layers == layers
    assert copy.layers_ == model.layers_
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))


def test_a_file_whose_weights_do_not_fit_is_refused(digits, tmp_path):
    model = small().fit(digits[0][:50], digits[1][:50])
    model.weights_["layer0.weight"] = model.weights_["layer0.weight"][:2]
    with pytest.raises(ModelFileError, match="weights_ must have the shapes"):
        gramian.load(gramian.save(model, tmp_path / "net.gram"))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("classes_", np.arange(3)),
        ("input_shape_", (4, 4, 1)),
        ("layers_", ("conv",)),
        ("weights_", {}),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(digits, tmp_path, name, value):
    model = small().fit(digits[0][:50], digits[1][:50])
    setattr(model, name, value)
    with pytest.raises(ValueError, match=r"ConvClassifier|damaged|must be"):
        gramian.load(gramian.save(model, tmp_path / "net.gram"))


def test_feature_maps_and_filters_are_arrays_with_channels_last(digits):
    X, y = digits[0][:60], digits[1][:60]
    model = small().fit(X, y)
    assert [m.shape for m in model.feature_maps(X[:2])] == [
        (2, 6, 6, 4),
        (2, 3, 3, 4),
        (2, 16),
        (2, 10),
    ]
    assert model.filters().shape == (4, 3, 3, 1)
    scores = model.feature_maps(X)[-1]
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="layer must be a number below 1"):
        model.filters(1)


def test_filters_of_two_widths_are_not_turned(rng):
    X = rng.normal(size=(12, 6, 7, 2))
    model = ConvClassifier([Conv(3, (2, 4))], max_iter=1, random_state=0).fit(X, np.arange(12) % 2)
    filters, stored = model.filters(), model.weights_["layer0.weight"]  # channels second
    assert filters.shape == (3, 2, 4, 2)
    for channel in range(2):
        np.testing.assert_array_equal(filters[..., channel], stored[:, channel])


def test_a_rate_far_too_high_is_an_error_with_advice(digits):
    model = ConvRegressor([Dense(8)], solver="sgd", learning_rate_init=1e6, random_state=0)
    with pytest.raises(ValueError, match=r"^ConvRegressor: training diverges: .*learning_rate_i"):
        model.fit(digits[0][:200], 1.0 * digits[1][:200])


def test_a_batch_larger_than_the_table_is_clipped_with_a_warning(digits):
    with pytest.warns(UserWarning, match="batch_size=500 exceeds the 60 rows"):
        small(batch_size=500).fit(digits[0][:60], digits[1][:60])


def test_batch_normalisation_needs_two_rows():
    with pytest.raises(ValueError, match="BatchNorm needs at least 2 rows"):
        ConvClassifier([BatchNorm()]).fit([[1.0, 2.0]], [0])
    model = ConvClassifier([BatchNorm()], batch_size=2, max_iter=1)  # 5 rows: 2 and 3
    model.fit(np.eye(5), [0, 1, 0, 1, 0])
    assert np.isfinite(model.predict_proba(np.eye(5))).all()


def test_bad_layers_and_shapes_are_refused(digits):
    X, y = digits[0][:20], digits[1][:20]
    with pytest.raises(ValueError, match="layers must be a list of Conv"):
        ConvClassifier(["conv"]).fit(X, y)
    with pytest.raises(ValueError, match="a width of 9 exceeds the side of 8"):
        ConvClassifier([Conv(2, 9)]).fit(X, y)
    with pytest.raises(ValueError, match="input_shape must be a tuple"):
        ConvClassifier(input_shape=(8,)).fit(X, y)
    with pytest.raises(ValueError, match="must be passed together; y_val is missing"):
        small().fit(X, y, X_val=X)


def test_clones_have_equal_layers():
    model = small()
    assert clone(model).layers == model.layers


def test_held_out_rows_must_be_like_the_others(digits):
    X, y = digits[0][:60], digits[1][:60]
    with pytest.raises(ValueError, match="X_val is invalid"):
        small().fit(X, y, X_val=X[:, 1:], y_val=y)
    with pytest.raises(ValueError, match=r"X_val is invalid\. .*X must contain"):
        small().fit(X.astype(float), y, X_val=X * 1e31, y_val=y)
    with pytest.raises(ValueError, match="the loss of the validation rows is not finite"):
        small().fit(X, y, X_val=X * 3e38, y_val=y)
    other = np.float64 if X.dtype == np.float32 else np.float32
    assert small().fit(X, y, X_val=X.astype(other), y_val=y)._dtype == X.dtype
