"""Findings of a study: leaderboard, curves, errors, explanations, the verdict."""
