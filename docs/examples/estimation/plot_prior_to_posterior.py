"""
From likelihood to posterior
============================

A coin lands heads eight times in ten tosses. We draw the likelihood, its combination with a
prior, and how the posterior changes toss by toss.
"""

import matplotlib.pyplot as plt
import numpy as np

from gramian.distributions import Beta, Binomial, Gaussian
from gramian.textbook.estimation import (
    bayes_estimate,
    credible_interval,
    grid_posterior,
    posterior,
    predictive,
    update,
)
from gramian.textbook.figures import plot_likelihood_curve, plot_posterior_sequence

# %%
# The likelihood L(p) = 45 p^8 (1 - p)^2 is largest at the proportion of heads. A Beta prior gives a
# Beta posterior, so only the counts of heads and tails need to be stored.

p = np.linspace(0, 1, 501)
likelihood = np.array([Binomial(10, q).prob(8) for q in p])
best = Binomial.fit([8], n=10).p
figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
plot_likelihood_curve(p, likelihood, best=best, name="p", ax=left)

tosses = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
belief = Beta(2, 2)
steps = {"prior": belief}
for count, toss in enumerate(tosses, start=1):
    belief = update(belief, toss)
    if count in (1, 3, 10):
        steps[f"after {count}"] = belief
curves = [step.prob(p) for step in steps.values()]
plot_posterior_sequence(p, curves, list(steps), name="p", ax=right)
plt.show()

# %%
# Processing all tosses at once gives the same posterior.

assert belief == posterior(Beta(2, 2), tosses)
low, high = credible_interval(belief, 0.95)
print(f"{belief}: mean {belief.mean:.3f}, 95% between {low:.3f} and {high:.3f}")
print(f"the next toss is heads with probability {predictive(belief).p:.4f}")

# %%
# The estimate depends on the loss: the mean for squared loss, the median for absolute loss, the
# mode for zero-one loss, or any other.

for loss in ("squared", "absolute", "zero-one"):
    print(f"{loss} loss: {bayes_estimate(belief, loss):.4f}")

# %%
# Without a conjugate prior, use a grid: here for the mean and variance of a normal sample, with a
# prior that has no closed form. Sufficient statistics make a grid of a thousand by a thousand
# points cheap.

x = Gaussian(3.0, 4.0).sample(200, random_state=0)
grid = grid_posterior(
    Gaussian,
    {"mean": np.linspace(2, 4, 300), "variance": np.linspace(2, 7, 300)},
    data=x,
    prior=lambda mean, variance: -np.abs(mean) - np.sqrt(variance),
)
print("mean", grid.mean.round(3), "mode", grid.mode.round(3))
figure, ax = plt.subplots(figsize=(5.4, 4.4), layout="constrained")
ax.contourf(*grid.points, grid.density.T, levels=12, cmap="Blues")
ax.plot(*grid.mode, "X", color="#e0742c")
ax.set(xlabel="mean", ylabel="variance")
plt.show()
