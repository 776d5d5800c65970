"""
Bias and variance of polynomial fits
====================================

We fit polynomials to many training sets from the same distribution. A polynomial of low degree
makes the same error each time (bias); one of high degree is right on average but differs each
time (variance). The validation error of a single training set shows the same trade-off, even if
the distribution is unknown.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from gramian import LinearRegression
from gramian.evaluate import diagnose_fit, validation_errors
from gramian.plot import plot_error_curve
from gramian.textbook.figures import plot_bias_variance_curve, plot_bias_variance_fits
from gramian.textbook.learning_theory import bias_variance, bias_variance_curve

noise = 0.16


def truth(z):
    return np.sin(3 * z[:, 0])


def draw(rng):
    x = rng.uniform(-1, 1, size=(40, 1))
    return x, truth(x) + np.sqrt(noise) * rng.normal(size=40)


def polynomial(degree):
    return make_pipeline(PolynomialFeatures(degree), LinearRegression())


z = np.linspace(-0.95, 0.95, 100)[:, None]
figure, axes = plt.subplots(1, 2, figsize=(12, 4.3), layout="constrained")
for ax, degree in zip(axes, (1, 8), strict=True):
    found = bias_variance(polynomial(degree), draw, z, truth, noise=noise, n_sets=60)
    plot_bias_variance_fits(z[:, 0], found.predictions, found.truth, noise=noise, point=0.6, ax=ax)
    ax.set_title(f"degree {degree}")
plt.show()

# %%
# Bias, variance and noise against the degree. Their sum is smallest where neither bias nor
# variance dominates. Inside the range of the data, degree 3 is enough for this sine.

degrees = np.arange(1, 9)
middle = np.linspace(-0.8, 0.8, 40)[:, None]
models = [polynomial(degree) for degree in degrees]
curve = bias_variance_curve(models, draw, middle, truth, noise=noise, n_sets=60)
plot_bias_variance_curve(degrees, *curve[:3], name="degree")
plt.show()

# %%
# A single data set: training and validation error against the degree, and the diagnosis of each
# fit.

x, y = draw(np.random.default_rng(6))
errors = validation_errors(
    polynomial(1), x, y, name="polynomialfeatures__degree", values=list(degrees), cv=5
)
plot_error_curve(errors.values, errors.train, errors.validation, name="degree")
plt.show()
for degree in (1, 3):
    at = int(np.flatnonzero(degrees == degree)[0])
    verdict = diagnose_fit(errors.train[at], errors.validation[at], acceptable=noise)
    print(f"degree {degree}: {verdict}")
