"""The contract: kinds of estimator, parameters, validation, labels, seeds, callbacks, files."""
