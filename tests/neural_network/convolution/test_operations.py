"""Operations against PyTorch where it is installed, and against each other where it is not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from gramian import ConvClassifier, _native, set_num_threads
from gramian.base.runtime.threads import get_num_threads
from gramian.neural_network import BatchNorm, Conv, Dense, FilterBank, LocallyConnected, Pool
from gramian.neural_network.convolution.operations import (
    Activate,
    ApplyFilters,
    Convolve,
    ConvolveAndPool,
    ConvolveLocally,
    Drop,
    Multiply,
    Normalise,
    TakeMaximum,
    TakeMean,
    blocks_of,
    geometry,
)

# images (n, rows, columns, channels), filters, their size, padding
CASES = [
    ((9, 28, 28, 1), 6, (5, 5), "same"),
    ((3, 14, 14, 6), 16, (5, 5), "valid"),
    ((2, 9, 8, 3), 5, (3, 2), "same"),
    ((17, 9, 9, 2), 33, (7, 3), "same"),
    ((1, 6, 6, 4), 17, (1, 1), "valid"),
    ((2, 12, 11, 5), 9, (4, 7), "same"),
    ((2, 2, 2, 1), 1, (1, 1), "valid"),
]
NEW = np.random.default_rng


def weights_of(layer, shape, dtype, rng):
    return {
        name: rng.normal(size=sizes).astype(dtype)
        for name, sizes in layer.parameter_shapes(shape).items()
    }


def both(images, filters, size, padding, activation, dtype=np.float64):
    """The operation in one native step, and the two steps that it joins."""
    layer = Conv(filters, size, padding=padding, activation=activation)
    shape = images[1:]
    rng = NEW(0)
    x = rng.normal(size=images).astype(dtype)
    own = weights_of(layer, shape, dtype, rng)
    pool = TakeMaximum(Pool(2), layer.output_shape(shape))
    return x, own, ConvolveAndPool(layer, shape), Convolve(layer, shape), pool


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("activation", ["relu", "identity"])
@pytest.mark.parametrize(("images", "filters", "size", "padding"), CASES)
def test_maxima_and_gradients_match_two_steps(images, filters, size, padding, activation, dtype):
    x, own, joined, convolve, pool = both(images, filters, size, padding, activation, dtype)
    found, kept = joined.forward(x, own, None)
    sums, kept_sums = convolve.forward(x, own, None)
    pooled, kept_pool = pool.forward(sums, {}, None)
    act = Activate(activation)
    expected, kept_act = act.forward(pooled, {}, None)
    near = {"rtol": 0, "atol": 2e-3 if dtype == np.float32 else 1e-11}
    assert found.dtype == expected.dtype == dtype
    assert_allclose(found, expected, **near)
    slopes = NEW(1).normal(size=found.shape).astype(dtype)
    by_x, by_weights = joined.backward(kept, slopes, own, True)
    back, _ = act.backward(kept_act, slopes, {}, True)
    back, _ = pool.backward(kept_pool, back, {}, True)
    theirs, by_theirs = convolve.backward(kept_sums, back, own, True)
    assert_allclose(by_x, theirs, **near)
    for name, array in by_weights.items():
        assert_allclose(array, by_theirs[name], **near)


def test_the_same_bits_for_any_number_of_threads():
    """Blocks of rows are fixed and their sums are added up in order."""
    x, own, joined, *_ = both((61, 20, 20, 3), 8, (5, 5), "same", "relu", np.float32)
    answers, before = [], get_num_threads()
    try:
        for threads in (1, 2, 3):
            set_num_threads(threads)
            found, kept = joined.forward(x, own, None)
            by_x, by_weights = joined.backward(kept, found, own, True)
            answers.append([found, by_x, *by_weights.values()])
    finally:
        set_num_threads(before)
    for other in answers[1:]:
        for a, b in zip(answers[0], other, strict=True):
            assert_array_equal(a, b)


ONE = {"weight": np.ones((1, 1, 1, 1)), "bias": np.zeros(1)}


@pytest.mark.parametrize(
    "operation",
    [
        ConvolveAndPool(Conv(1, 1, activation="identity"), (2, 2, 1)),
        TakeMaximum(Pool(2), (2, 2, 1)),
    ],
)
def test_of_equal_numbers_the_first_has_the_gradient(operation):
    _, kept = operation.forward(np.ones((1, 2, 2, 1)), ONE, None)
    by_x, _ = operation.backward(kept, np.ones((1, 1, 1, 1)), ONE, True)
    assert_array_equal(by_x.ravel(), [1, 0, 0, 0])


def test_a_maximum_that_became_zero_has_no_gradient():
    operation = ConvolveAndPool(Conv(1, 1), (2, 2, 1))
    found, kept = operation.forward(np.full((1, 2, 2, 1), -1.0), ONE, None)
    assert found.item() == 0
    by_x, by_weights = operation.backward(kept, np.ones((1, 1, 1, 1)), ONE, True)
    for array in (by_x, *by_weights.values()):
        assert not array.any()


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize(
    "operation",
    [
        ConvolveAndPool(Conv(1, 1), (2, 4, 1)),
        ConvolveAndPool(Conv(1, 1, activation="identity"), (2, 4, 1)),
        TakeMaximum(Pool(2), (2, 4, 1)),
    ],
)
def test_a_block_with_nan_is_nan(place, operation):
    """So that a loss that is no number is seen."""
    x = np.zeros((1, 2, 4, 1))
    x[0, place // 2, place % 2] = np.nan
    found, _ = operation.forward(x, ONE, None)
    assert np.isnan(found.ravel()[0])
    assert found.ravel()[1] == 0


def test_there_may_be_no_rows():
    operation = ConvolveAndPool(Conv(1, 1), (2, 4, 1))
    assert operation.forward(np.zeros((0, 2, 4, 1)), ONE, None)[0].shape == (0, 1, 2, 1)


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


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid", "identity"])
def test_an_estimator_predicts_what_its_feature_maps_say(rng, activation):
    """`feature_maps` takes the two steps one after the other."""
    X, y = rng.normal(size=(40, 9, 8, 2)), rng.integers(3, size=40)
    layers = [Conv(5, 3, padding="same", activation=activation), Pool(2), Dense(7)]
    model = ConvClassifier(layers, max_iter=2, random_state=0).fit(X, y)
    scores = model.feature_maps(X)[-1]
    expected = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-9)


def test_geometry_of_signals_and_images():
    assert geometry(Conv(2, 3, stride=2, padding="same"), (7, 1)) == (
        (1, 3),
        (1, 2),
        ((0, 0), (1, 1)),
    )
    assert geometry(Conv(2, (3, 2)), (7, 6, 1)) == ((3, 2), (1, 1), ((0, 0), (0, 0)))
    assert blocks_of(Pool(2), (7, 3)) == ((1, 2), (1, 2), (1, 3))
    assert blocks_of(Pool((2, 3)), (7, 6, 3)) == ((2, 3), (2, 3), (3, 2))


def torch_module(torch, operation, own):
    """The same function of maps with the channels second, by PyTorch."""
    F = torch.nn.functional
    w, b = own.get("weight"), own.get("bias")
    match operation:
        case Convolve(layer, shape):
            convolve = F.conv1d if len(shape) == 2 else F.conv2d
            return lambda x: convolve(x, w, b, stride=layer.window(len(shape) - 1)[1])
        case TakeMaximum(layer, shape):
            pool = F.max_pool1d if len(shape) == 2 else F.max_pool2d
            return lambda x: pool(x, *layer.window(len(shape) - 1))
        case TakeMean(layer, shape):
            pool = F.avg_pool1d if len(shape) == 2 else F.avg_pool2d
            return lambda x: pool(x, *layer.window(len(shape) - 1))
        case Normalise(layer):
            return lambda x: F.batch_norm(x, None, None, w, b, True, 0.1, layer.epsilon)
        case Multiply():
            return lambda x: F.linear(x.flatten(1), w, b)
        case ConvolveLocally(layer, shape):
            from gramian.neural_network.convolution.local_module import LocalModule

            module = LocalModule(layer, shape).double()
            return lambda x: torch.func.functional_call(module, own, (x,))
        case ApplyFilters(layer):
            bank = torch.as_tensor(layer.bank).unsqueeze(1)
            return lambda x: F.conv2d(x, bank.repeat(2, 1, 1, 1), groups=2, padding="same")
        case Activate(name):
            return getattr(torch, name)
    raise AssertionError(operation)


PEERS = [
    (Convolve(Conv(3, 2, stride=2), (7, 8, 2)), (7, 8, 2)),
    (Convolve(Conv(3, 4), (9, 2)), (9, 2)),
    (TakeMaximum(Pool(3, stride=2), (7, 7, 2)), (7, 7, 2)),
    (TakeMaximum(Pool(2), (7, 2)), (7, 2)),
    (TakeMean(Pool((2, 3), "average"), (7, 6, 2)), (7, 6, 2)),
    (ConvolveLocally(LocallyConnected(3, 2, stride=2), (6, 6, 2)), (6, 6, 2)),
    (ConvolveLocally(LocallyConnected(3, 2), (6, 2)), (6, 2)),
    (ApplyFilters(FilterBank("edges")), (6, 5, 2)),
    (Normalise(BatchNorm()), (4, 5, 2)),
    (Multiply(), (4, 5, 2)),
    (Activate("tanh"), (4,)),
    (Activate("sigmoid"), (4,)),
    (Activate("relu"), (4,)),
]


@pytest.mark.parametrize(("operation", "shape"), PEERS)
def test_values_and_gradients_match_torch(operation, shape, rng):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = rng.normal(size=(5, *shape))
    if isinstance(operation, Multiply):
        own = {"weight": rng.normal(size=(3, 40)), "bias": rng.normal(size=3)}
    elif operation.weights:
        own = weights_of(operation.layer, shape, float, rng)
    else:
        own = {}
    tensors = {k: torch.tensor(w, requires_grad=True) for k, w in own.items()}
    running = {"running_mean": np.zeros(2), "running_var": np.ones(2)}
    ours, kept = operation.forward(x, {**own, **running}, NEW(0))
    x_torch = torch.tensor(np.moveaxis(x, -1, 1).copy(), requires_grad=True)
    theirs = torch_module(torch, operation, tensors)(x_torch)
    assert_allclose(np.moveaxis(ours, -1, 1), theirs.detach().numpy(), atol=1e-12)
    slopes = rng.normal(size=ours.shape)
    theirs.backward(torch.tensor(np.moveaxis(slopes, -1, 1).copy()))
    by_x, found = operation.backward(kept, slopes, {**own, **running}, True)
    assert_allclose(np.moveaxis(by_x, -1, 1), x_torch.grad.numpy(), atol=1e-11)
    for name, tensor in tensors.items():
        assert_allclose(found[name], tensor.grad.numpy(), atol=1e-11)


def test_dropout_passes_the_gradient_of_what_it_keeps():
    x = np.ones((50, 40), dtype=np.float32)
    found, kept = Drop(0.25).forward(x, {}, NEW(0))
    assert found.dtype == np.float32
    assert_allclose(np.unique(found), [0, 4 / 3], rtol=1e-6)
    assert (found == 0).mean() == pytest.approx(0.25, abs=0.03)
    assert_array_equal(Drop(0.25).backward(kept, x, {}, True)[0], found)
    assert Drop(0.25).forward(x, {}, None)[0] is x


def test_a_convolution_of_one_channel_matches_two_with_one_zero(rng):
    """One channel has a matrix of patches in another layout."""
    layer = Conv(3, (3, 2), stride=(2, 1), padding="same", activation="identity")
    x = rng.normal(size=(4, 7, 6, 1))
    own = {"weight": rng.normal(size=(3, 1, 3, 2)), "bias": rng.normal(size=3)}
    both = {"weight": np.concatenate([own["weight"]] * 2, axis=1), "bias": own["bias"]}
    one, two = Convolve(layer, (7, 6, 1)), Convolve(layer, (7, 6, 2))
    found, kept = one.forward(x, own, None)
    expected, kept_two = two.forward(np.concatenate([x, 0 * x], axis=-1), both, None)
    np.testing.assert_allclose(found, expected, atol=1e-12)
    slopes = rng.normal(size=found.shape)
    by_x, by_weights = one.backward(kept, slopes, own, True)
    by_two, by_weights_two = two.backward(kept_two, slopes, both, True)
    np.testing.assert_allclose(by_x, by_two[..., :1], atol=1e-12)
    np.testing.assert_allclose(by_weights["weight"], by_weights_two["weight"][:, :1], atol=1e-12)
    np.testing.assert_allclose(by_weights["bias"], by_weights_two["bias"], atol=1e-12)
