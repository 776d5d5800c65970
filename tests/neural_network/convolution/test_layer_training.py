"""Training of layers in NumPy, against the same network trained by PyTorch."""

import numpy as np
import pytest

from gramian.neural_network import BatchNorm, Conv, Dense, LocallyConnected, Pool
from gramian.neural_network.convolution.forward import initial_weights
from gramian.neural_network.convolution.layer_training import LayerTraining
from gramian.neural_network.convolution.torch_modules import module_of
from gramian.neural_network.training.training import Settings, batches, row_order
from gramian.objectives import Softmax

SHAPE = (8, 7, 2)
LAYERS = [
    Conv(4, 3, padding="same", activation="tanh"),
    BatchNorm(),
    Pool(2, "average"),
    LocallyConnected(3, 2),
    Dense(9, "sigmoid"),
    Dense(3, "identity"),
]


def training(settings, rng, weights=None):
    X, y = rng.normal(size=(50, 112)), rng.integers(3, size=50)
    first = initial_weights(LAYERS, SHAPE, 0, np.float64)
    made = LayerTraining(LAYERS, SHAPE, first, settings, Softmax(), X, y, weights, 0)
    return X, y, first, made


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("solver", ["adam", "sgd"])
def test_the_steps_match_torch(rng, solver, weighted):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    settings = Settings(solver=solver, alpha=0.1, batch_size=20)
    w = rng.random(50) if weighted else None
    X, y, first, ours = training(settings, rng, w)
    module = module_of(LAYERS, SHAPE, first).train()
    groups = [
        {
            "params": [p for n, p in module.named_parameters() if n.endswith("weight")],
            "weight_decay": 0.1,
        },
        {"params": [p for n, p in module.named_parameters() if n.endswith("bias")]},
    ]
    sgd = solver == "sgd"
    optimizer = (
        torch.optim.SGD(groups, lr=0.01, momentum=0.9) if sgd else torch.optim.Adam(groups, lr=0.01)
    )
    images = torch.tensor(np.moveaxis(X.reshape(50, *SHAPE), -1, 1).copy())
    for epoch in range(3):
        losses = []
        for rows in batches(row_order(50, 0, epoch), settings):
            optimizer.zero_grad()
            scores = module(images[torch.tensor(rows)])
            each = torch.nn.functional.cross_entropy(
                scores, torch.tensor(y[rows]), reduction="none"
            )
            own = torch.tensor(np.ones(len(rows)) if w is None else w[rows])
            loss = (each * own).mean()
            loss.backward()
            optimizer.step()
            losses.append(loss.item() * len(rows))
        found, _ = ours.epoch(0.01)
        assert found == pytest.approx(sum(losses) / 50)
    state = module.state_dict()
    for name, array in ours.weights().items():
        np.testing.assert_allclose(array, state[name].numpy(), atol=1e-9, err_msg=name)


def test_an_epoch_lowers_the_loss_and_weights_are_copies(rng):
    X, _, first, made = training(Settings(batch_size=25), rng)
    losses = [made.epoch(0.01)[0] for _ in range(5)]
    assert losses[-1] < losses[0]
    assert made.outputs(X).shape == (50, 3)
    copies = made.weights()
    made.epoch(0.01)
    assert (copies["layer0.weight"] != made.memory["layer0.weight"]).any()
    assert copies["layer0.weight"].shape == first["layer0.weight"].shape
