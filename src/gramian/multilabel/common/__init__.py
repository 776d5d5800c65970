"""Code shared by multi-label classifiers: base classes, thresholds, models of label columns."""
