"""Neural networks: multi-layer perceptrons, convolutional networks, autoencoders."""

from gramian.neural_network.autoencoder.autoencoder import Autoencoder, DenoisingAutoencoder
from gramian.neural_network.autoencoder.corruption import corrupt
from gramian.neural_network.autoencoder.figures import plot_reconstructions
from gramian.neural_network.autoencoder.stacked_denoising_autoencoder import (
    StackedDenoisingAutoencoder,
)
from gramian.neural_network.autoencoder.stacked_denoising_classifier import (
    StackedDenoisingClassifier,
)
from gramian.neural_network.convolution.architecture import (
    LayerSummary,
    count_parameters,
    receptive_field,
    summarize_layers,
)
from gramian.neural_network.convolution.conv_classifier import ConvClassifier
from gramian.neural_network.convolution.conv_regressor import ConvRegressor
from gramian.neural_network.convolution.figures import (
    plot_feature_maps,
    plot_filters,
    plot_layers,
)
from gramian.neural_network.convolution.filter_bank import FilterBank, gabor_filters
from gramian.neural_network.convolution.layers import (
    BatchNorm,
    Conv,
    Dense,
    Dropout,
    LocallyConnected,
    Pool,
)
from gramian.neural_network.convolution.lenet5 import LeNet5
from gramian.neural_network.mlp.mlp_classifier import MLPClassifier
from gramian.neural_network.mlp.mlp_regressor import MLPRegressor

__all__ = [
    "Autoencoder",
    "BatchNorm",
    "Conv",
    "ConvClassifier",
    "ConvRegressor",
    "DenoisingAutoencoder",
    "Dense",
    "Dropout",
    "FilterBank",
    "LayerSummary",
    "LeNet5",
    "LocallyConnected",
    "MLPClassifier",
    "MLPRegressor",
    "Pool",
    "StackedDenoisingAutoencoder",
    "StackedDenoisingClassifier",
    "corrupt",
    "count_parameters",
    "gabor_filters",
    "plot_feature_maps",
    "plot_filters",
    "plot_layers",
    "plot_reconstructions",
    "receptive_field",
    "summarize_layers",
]
