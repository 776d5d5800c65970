"""Convolutions with maxima of blocks after them, against PyTorch's two steps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from gramian import ConvClassifier, _native, set_num_threads  # noqa: E402
from gramian.base.runtime.threads import get_num_threads  # noqa: E402
from gramian.neural_network import Conv, Dense, Pool  # noqa: E402
from gramian.neural_network.convolution.conv_pooling import convolved_and_pooled  # noqa: E402
from gramian.neural_network.convolution.forward import is_native  # noqa: E402

# images (n, channels, rows, columns), filters (count, height, width), zeros around
CASES = [
    ((9, 1, 28, 28), (6, 5, 5), [(2, 2), (2, 2)]),
    ((3, 6, 14, 14), (16, 5, 5), [(0, 0), (0, 0)]),
    ((2, 3, 9, 8), (5, 3, 2), [(1, 1), (0, 1)]),
    ((17, 2, 7, 7), (33, 7, 3), [(3, 3), (1, 2)]),
    ((1, 4, 6, 6), (17, 1, 1), [(0, 0), (0, 0)]),
    ((2, 5, 12, 11), (9, 4, 7), [(1, 2), (3, 3)]),
    ((2, 1, 2, 2), (1, 1, 1), [(0, 0), (0, 0)]),
]


def _tensors(rng, images, filters, dtype):
    sizes = images, (filters[0], images[1], *filters[1:]), filters[:1]
    return [
        torch.from_numpy(rng.normal(size=size).astype(dtype)).requires_grad_(True) for size in sizes
    ]


def _two_steps(x, weight, bias, pads, relu):
    F = torch.nn.functional
    x = F.pad(x, [zeros for pair in reversed(pads) for zeros in pair])
    found = F.max_pool2d(F.conv2d(x, weight, bias), 2)
    return torch.relu(found) if relu else found


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("relu", [True, False])
@pytest.mark.parametrize(("images", "filters", "pads"), CASES)
def test_maxima_and_gradients_are_those_of_two_steps(rng, images, filters, pads, relu, dtype):
    tensors = _tensors(rng, images, filters, dtype)
    ours, theirs = convolved_and_pooled(*tensors, pads, relu), _two_steps(*tensors, pads, relu)
    near = {"rtol": 0, "atol": 2e-3 if dtype == np.float32 else 1e-11}
    assert ours.dtype == theirs.dtype
    assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), **near)
    slopes = torch.from_numpy(rng.normal(size=ours.shape).astype(dtype))
    found, expected = (torch.autograd.grad(z, tensors, slopes) for z in (ours, theirs))
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape
        assert_allclose(a.numpy(), b.numpy(), **near)


def test_gradients_by_finite_differences(rng):
    tensors = _tensors(rng, (2, 2, 6, 7), (3, 3, 2), np.float64)
    pads = [(1, 1), (0, 1)]
    assert torch.autograd.gradcheck(lambda *t: convolved_and_pooled(*t, pads, True), tensors)


def test_the_same_bits_for_any_number_of_threads(rng):
    """Blocks of rows are fixed and their sums are added up in order."""
    tensors = _tensors(rng, (61, 3, 20, 20), (8, 5, 5), np.float32)
    answers, before = [], get_num_threads()
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            found = convolved_and_pooled(*tensors, [(2, 2), (2, 2)], True)
            slopes = torch.autograd.grad((found**2).sum(), tensors)
            answers.append([found.detach().numpy(), *(slope.numpy() for slope in slopes)])
    finally:
        set_num_threads(before)
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            assert_array_equal(a, b)


def test_of_equal_numbers_the_first_has_the_gradient():
    x = torch.ones(1, 1, 2, 2, requires_grad=True)
    one, none = torch.ones(1, 1, 1, 1), torch.zeros(1)
    convolved_and_pooled(x, one, none, [(0, 0), (0, 0)], False).sum().backward()
    assert_array_equal(x.grad.numpy().ravel(), [1, 0, 0, 0])


def test_a_maximum_that_became_zero_has_no_gradient():
    x = torch.full((1, 1, 2, 2), -1.0, requires_grad=True)
    one, none = torch.ones(1, 1, 1, 1, requires_grad=True), torch.zeros(1, requires_grad=True)
    found = convolved_and_pooled(x, one, none, [(0, 0), (0, 0)], True)
    found.sum().backward()
    assert float(found.detach()) == 0
    for tensor in (x, one, none):
        assert_array_equal(tensor.grad.numpy(), np.zeros(tensor.shape))


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("relu", [True, False])
def test_a_block_with_nan_is_nan(place, relu):
    """So that a loss that is no number is seen."""
    x = torch.zeros(1, 1, 2, 4)
    x[0, 0, place // 2, place % 2] = torch.nan
    one, none = torch.ones(1, 1, 1, 1), torch.zeros(1)
    found = convolved_and_pooled(x, one, none, [(0, 0), (0, 0)], relu).numpy().ravel()
    assert np.isnan(found[0])
    assert found[1] == 0


def test_maps_may_be_views_in_any_order_and_empty(rng):
    _, weight, bias = _tensors(rng, (1, 3, 6, 8), (2, 3, 3), np.float64)
    x = torch.from_numpy(rng.normal(size=(2, 6, 8, 3))).movedim(-1, 1)
    pads = [(1, 1), (1, 1)]
    found = convolved_and_pooled(x, weight, bias, pads, True)
    again = convolved_and_pooled(x.contiguous(), weight, bias, pads, True)
    assert_array_equal(found.detach().numpy(), again.detach().numpy())
    assert convolved_and_pooled(x[:0], weight, bias, pads, True).shape == (0, 2, 3, 4)


def test_arrays_that_do_not_fit_are_refused():
    x, w, b = np.zeros((1, 4, 4, 2)), np.zeros((3, 2, 3, 3)), np.zeros(3)
    out, places = np.zeros((1, 1, 1, 3)), np.zeros((1, 1, 1, 3), np.uint8)
    pads = (0, 0, 0, 0)
    _native.conv_pool(pads, True, x, w, b, out, places)
    for wrong, message in (
        (((-1, 0, 0, 0), True, x, w, b, out, places), "zeros around"),
        ((pads, True, x[..., :1].copy(), w, b, out, places), "channels"),
        ((pads, True, x, w, b[:2], out, places), "a bias"),
        ((pads, True, x, w, b, np.zeros((1, 2, 1, 3)), places), "a maximum"),
        ((pads, True, x[:, :3].copy(), w, b, out, places), "larger than the filters"),
    ):
        with pytest.raises(ValueError, match=message):
            _native.conv_pool(*wrong)
    for wrong, message in (
        ((out, places + np.uint8(5), np.zeros_like(w), b, None), "places"),
        ((out, places, np.zeros_like(w), b, x[:, :2].copy()), "number of the images"),
        ((out, places, np.zeros((3, 2, 3, 2)), b, None), "each weight"),
    ):
        with pytest.raises(ValueError, match=message):
            _native.conv_pool_back(pads, x, w, *wrong)


def test_which_layers_are_done_together():
    conv, shape = Conv(6, 5), (28, 28, 1)
    assert is_native(conv, Pool(2), shape)
    assert not is_native(conv, Pool(2, "average"), shape)
    assert not is_native(conv, Pool(3), shape)
    assert not is_native(conv, Dense(3), shape)
    assert not is_native(conv, None, shape)
    assert not is_native(Conv(6, 5, stride=2), Pool(2), shape)
    assert not is_native(Conv(256, 5), Pool(2), (28, 28, 64))
    assert not is_native(Conv(6, 5), Pool(2), (28, 1))


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid", "identity"])
def test_an_estimator_predicts_what_its_feature_maps_say(rng, activation):
    """`feature_maps` takes the two steps one after the other."""
    X, y = rng.normal(size=(40, 9, 8, 2)), rng.integers(3, size=40)
    layers = [Conv(5, 3, padding="same", activation=activation), Pool(2), Dense(7)]
    model = ConvClassifier(layers, max_iter=2, random_state=0).fit(X, y)
    scores = model.feature_maps(X)[-1]
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-9)
