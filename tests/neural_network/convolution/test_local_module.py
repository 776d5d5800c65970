"""A locally connected layer as a module."""

import io

import numpy as np
import pytest

from gramian.neural_network import LocallyConnected

torch = pytest.importorskip("torch", reason="PyTorch is not installed")


def test_it_has_a_filter_for_each_place_and_can_be_trained():
    from gramian.neural_network.convolution.local_module import LocalModule

    module = LocalModule(LocallyConnected(2, 3, activation="identity"), (5, 5, 1))
    assert module.weight.shape == (9, 9, 2)
    module(torch.ones(4, 1, 5, 5)).sum().backward()
    assert module.bias.grad.eq(4).all()


def test_it_can_be_stored():
    from gramian.neural_network.convolution.local_module import LocalModule

    module = LocalModule(LocallyConnected(2, 3), (5, 1))
    stream = io.BytesIO()
    torch.save(module.state_dict(), stream)
    stream.seek(0)
    copy = torch.load(stream, weights_only=True)
    np.testing.assert_array_equal(copy["weight"].numpy(), module.weight.detach().numpy())
