"""Training of networks epoch by epoch: settings, optimiser, stopping."""
