"""Mixtures, generative models and empirical distributions."""
