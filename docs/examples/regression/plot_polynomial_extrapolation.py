"""
Polynomials inside and outside their data
=========================================

A polynomial regression is a linear regression over powers of x. Its degree determines how closely
it can follow the data, and how wrong it is beyond them. The data are the censuses of the United
States since 1790; the fits use those up to 1960.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, PolynomialFeatures

from gramian import LinearRegression
from gramian.evaluate import extrapolation_errors
from gramian.plot import plot_extrapolation_errors, plot_fits

year = np.arange(1790, 2030, 10.0)[:, None]
millions = np.array([
    3.93, 5.31, 7.24, 9.64, 12.87, 17.07, 23.19, 31.44, 38.56, 50.19, 62.98, 76.21, 92.23,
    106.02, 123.20, 132.16, 151.33, 179.32, 203.21, 226.55, 248.71, 281.42, 308.75, 331.45,
])  # fmt: skip
seen = year[:, 0] <= 1960


def polynomial(degree):
    """Powers of a variable scaled to [-1, 1]: powers of 1960 would lose every digit."""
    return make_pipeline(MinMaxScaler((-1, 1)), PolynomialFeatures(degree), LinearRegression())


# %%
# Degree 1 underfits: it misses the curvature. Degree 10 goes through nearly all the points it was
# given and predicts a population below zero two censuses later.

fits = {
    f"degree {degree}": polynomial(degree).fit(year[seen], millions[seen]).predict
    for degree in (1, 2, 4, 10)
}
plot_fits(year, millions, fits, seen=seen).set(xlabel="year", ylabel="millions")
plt.show()

# %%
# Cross-validation detects overfitting, but not bad extrapolation: it tests only inside the range of
# the data. Here it chooses degree 7, whose error beyond the data is a hundred times that of degree
# 2.

degrees = np.arange(1, 11)
errors = extrapolation_errors([polynomial(d) for d in degrees], year, millions, seen)
plot_extrapolation_errors(degrees, *errors).set_title("errors in millions")
plt.show()
