"""Attributes, resuming, model files."""

import pickle

import numpy as np
import pytest

import gramian
from gramian import MLPClassifier, MLPRegressor

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 4))
y = (X[:, 0] * X[:, 1] > 0).astype(int)
pytestmark = [pytest.mark.numeric, pytest.mark.filterwarnings("ignore:.*not converged")]


def trained(**settings) -> MLPClassifier:
    usual = {"hidden_layer_sizes": (8, 5), "max_iter": 20, "random_state": 0}
    return MLPClassifier(**{**usual, **settings}).fit(X, y)


def test_the_attributes_match_scikit_learn():
    model = trained()
    assert [coef.shape for coef in model.coefs_] == [(4, 8), (8, 5), (5, 1)]
    assert [intercept.shape for intercept in model.intercepts_] == [(8,), (5,), (1,)]
    assert (model.n_layers_, model.n_outputs_, model.n_iter_) == (4, 1, 20)
    assert model.t_ == 20 * 120
    assert model.out_activation_ == "logistic"
    assert len(model.loss_curve_) == 20
    assert model.loss_ == model.loss_curve_[-1]


def test_partial_fit_continues_where_it_stopped():
    """Two calls make the steps of one fit of two epochs, if the rows keep their order."""
    whole = trained(max_iter=2, shuffle=False)
    parts = MLPClassifier((8, 5), shuffle=False, random_state=0)
    for _ in range(2):
        parts.partial_fit(X, y, classes=[0, 1])
    for one, other in zip(parts.coefs_, whole.coefs_, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)
    assert parts.t_ == whole.t_
    assert parts.loss_curve_ == pytest.approx(whole.loss_curve_)
    assert parts.training_state_["t"] == whole.training_state_["t"]


@pytest.mark.parametrize("batch_norm", [False, True])
def test_a_model_file_keeps_predictions_and_the_state_of_training(tmp_path, batch_norm):
    model = trained(batch_norm=batch_norm)
    gramian.save(model, tmp_path / "net.gram")
    for again in (gramian.load(tmp_path / "net.gram"), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
        before = model.coefs_[0].copy()
        one = again.partial_fit(X, y)
        assert (one.coefs_[0] != before).any()


@pytest.mark.parametrize(
    "damage",
    [
        lambda m: m.coefs_.pop(),
        lambda m: m.intercepts_.__setitem__(0, np.zeros(3)),
        lambda m: m.coefs_.__setitem__(1, np.zeros((7, 5))),
        lambda m: m.coefs_.__setitem__(1, m.coefs_[1].astype(np.float32)),
        lambda m: m.activations_.pop(),
        lambda m: m.training_state_.update(first=np.zeros(3)),
        lambda m: setattr(m, "out_activation_", "other"),
        lambda m: setattr(m, "classes_", np.arange(5)),
        lambda m: m.batch_norm_.update(mean=np.zeros(2)),
        lambda m: m.batch_norm_.update(mean=np.zeros(13, dtype=int)),
        lambda m: m.batch_norm_.update(variance=-np.ones(13)),
        lambda m: m.batch_norm_.update(gamma=[np.ones(5), np.ones(8)]),
        lambda m: m.activations_.__setitem__(0, "other"),
        lambda m: m.training_state_.update(t=-1),
        lambda m: m.training_state_.update(t="3"),
        lambda m: m.coefs_[0].fill(np.nan),
    ],
)
def test_a_damaged_file_is_refused(damage):
    model = trained(batch_norm=True)
    damage(model)
    with pytest.raises(ValueError, match=r"must|NaN"):
        model._check_loaded()


def test_warm_start_continues_with_the_same_layers_only():
    model = MLPRegressor(hidden_layer_sizes=(6,), max_iter=5, warm_start=True, random_state=0)
    first = model.fit(X, X[:, 0]).loss_curve_[0]
    assert model.fit(X, X[:, 0]).loss_curve_[5] < first
    assert len(model.loss_curve_) == 10
    model.set_params(hidden_layer_sizes=(7,))
    with pytest.raises(ValueError, match="set warm_start=False to start over"):
        model.fit(X, X[:, 0])


def test_weights_that_the_user_changes_are_used():
    model = trained()
    model.coefs_[2] = np.zeros((5, 1))
    model.intercepts_[2] = np.array([np.log(3.0)])
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 0.75, rtol=1e-12)
