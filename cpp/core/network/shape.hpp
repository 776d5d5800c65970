// A multi-layer perceptron: layers l = 1 .. L, each
//
//     z_l = h_{l-1} W_l + b_l,   [z_l <- gamma_l (z_l - mean) / sqrt(var + delta) + beta_l,]
//     h_l = f_l(z_l),            h_0 = x
//
// with W_l of shape (in, out), as scikit-learn stores it. All parameters form one vector: the W_l
// row by row, then the b_l, then with batch normalisation the gamma_l and the beta_l of the hidden
// layers.
#pragma once

#include "core/runtime/views.hpp"

#include <vector>

namespace gramian::network {

enum class Activation : int { identity, logistic, tanh, relu };

// What the last layer computes, and the loss that it is trained with:
//     squared            z          |z - y|^2 / 2
//     squared_logistic   sigma(z)   |sigma(z) - y|^2 / 2
//     poisson            exp(z)     exp(z) - y z, minus its value at the best z
//     logistic           sigma(z)   sum_k log(1 + exp(z_k)) - y_k z_k
//     softmax            softmax(z) log sum_k exp(z_k) - sum_k y_k z_k
enum class Output : int { squared, squared_logistic, poisson, logistic, softmax };

struct Shape {
    std::vector<Index> widths;           // inputs, hidden layers, outputs
    std::vector<Activation> activations; // one per hidden layer
    Output output;
    bool batch_norm; // in the hidden layers

    Index layers() const { return static_cast<Index>(widths.size()) - 1; }
    Index in(Index layer) const { return widths[static_cast<std::size_t>(layer)]; }
    Index out(Index layer) const { return widths[static_cast<std::size_t>(layer) + 1]; }
    Index hidden_units() const;
    Index parameters() const;
};

} // namespace gramian::network
