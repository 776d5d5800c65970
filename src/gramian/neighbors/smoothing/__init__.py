"""Smoothers: kernel regression and smoothing splines."""
