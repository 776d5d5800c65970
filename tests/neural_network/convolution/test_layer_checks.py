"""Values that a layer does not take."""

import pytest

from gramian.neural_network import BatchNorm, Conv, Dense, Dropout, Pool


@pytest.mark.parametrize(
    ("make", "phrase"),
    [
        (lambda: Conv(0), "Conv: filters must be an integer >= 1; got 0"),
        (lambda: Conv(True), "filters must be an integer"),
        (lambda: Conv(2, 2.5), "size must be an integer"),
        (lambda: Conv(2, (3, 0)), "size must be an integer"),
        (lambda: Conv(2, padding="full"), "padding must be one of 'valid', 'same'; got 'full'"),
        (lambda: Conv(2, activation="elu"), "activation must be one of"),
        (lambda: Pool(2, "median"), "kind must be one of 'max', 'average'"),
        (lambda: Pool(2, stride=0), "stride must be"),
        (lambda: Dense(-1), "Dense: units must be an integer >= 1; got -1"),
        (lambda: Dropout(1.0), r"rate must be a number in \[0, 1\); got 1.0"),
        (lambda: Dropout("0.5"), "rate must be"),
        (lambda: BatchNorm(momentum=0), "momentum must be"),
        (lambda: BatchNorm(epsilon=float("nan")), "epsilon must be"),
    ],
)
def test_bad_values_are_refused_by_name(make, phrase):
    with pytest.raises(ValueError, match=phrase):
        make()
