"""Densities, likelihoods and posteriors."""
