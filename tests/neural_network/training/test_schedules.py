"""Learning rates of each epoch."""

import numpy as np
import pytest

from gramian.neural_network.training.schedules import Rate


def test_the_rates_of_each_schedule():
    """NE-22."""
    make = lambda schedule: Rate(schedule, 0.5, power_t=0.5, max_iter=4)  # noqa: E731
    assert [make("constant").at(epoch, 9 * epoch) for epoch in (0, 3)] == [0.5, 0.5]
    assert make("invscaling").at(1, 99) == pytest.approx(0.05)
    np.testing.assert_allclose(
        [make("cosine").at(epoch, 0) for epoch in range(4)],
        0.25 * (1 + np.cos(np.pi * np.arange(4) / 4)),
    )
    assert make(lambda epoch: 1 / (epoch + 1)).at(4, 0) == pytest.approx(0.1)


def test_an_adaptive_rate_is_divided_by_5_until_it_is_tiny():
    rate = Rate("adaptive", 1.0, power_t=0.5, max_iter=9)
    lowered = 0
    while rate.lower():
        lowered += 1
    assert lowered == 9  # 5^-9 < 1e-6 <= 5^-8
    assert not Rate("constant", 1.0, power_t=0.5, max_iter=9).lower()
