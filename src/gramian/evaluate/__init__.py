"""Judgement of models: how well they do, and where."""

from gramian.evaluate.extrapolation import ExtrapolationErrors, extrapolation_errors

__all__ = ["ExtrapolationErrors", "extrapolation_errors"]
