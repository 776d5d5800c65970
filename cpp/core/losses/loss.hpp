// The names of all losses of the core. Their formulas are in margin.hpp.
#pragma once

#include "core/runtime/views.hpp"

#include <string_view>

namespace gramian::losses {

// The losses that the passes over rows support come first.
enum class Loss : int {
    squared,
    logistic,
    poisson,
    squared_sigmoid,
    squared_hinge,
    absolute,
    quantile,
    huber,
    epsilon_insensitive,
    squared_epsilon_insensitive,
    gamma,
    exponential,
    hinge,
    perceptron,
    modified_huber,
    softmax
};
constexpr int kPassLosses = 5;

// Scores of a block of rows, and memory for their derivatives; `stride` is the distance between the
// scores of two classes.
struct ScoreBlock {
    Index n, classes, stride;
    const double* y;
    const double* weights; // may be null
    const double* z;
    float* gradient;
    float* hessian; // may be null
};

// The loss with the name of an enumerator. Throws std::invalid_argument.
Loss loss_named(std::string_view name);

} // namespace gramian::losses
