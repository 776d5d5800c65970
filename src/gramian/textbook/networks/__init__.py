"""Neural networks: gates, one hidden layer, backpropagation, approximation, shift invariance."""

from gramian.textbook.networks.approximation import (
    UnitSum,
    fourier_approximation,
    ramp_approximation,
    step_approximation,
    taylor_approximation,
)
from gramian.textbook.networks.diagnostics import LayerDiagnostics, layer_diagnostics
from gramian.textbook.networks.gates import ThresholdLayer, layer_of_gates, xor_network
from gramian.textbook.networks.one_hidden_layer import (
    HiddenLayerStep,
    relu_softmax_gradients,
    sigmoid_layer_step,
)
from gramian.textbook.networks.shift_invariance import max_pool, shift_invariance

__all__ = [
    "HiddenLayerStep",
    "LayerDiagnostics",
    "ThresholdLayer",
    "UnitSum",
    "fourier_approximation",
    "layer_diagnostics",
    "layer_of_gates",
    "max_pool",
    "ramp_approximation",
    "relu_softmax_gradients",
    "shift_invariance",
    "sigmoid_layer_step",
    "step_approximation",
    "taylor_approximation",
    "xor_network",
]
