"""LeNet-5 and a denoising autoencoder against plain loops of PyTorch, and skorch.

All train the same layers from random starts, by Adam with the rate 0.001, in float32, for the same
epochs with the same batch size and a new order in each. "torch + DataLoader" is the loop of
PyTorch's tutorials: a shuffling DataLoader over a TensorDataset, Adam with its defaults; "torch"
has one permutation an epoch and slices of it instead of the DataLoader. The answer is the mean loss
of the training rows after the last epoch. Names with "B" have other data of the same shape, which
nothing was tuned on.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.workload import Quality, Workload

RATE, BATCH, EPOCHS = 1e-3, 64, 2


def strokes(*, n, seed=0):
    """28 x 28 images of ten kinds: a few strokes each, moved by some pixels, with noise.

    One label in ten is drawn at random, so that the loss has a level that all can reach.
    """
    rng = np.random.default_rng(seed)
    kinds = np.zeros((10, 28, 28), dtype=np.float32)
    for image in kinds:
        for _ in range(3):
            start, step = rng.integers(6, 22, size=2), rng.integers(-1, 2, size=2)
            for t in range(10):
                row, column = np.clip(start + t * step, 1, 26)
                image[row - 1 : row + 1, column - 1 : column + 1] = 1.0
    y = rng.integers(10, size=n)
    moves = rng.integers(-3, 4, size=(n, 2))
    X = np.empty((n, 28, 28), dtype=np.float32)
    for i in range(n):
        X[i] = np.roll(kinds[y[i]], moves[i], axis=(0, 1))
    X += 0.2 * rng.random(X.shape, dtype=np.float32)
    y[: n // 10] = rng.integers(10, size=n // 10)
    return X, y.astype(np.int64)


def rows(*, n, seed=0):
    X, _ = strokes(n=n, seed=seed)
    return (np.clip(X, 0, 1).reshape(n, -1),)


def lenet_module(torch):
    nn = torch.nn
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(), nn.Linear(84, 10),
    )  # fmt: skip


def lenet_ours(X, y):
    from gramian.neural_network import LeNet5

    model = LeNet5(
        (28, 28, 1), max_iter=EPOCHS, batch_size=BATCH, learning_rate_init=RATE, random_state=0
    )
    return model.fit(X, y).predict_proba(X)


def batches(torch, tensors, loader):
    """The batches of an epoch."""
    if loader:
        data = torch.utils.data.TensorDataset(*tensors)
        yield from torch.utils.data.DataLoader(data, batch_size=BATCH, shuffle=True)
    else:
        for at in torch.randperm(len(tensors[0])).split(BATCH):
            yield tuple(tensor[at] for tensor in tensors)


def lenet_torch(X, y, *, loader):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(2)
    net, loss = lenet_module(torch), torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=RATE)
    tensors = torch.from_numpy(X)[:, None], torch.from_numpy(y)
    for _ in range(EPOCHS):
        for images, labels in batches(torch, tensors, loader):
            optimizer.zero_grad()
            loss(net(images), labels).backward()
            optimizer.step()
    with torch.inference_mode():
        parts = [torch.softmax(net(part), 1) for part in tensors[0].split(1024)]
        return torch.cat(parts).numpy()


def lenet_skorch(X, y):
    import skorch
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(2)
    model = skorch.NeuralNetClassifier(
        lenet_module(torch),
        criterion=torch.nn.CrossEntropyLoss,
        optimizer=torch.optim.Adam,
        lr=RATE,
        batch_size=BATCH,
        max_epochs=EPOCHS,
        train_split=None,
        iterator_train__shuffle=True,
        verbose=0,
    )
    model.fit(X[:, None], y)
    return torch.softmax(model.forward(X[:, None]), 1).numpy()


def codes_ours(X):
    from gramian import DenoisingAutoencoder

    model = DenoisingAutoencoder(
        200,
        loss="cross_entropy",
        noise_level=0.3,
        batch_size=BATCH,
        max_iter=EPOCHS,
        learning_rate_init=RATE,
        random_state=0,
    )
    return model.fit(X).reconstruct(X)


def codes_torch(X, *, loader):
    import torch

    torch.manual_seed(0)
    torch.set_num_threads(2)
    nn = torch.nn
    net = nn.Sequential(nn.Linear(784, 200), nn.Sigmoid(), nn.Linear(200, 784))
    optimizer, loss = torch.optim.Adam(net.parameters(), lr=RATE), nn.BCEWithLogitsLoss()
    tensors = (torch.from_numpy(X),)
    for _ in range(EPOCHS):
        for (clean,) in batches(torch, tensors, loader):
            noisy = clean * (torch.rand_like(clean) >= 0.3)
            optimizer.zero_grad()
            loss(net(noisy), clean).backward()
            optimizer.step()
    with torch.inference_mode():
        return torch.sigmoid(net(tensors[0])).numpy()


def log_loss(P, _, y):
    p = np.asarray(P, dtype=float)[np.arange(len(y)), y]
    return float(-np.log(np.maximum(p, 1e-15)).mean())


def bit_loss(Z, X):
    z = np.clip(np.asarray(Z, dtype=float), 1e-7, 1 - 1e-7)
    return float(-(X * np.log(z) + (1 - X) * np.log(1 - z)).sum(axis=1).mean())


LOSS = Quality("mean log loss", log_loss, better="lower", agree=0.05)
BITS = Quality("mean cross-entropy of a row", bit_loss, better="lower", agree=0.02)

LENET = {
    "gramian": lenet_ours,
    "torch + DataLoader": partial(lenet_torch, loader=True),
    "torch": partial(lenet_torch, loader=False),
    "skorch": lenet_skorch,
}
CODES = {
    "gramian": codes_ours,
    "torch + DataLoader": partial(codes_torch, loader=True),
    "torch": partial(codes_torch, loader=False),
}

WORKLOADS = [
    workload
    for name, seed in (("", 0), (" B", 1))
    for workload in (
        Workload(
            name=f"LeNet-5, 20k x 28 x 28, 2 epochs{name}",
            dtype="float32",
            data=partial(strokes, n=20_000, seed=seed),
            contenders=LENET,
            quality=LOSS,
            aim=1.5,
        ),
        Workload(
            name=f"denoising autoencoder, 20k x 784-200, 2 epochs{name}",
            dtype="float32",
            data=partial(rows, n=20_000, seed=seed),
            contenders=CODES,
            quality=BITS,
            aim=1.3,
        ),
    )
]
