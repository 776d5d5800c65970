"""Ten scripts as users of scikit-learn write them, run as they are and accelerated."""
