"""Laws of probability and what follows from them; densities and quantiles are scipy.stats's."""

from gramian.distributions.conditional import ConditionalMean, conditional_mean

__all__ = ["ConditionalMean", "conditional_mean"]
