"""Orientation histograms; the answer is the descriptors, judged by what they recognise.

Digits of scikit-learn, enlarged to 28 x 28, moved at random, with noise. scikit-image takes one
image at a time (`hog`, votes for one bin each, blocks scaled by their Euclidean length), and is the
only peer; there is no such function in scikit-learn.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.harness.workload import Quality, Workload


def digit_images(*, n=20_000, seed=0):
    """Grey images of 28 x 28 pixels, and the digits they show."""
    from scipy.ndimage import zoom
    from sklearn.datasets import load_digits

    rng = np.random.default_rng(seed)
    digits = load_digits()
    large = zoom(digits.images / 16, (1, 3, 3), order=1)
    chosen = rng.integers(len(large), size=n)
    images = np.zeros((n, 28, 28))
    for i, (k, (down, right)) in enumerate(zip(chosen, rng.integers(5, size=(n, 2)), strict=True)):
        images[i, down : down + 24, right : right + 24] = large[k]
    images += 0.05 * rng.normal(size=images.shape)
    return images, digits.target[chosen]


def nearest_centroid_accuracy(features, _images, digits):
    """Accuracy of the nearest class mean, means of the first half, judged on the second."""
    half = len(digits) // 2
    means = np.stack([features[:half][digits[:half] == k].mean(axis=0) for k in range(10)])
    scores = features[half:] @ means.T - (means**2).sum(axis=1) / 2
    return float(np.mean(scores.argmax(axis=1) == digits[half:]))


def gramian(images, _digits):
    from gramian.feature_extraction.image import orientation_histograms

    return orientation_histograms(images, n_bins=12, cell=7, block=2)


def scikit_image(images, _digits):
    from skimage.feature import hog

    return np.stack(
        [
            hog(
                image,
                orientations=12,
                pixels_per_cell=(7, 7),
                cells_per_block=(2, 2),
                block_norm="L2",
            )
            for image in images
        ]
    )


# The second data set was made after all tuning.
WORKLOADS = [
    Workload(
        name=f"orientation histograms, 20k images of 28 x 28, 12 bins, 2 x 2 cells{suffix}",
        dtype="float64",
        data=partial(digit_images, seed=seed),
        contenders={"gramian": gramian, "scikit-image": scikit_image},
        quality=Quality(
            "accuracy of nearest means", nearest_centroid_accuracy, better="higher", agree=0.02
        ),
        aim=20.0,
    )
    for suffix, seed in (("", 0), (", second data set", 10))
]
