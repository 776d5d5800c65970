"""The contract: kinds of estimator, parameters, the gate, labels, randomness, callbacks, files."""
