// Training a multi-layer perceptron: the gradient of a batch by backpropagation (Rumelhart, Hinton
// and Williams 1986), and epochs of stochastic steps.
//
// A step opens two parallel regions. In the first, blocks of rows go forward and back through all
// layers on their own; in the second, the gradient of a strip of weights is summed over the rows of
// the batch, in their order, and the optimiser moves the strip while it is in the cache. So nothing
// depends on how the work is cut, and the answer is the same bits for any number of threads. Batch
// normalisation, which looks across the rows, needs a region per layer.
//
// A first layer with many weights is shared out by columns instead: each of a few threads takes the
// inputs of all rows, and keeps the weights of its own columns and their moments in its own cache,
// which costs one region more. Between cores without a common cache all those numbers would have to
// travel in every step.
#pragma once

#include "core/network/source.hpp"
#include "core/network/step.hpp"

#include <cstdint>
#include <vector>

namespace gramian::network {

// What a step does besides following the gradient of the loss.
struct Settings {
    Shape shape;
    Rule<double> rule;               // rate: before the correction of Adam
    std::vector<double> layer_rates; // factors of the rate, one per layer
    double alpha;                    // penalty alpha |w|^2 / 2
    bool divides_penalty;            // by the weight of the batch; else the loss is without it
    bool penalize_intercepts;
    std::vector<double> dropout;    // of the inputs and of each hidden layer
    bool scales_inputs;             // those that are kept, as the units of hidden layers are
    double noise;                   // standard deviation added to the gradient, at this step:
    double noise_decay;             // noise / (1 + t)^noise_decay
    double norm_keep, norm_epsilon; // of batch normalisation
    std::uint64_t seed;             // of dropout and noise
    Index batch;
};

template <typename T>
struct Targets {
    const std::int32_t* codes; // the class of each row, or null:
    const T* values;           // (n, outputs)
    T high, low;               // targets of the row's own class and of the others
};

// What training changes; `first`, `second` and `largest` belong to the optimiser.
template <typename T>
struct State {
    T *parameters, *first, *second, *largest;
    T *mean, *variance; // running, of batch normalisation: one per hidden unit
    const T* mask;      // of the parameters; may be null
    std::int64_t t;     // steps made
};

struct Pass {
    double loss = 0;            // mean over the rows, with a divided penalty
    double start = 0;           // that of the first batch, before its step
    Index right = 0;            // rows, with codes, whose class had the largest output
    double gradient_square = 0; // mean over the steps
    Index steps = 0;
    bool finite = true;
};

// One epoch over n rows in an order. `losses`, if given, gets the loss of every row at its number.
template <typename T>
Pass epoch(const Settings& settings, const Source<T>& X, const Targets<T>& targets,
           const double* weights, Vector<const std::int32_t> order, State<T>& state,
           double* losses);

// Loss and gradient over all rows, as one batch.
template <typename T>
Pass gradient(const Settings& settings, const Source<T>& X, const Targets<T>& targets,
              const double* weights, State<T>& state, T* gradient);

// The outputs, from weights and intercepts of the layers; batch normalisation is already in them.
template <typename T>
struct Layers {
    std::vector<const T*> weights, intercepts;
};
template <typename T>
void predict(const Shape& shape, const Layers<T>& layers, const Source<T>& X, Matrix<T> out);

} // namespace gramian::network
