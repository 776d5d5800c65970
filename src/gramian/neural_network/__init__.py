"""Neural networks: multi-layer perceptrons, convolutional networks, autoencoders."""

from gramian.neural_network.mlp.mlp_classifier import MLPClassifier
from gramian.neural_network.mlp.mlp_regressor import MLPRegressor

__all__ = [
    "MLPClassifier",
    "MLPRegressor",
]
