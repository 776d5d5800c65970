"""
Networks by hand
================

We build XOR from three gates, approximate functions by steps and ramps, and show why units stop
learning.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_moons

from gramian import MLPClassifier
from gramian.plot import draw_decision_regions, plot_network
from gramian.textbook.figures import plot_activations, plot_approximations
from gramian.textbook.networks import (
    fourier_approximation,
    layer_diagnostics,
    ramp_approximation,
    step_approximation,
    taylor_approximation,
    xor_network,
)
from gramian.textbook.networks.backprop import Node, gradient_check, sigmoid, squared_error, tanh

# %%
# XOR
# ---
#
# No line separates the two classes of XOR, so no single unit can compute it. Two layers can: (x
# OR y) AND (x NAND y).

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)
y = np.array([[0.0], [1], [1], [0]])
hidden, output = xor_network()
print(output(hidden(X)).ravel())

# %%
# Now the network learns XOR by gradient descent on a computational graph. The gradients of
# backpropagation agree with finite differences.

rng = np.random.default_rng(1)
W, b = Node(rng.normal(size=(2, 3))), Node(np.zeros(3))
V, c = Node(rng.normal(size=(3, 1))), Node(np.zeros(1))


def loss():
    return squared_error(sigmoid(tanh(Node(X) @ W + b) @ V + c), y)


print(f"largest difference from finite differences: {gradient_check(loss, [W, b, V, c]):.1e}")
for _ in range(3000):
    loss().backward()
    for w in (W, b, V, c):
        w.value -= 2.0 * w.gradient
learned = sigmoid(tanh(Node(X) @ W + b) @ V + c).value
print(learned.ravel().round(2))

figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
by_hand = [hidden.weights.T, output.weights.T]
plot_network([2, 2, 1], by_hand, names=["input", "OR, NAND", "AND"], ax=left)
plot_network([2, 3, 1], [W.value, V.value], names=["input", "tanh", "sigmoid"], ax=right)
left.set_title("by hand")
right.set_title("learned")
plt.show()

# %%
# Functions
# ---------
#
# A sum of steps is piecewise constant, a sum of ReLUs piecewise linear; with enough units, both
# approximate a continuous function as closely as desired. Taylor and Fourier sums have the same
# form.

t = np.linspace(0, 2 * np.pi, 400)


def f(x):
    return np.sin(x) + 0.4 * np.cos(3 * x)


slopes = [0.4, 1.0, -3.6, -1.0, 0.4 * 81]  # f and its derivatives at 0
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
units = {"12 steps": step_approximation(f, 0, 2 * np.pi, 12)(t)}
units["12 ReLUs"] = ramp_approximation(f, 0, 2 * np.pi, 12)(t)
plot_approximations(t, f(t), units, ax=left)
series = {"Taylor, degree 4, at 0": taylor_approximation(slopes, 0.0)(t)}
series["Fourier, 1 wave"] = fourier_approximation(f, 0, 2 * np.pi, 1)(t)
plot_approximations(t, f(t), series, ax=right)
plt.show()

# %%
# Saturation
# ----------
#
# If a sigmoid is near 0 or 1, its derivative vanishes, and so does the gradient of all layers below
# it. With large weights most units are saturated; the norms of the gradients show this.

figure, ax = plt.subplots(figsize=(6, 3.4), layout="constrained")
plot_activations(ax=ax)
plt.show()

for scale in (1.0, 20.0):
    weights = [Node(scale * rng.normal(size=(8, 8))) for _ in range(5)]
    x, outputs = Node(rng.normal(size=(50, 8))), []
    for w in weights:
        x = sigmoid(x @ w)
        outputs.append(x.value)
    squared_error(x, np.zeros((50, 8))).backward()
    print(f"weights of size {scale:g}:")
    for layer in layer_diagnostics(outputs, "sigmoid", [w.gradient for w in weights]):
        print(f"  saturated {layer.saturated:4.0%}   gradient {layer.gradient_norm:.1e}")

# %%
# Weight decay
# ------------
#
# A network of 100 units fits every one of 100 noisy points; a penalty on its weights makes the
# boundary smooth.

X, y = make_moons(100, noise=0.35, random_state=0)
networks = [
    MLPClassifier((100,), alpha=alpha, solver="lbfgs", max_iter=2000, random_state=0).fit(X, y)
    for alpha in (0.0, 3.0)
]
figure, axes = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
for ax, model in zip(axes, networks, strict=True):
    draw_decision_regions(model.predict, X, y, ax=ax)
    ax.set_title("no weight decay" if model.alpha == 0 else f"alpha = {model.alpha:g}")
plt.show()
