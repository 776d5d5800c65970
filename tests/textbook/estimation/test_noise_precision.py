import numpy as np
import pytest
from scipy import stats

from gramian.base.errors import DataError
from gramian.textbook.estimation import noise_precision


def test_it_is_the_maximum_of_the_likelihood():
    rng = np.random.default_rng(0)
    y, predicted = rng.normal(size=50), rng.normal(size=50)
    found = noise_precision(y, predicted)
    assert found.variance == pytest.approx(((y - predicted) ** 2).mean())
    assert found.precision == pytest.approx(1 / found.variance)

    def likelihood(precision):
        return stats.norm(predicted, precision**-0.5).logpdf(y).sum()

    assert found.log_likelihood == pytest.approx(likelihood(found.precision))
    assert likelihood(found.precision) > likelihood(1.05 * found.precision)
    assert likelihood(found.precision) > likelihood(0.95 * found.precision)


def test_a_weight_is_a_row_repeated():
    y, predicted, weights = np.array([1.0, 2, 4]), np.array([1.5, 2, 3]), np.array([2, 1, 3])
    weighted = noise_precision(y, predicted, weights)
    repeated = noise_precision(np.repeat(y, weights), np.repeat(predicted, weights))
    assert weighted == pytest.approx(repeated)


def test_no_residual_has_infinite_precision():
    assert noise_precision([1.0], [1.0]).precision == np.inf


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (([1.0], [1.0, 2.0]), "same shape"),
        (([], []), "not empty"),
        (([np.nan], [1.0]), "finite"),
        (([1.0], [2.0], [0.0]), "not all zero"),
    ],
)
def test_bad_input(arguments, match):
    with pytest.raises(DataError, match=match):
        noise_precision(*arguments)
