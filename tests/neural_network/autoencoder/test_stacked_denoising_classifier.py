"""Pre-training without labels, fine-tuning with them."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import gramian
from gramian.base.errors import ModelFileError
from gramian.neural_network import StackedDenoisingAutoencoder, StackedDenoisingClassifier
from gramian.neural_network.autoencoder import stacked_denoising_classifier
from gramian.neural_network.training.training import Losses

SETTINGS = {
    "hidden_layer_sizes": (100, 50),
    "loss": "cross_entropy",
    "learning_rate_init": 0.01,
    "batch_size": 50,
    "max_iter": 60,
    "random_state": 0,
}


@pytest.fixture(scope="module")
def digits():
    found = load_digits()
    return (found.data / 16).astype(np.float32), found.target


@pytest.mark.slow
def test_rows_without_labels_help(digits):
    """AE-06; how much, with intervals, is measured in benchmarks/digits_networks.py."""
    X, y = digits
    labelled = np.random.default_rng(0).permutation(1200)[:60]
    pretrained = StackedDenoisingClassifier(pretrain_iter=40, noise_level=0.2, **SETTINGS)
    plain = StackedDenoisingClassifier(pretrain_iter=0, **SETTINGS)
    with_rows = pretrained.fit(X[labelled], y[labelled], X[:1200]).score(X[1200:], y[1200:])
    without = plain.fit(X[labelled], y[labelled]).score(X[1200:], y[1200:])
    assert with_rows > without
    assert len(pretrained.pretrain_loss_curves_) == 2


def test_fine_tuning_starts_from_the_stack_and_changes_every_layer(digits, monkeypatch):
    """AE-06: a softmax layer on the encoders of AE-05, and then the whole network is trained."""
    X, y = digits[0][:200], digits[1][:200]
    settings = {**SETTINGS, "hidden_layer_sizes": (20, 10), "max_iter": 5, "noise_level": 0.2}
    stack = StackedDenoisingAutoencoder(**settings, n_iter_no_change=None).fit(X)
    model = StackedDenoisingClassifier(**settings, pretrain_iter=5).fit(X[:120], y[:120], X[120:])
    tuned = {name: w.copy() for name, w in model.weights_.items()}
    assert model.pretrain_loss_curves_ == stack.loss_curves_
    monkeypatch.setattr(
        stacked_denoising_classifier, "train_arrays", lambda *_, **__: Losses([0.0], [], 1)
    )
    first = model.fit(X[:120], y[:120], X[120:])  # rows without labels are in the stack too
    np.testing.assert_array_equal(first.transform(X), stack.transform(X))
    for name, w in first.weights_.items():
        assert (tuned[name] != w).any(), name


def test_pretraining_runs_all_epochs_and_fine_tuning_stops_early(digits):
    X, y = digits[0][:60], digits[1][:60]
    model = StackedDenoisingClassifier((4,), pretrain_iter=7, tol=1e9, n_iter_no_change=2)
    model.fit(X, y)
    assert [len(curve) for curve in model.pretrain_loss_curves_] == [7]
    assert model.n_iter_ == 4


def test_one_class_is_predicted_everywhere(digits):
    """As by MLPClassifier and scikit-learn's."""
    X = digits[0][:30]
    model = StackedDenoisingClassifier((4,), pretrain_iter=1, max_iter=2).fit(X, ["a"] * 30)
    assert set(model.predict(X)) == {"a"}
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((30, 1)))


@pytest.mark.slow
def test_without_pretraining_it_is_an_ordinary_network(digits):
    X, y = digits
    model = StackedDenoisingClassifier(pretrain_iter=0, **SETTINGS).fit(X[:1000], y[:1000])
    assert model.score(X[1000:], y[1000:]) > 0.85
    assert model.pretrain_loss_curves_ == []
    assert model.transform(X).shape == (1797, 50)


def test_the_module_gives_the_scores(digits):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    X, y = digits
    model = StackedDenoisingClassifier((20,), pretrain_iter=2, max_iter=3).fit(X[:100], y[:100])
    with torch.no_grad():
        scores = model.to_torch()(torch.tensor(X)).numpy()
    np.testing.assert_allclose(scores, model.decision_function(X), rtol=1e-4, atol=1e-5)


def test_model_files(digits, tmp_path):
    X, y = digits
    model = StackedDenoisingClassifier((20,), pretrain_iter=2, max_iter=3).fit(X[:100], y[:100])
    copy = gramian.load(gramian.save(model, tmp_path / "model.gram"))
    np.testing.assert_array_equal(copy.predict_proba(X), model.predict_proba(X))
    model.weights_["output.bias"] = np.zeros(3, dtype=np.float32)
    with pytest.raises(ModelFileError, match="weights_"):
        gramian.load(gramian.save(model, tmp_path / "model.gram"))


def test_unlabelled_rows_must_have_the_columns_of_the_others(digits):
    X, y = digits
    with pytest.raises(ValueError, match="X has 63 features, but"):
        StackedDenoisingClassifier().fit(X, y, X[:, 1:])
    model = StackedDenoisingClassifier(loss="cross_entropy")
    with pytest.raises(ValueError, match=r"X_unlabelled is invalid.* needs numbers in"):
        model.fit(X / X.max(), y, 2 * X / X.max())


def test_callbacks_stop_both_parts(digits):
    X, y = digits
    model = StackedDenoisingClassifier((8, 4)).set_callbacks(gramian.TimeBudget(0.0))
    model.fit(X[:100], y[:100])
    assert model.n_iter_ == 1
    assert [len(curve) for curve in model.pretrain_loss_curves_] == [1, 1]
