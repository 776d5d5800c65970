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
from gramian.neural_network.convolution.shift_invariance import max_pool, shift_invariance
from gramian.neural_network.mlp.mlp_classifier import MLPClassifier
from gramian.neural_network.mlp.mlp_regressor import MLPRegressor
from gramian.neural_network.textbook.approximation import (
    UnitSum,
    fourier_approximation,
    ramp_approximation,
    step_approximation,
    taylor_approximation,
)
from gramian.neural_network.textbook.diagnostics import LayerDiagnostics, layer_diagnostics
from gramian.neural_network.textbook.gates import ThresholdLayer, layer_of_gates, xor_network
from gramian.neural_network.textbook.one_hidden_layer import (
    HiddenLayerStep,
    relu_softmax_gradients,
    sigmoid_layer_step,
)

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
    "HiddenLayerStep",
    "LayerDiagnostics",
    "LayerSummary",
    "LeNet5",
    "LocallyConnected",
    "MLPClassifier",
    "MLPRegressor",
    "Pool",
    "StackedDenoisingAutoencoder",
    "StackedDenoisingClassifier",
    "ThresholdLayer",
    "UnitSum",
    "corrupt",
    "count_parameters",
    "fourier_approximation",
    "gabor_filters",
    "layer_diagnostics",
    "layer_of_gates",
    "max_pool",
    "plot_feature_maps",
    "plot_filters",
    "plot_layers",
    "plot_reconstructions",
    "ramp_approximation",
    "receptive_field",
    "relu_softmax_gradients",
    "shift_invariance",
    "sigmoid_layer_step",
    "step_approximation",
    "summarize_layers",
    "taylor_approximation",
    "xor_network",
]
