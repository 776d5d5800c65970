"""One hidden layer, without and with noise."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

import gramian
from gramian import PCA
from gramian.base.errors import DataError
from gramian.neural_network import Autoencoder, DenoisingAutoencoder, corrupt


@pytest.fixture(scope="module")
def digits():
    return (load_digits().data / 16).astype(np.float32)


@pytest.mark.slow
def test_a_linear_autoencoder_finds_the_space_of_the_principal_components(rng):
    """Bourlard and Kamp 1988, and AE-07: the least squared error of k numbers is that of PCA."""
    X = rng.normal(size=(300, 6)) @ np.diag([4.0, 3.0, 1.0, 0.5, 0.3, 0.2])
    X -= X.mean(axis=0)
    model = Autoencoder(
        2,
        activation="identity",
        learning_rate_init=0.01,
        max_iter=2000,
        tol=0.0,
        n_iter_no_change=100,
        learning_rate="cosine",
        random_state=0,
    ).fit(X)
    pca = PCA(2).fit(X)
    least = ((X - pca.inverse_transform(pca.transform(X))) ** 2).sum(axis=1).mean()
    assert -model.score(X) == pytest.approx(least, rel=1e-2)
    assert -model.score(X) >= least * (1 - 1e-9)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
def test_codes_reconstruct_digits_better_than_their_mean(digits, tied, loss):
    model = Autoencoder(
        20, loss=loss, tied_weights=tied, learning_rate_init=0.01, max_iter=30, random_state=0
    ).fit(digits[:1000])
    new = digits[1000:]
    rebuilt = model.reconstruct(new)
    np.testing.assert_allclose(
        rebuilt, model.inverse_transform(model.transform(new)), rtol=1e-4, atol=1e-5
    )
    around_the_mean = ((new - digits[:1000].mean(axis=0)) ** 2).sum(axis=1).mean()
    assert ((new - rebuilt) ** 2).sum(axis=1).mean() < 0.6 * around_the_mean
    assert ("decoder0.weight" in model.weights_) is not tied


@pytest.mark.slow
def test_a_denoising_autoencoder_removes_noise_better_than_a_plain_one(digits):
    settings = {
        "loss": "cross_entropy",
        "learning_rate_init": 0.01,
        "max_iter": 40,
        "random_state": 0,
    }
    noisy = corrupt(digits[1000:], "masking", 0.4, random_state=1)
    errors = []
    for model in (
        Autoencoder(64, **settings),
        DenoisingAutoencoder(64, noise_level=0.4, **settings),
    ):
        rebuilt = model.fit(digits[:1000]).reconstruct(noisy)
        errors.append(((rebuilt - digits[1000:]) ** 2).mean())
    assert errors[1] < 0.95 * errors[0]


@pytest.mark.parametrize("corruption", ["masking", "gaussian", "salt_and_pepper"])
def test_every_noise_trains(digits, corruption):
    model = DenoisingAutoencoder(
        16, corruption=corruption, noise_level=0.2, max_iter=10, random_state=0
    ).fit(digits[:300])
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    again = DenoisingAutoencoder(
        16, corruption=corruption, noise_level=0.2, max_iter=10, random_state=0
    ).fit(digits[:300])
    np.testing.assert_array_equal(model.transform(digits), again.transform(digits))


@pytest.mark.parametrize("loss", ["squared_error", "cross_entropy"])
@pytest.mark.parametrize("level", [0.0, 0.2])
def test_noise_by_a_function_trains(digits, loss, level):
    seen = []

    def lines(x, noise_level, rng):
        seen.append(noise_level)
        return np.where(np.arange(64) // 8 == rng.integers(8), noise_level, x)

    def fitted(corruption):
        return DenoisingAutoencoder(
            16, corruption=corruption, noise_level=level, loss=loss, max_iter=6, random_state=0
        ).fit(digits[:200])

    model = fitted(lines)
    assert set(seen) == {level}
    assert model.loss_curve_[-1] < model.loss_curve_[0]
    np.testing.assert_array_equal(model.transform(digits), fitted(lines).transform(digits))
    assert not np.allclose(model.transform(digits), fitted("gaussian").transform(digits))


def test_held_out_rows_choose_the_epoch(digits):
    model = Autoencoder(16, max_iter=10, random_state=0).fit(digits[:300], X_val=digits[300:400])
    assert len(model.validation_loss_curve_) == model.n_iter_
    assert -model.score(digits[300:400]) == pytest.approx(
        min(model.validation_loss_curve_), rel=1e-4
    )


def test_callbacks_stop_it(digits):
    model = Autoencoder(8, max_iter=50).set_callbacks(gramian.TimeBudget(0.0)).fit(digits[:100])
    assert model.n_iter_ == 1
    stopping = gramian.EarlyStopping(digits[:50], patience=1, tol=1e6)
    assert Autoencoder(8, max_iter=50).set_callbacks(stopping).fit(digits[:100]).n_iter_ == 2


def test_what_the_cross_entropy_needs():
    with pytest.raises(ValueError, match=r"needs numbers in \[0, 1\]; X ranges from 0 to 16"):
        Autoencoder(loss="cross_entropy").fit(load_digits().data)
    with pytest.raises(ValueError, match="needs output_activation='sigmoid'"):
        Autoencoder(loss="cross_entropy", output_activation="tanh").fit([[0.0], [1.0]])
    with pytest.raises(ValueError, match=r"a fraction in \[0, 1\)"):
        DenoisingAutoencoder(noise_level=1.5).fit([[0.0], [1.0]])


def test_a_diverging_rate_is_an_error_with_advice(digits):
    with pytest.raises(ValueError, match=r"^Autoencoder: training diverges: .*lower learning_r"):
        Autoencoder(8, solver="sgd", learning_rate_init=1e8, activation="relu").fit(digits)


def test_held_out_rows_must_be_like_the_others(digits):
    X = digits[:60] / digits.max()
    with pytest.raises(ValueError, match=r"X_val is invalid.* needs numbers in"):
        Autoencoder(4, loss="cross_entropy", max_iter=1).fit(X, X_val=2 * X)


@pytest.mark.parametrize(
    ("codes", "message"),
    [
        ([1.0, 2.0], "codes must have 2 columns, as returned by transform; got shape"),
        ([[1.0, np.inf]], r"contains inf \(infinity"),
        ([[None, {1}]], "must"),
    ],
)
def test_inverse_transform_checks_codes(codes, message):
    model = Autoencoder(2, max_iter=2, random_state=0).fit(np.random.default_rng(0).random((9, 3)))
    with pytest.raises((DataError, TypeError), match=f"Autoencoder: .*{message}"):
        model.inverse_transform(codes)
