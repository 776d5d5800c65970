"""Shared by linear models: scores and predictions, checks of classes, fits to labelled rows."""
