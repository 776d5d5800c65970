// One step of an optimiser over a stretch of parameters, w with gradient g:
//
//     sgd       u <- mu u - eta g;                       w <- w + u
//     Nesterov  u as sgd's;                              w <- w + mu u - eta g
//     adagrad   v <- v + g^2;                            w <- w - eta g / (sqrt(v) + eps)
//     rmsprop   v <- b2 v + (1 - b2) g^2;                w <- w - eta g / (sqrt(v) + eps)
//     adam      m <- b1 m + (1 - b1) g, v as rmsprop's;  w <- w - eta' m / (sqrt(v) + eps)
//     amsgrad   as adam, with the largest v so far
//
// after g <- mask (g + decay w). eta' = eta sqrt(1 - b2^t) / (1 - b1^t) comes from the caller.
// The same formulas, for arrays of any kind, are in gramian/solvers/stochastic.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::network {

enum class Optimizer : int { none, sgd, adagrad, rmsprop, adam, amsgrad };

template <typename T>
struct Rule {
    Optimizer optimizer;
    T rate, momentum, beta_1, beta_2, epsilon;
    bool nesterov;
};

// Numbers of a stretch: the parameters, their gradient, and what the optimiser remembers of them
// (null where it needs none); `mask` may be null.
template <typename T>
struct Stretch {
    T *w, *g, *first, *second, *largest;
    const T* mask;
    Index size; // a multiple of the lanes of a register
};

// Of w before the step, and of g with the decay.
struct Squares {
    double w = 0, g = 0;
};

template <typename T>
struct StepKernels {
    Squares (*step)(const Rule<T>& rule, T decay, const Stretch<T>& stretch);
};

struct AllStepKernels {
    StepKernels<float> single;
    StepKernels<double> dbl;
};

template <typename T>
const StepKernels<T>& steps();

// The bias correction of Adam's rate after step t, counted from 0; 1 for other optimisers.
double rate_correction(const Rule<double>& rule, std::int64_t t);

// The rule of step t, counted from 0, with the corrected rate. Adam's epsilon is added to the
// corrected moment (Kingma and Ba 2015, algorithm 1).
template <typename T>
Rule<T> corrected(const Rule<double>& rule, std::int64_t t);

// Step t of parameters of any number, without a mask.
template <typename T>
void step_vector(const Rule<double>& rule, std::int64_t t, double decay, const Stretch<T>& vector);

} // namespace gramian::network
