"""Figures of classifiers: regions, probabilities, scores, margins."""
