"""
Autoencoders
============

An autoencoder learns a code of a few numbers from which a digit can be reconstructed; a denoising
autoencoder learns its code by removing noise.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from gramian import PCA, Autoencoder, DenoisingAutoencoder
from gramian.neural_network import plot_reconstructions

X = (load_digits().data / 16).astype(np.float32)
X, X_new = X[:1400], X[1400:]

# %%
# Codes and principal components
# ------------------------------
#
# Principal components have the smallest squared error of all linear maps to k numbers and back. A
# sigmoid code is not linear.

sizes = (2, 4, 8, 16)
errors = {"PCA": [], "autoencoder": []}
for k in sizes:
    pca = PCA(k).fit(X)
    rebuilt = pca.inverse_transform(pca.transform(X_new))
    errors["PCA"].append(np.mean(np.sum((X_new - rebuilt) ** 2, axis=1)))
    model = Autoencoder(
        k,
        learning_rate_init=0.01,
        max_iter=100,
        batch_size=100,
        learning_rate="cosine",
        random_state=0,
    ).fit(X)
    errors["autoencoder"].append(-model.score(X_new))

figure, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
for name, values in errors.items():
    ax.plot(sizes, values, marker="o", label=name)
ax.set(xlabel="numbers of a code", ylabel="mean squared error of new digits", ylim=(0, None))
ax.legend()
plt.show()

# %%
# Noise
# -----
#
# A denoising autoencoder is trained on digits with 40% of the pixels missing, and learns to return
# the complete digits. Its code may have more numbers than the digit has pixels.

model = DenoisingAutoencoder(
    100,
    loss="cross_entropy",
    noise_level=0.4,
    learning_rate_init=0.01,
    batch_size=100,
    max_iter=60,
    random_state=0,
).fit(X)
figure, ax = plt.subplots(figsize=(9, 3.2), layout="constrained")
plot_reconstructions(model, X_new[:10], (8, 8), ax=ax)
plt.show()
