"""Code shared by linear models: scores, predictions, checks of classes, fits to labelled rows."""
