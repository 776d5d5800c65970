"""Multi-layer perceptrons, trained by native code."""
