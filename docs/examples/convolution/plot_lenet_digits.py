"""
What a convolutional network sees
=================================

A small convolutional network learns to recognise digits. We look at its filters, at its feature
maps for one digit, and at how well pooling ignores a shift by one pixel.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from gramian import ConvClassifier
from gramian.neural_network import (
    Conv,
    Dense,
    LocallyConnected,
    Pool,
    count_parameters,
    plot_feature_maps,
    plot_filters,
    plot_layers,
    receptive_field,
)
from gramian.textbook.networks import shift_invariance

digits = load_digits()
images = (digits.images / 16).astype(np.float32)
X, X_test, y, y_test = train_test_split(images, digits.target, test_size=0.3, random_state=0)
layers = [Conv(8, 3, padding="same"), Pool(2), Conv(16, 3, padding="same"), Pool(2), Dense(64)]
model = ConvClassifier(
    layers,
    batch_size=32,
    max_iter=10,
    learning_rate_init=3e-3,
    learning_rate="cosine",
    random_state=0,
).fit(X, y)
print(f"accuracy on other digits: {model.score(X_test, y_test):.3f}")

# %%
# The shapes
# ----------
#
# Each output of the last pooling layer depends on a square of the input. Shared filters need few
# weights.

print("sees", receptive_field(layers, sides=2), "pixels along each side")
for kind in (Conv, LocallyConnected):
    count = count_parameters([kind(8, 3, padding="same")], (8, 8, 1))
    print(f"{kind.__name__}: {count} parameters")
print(f"Dense: {count_parameters([Dense(8 * 8 * 8)], (8, 8, 1))} parameters")

figure, ax = plt.subplots(figsize=(10, 3), layout="constrained")
plot_layers(model, ax=ax)
plt.show()

# %%
# Filters and maps
# ----------------

figure, (top, bottom) = plt.subplots(
    2, 1, figsize=(9, 6.5), height_ratios=[1, 5], layout="constrained"
)
plot_filters(model, ax=top)
plot_feature_maps(model, X_test[0], ax=bottom)
plt.show()

# %%
# Shifts
# ------
#
# We compute the fraction of the 8 shifts by one pixel that leave an output unchanged. For block
# maxima of an image with a single light pixel, this fraction is 3/8; the predicted classes change
# less often.

pixel = np.zeros((1, 8, 8))
pixel[0, 4, 4] = 1.0
print(f"maximum of 2 x 2 blocks, one pixel: {shift_invariance(pixel)}")
found = {
    "class": shift_invariance(X_test, model.predict),
    "maps of the first pool, within 0.1": shift_invariance(
        X_test, lambda shifted: model.feature_maps(shifted)[1], tol=0.1
    ),
}
for what, fraction in found.items():
    print(f"{what}: {fraction:.2f}")
