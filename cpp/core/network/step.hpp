// One step of an optimiser over a stretch of parameters, w with gradient g:
//
//     sgd      u <- mu u - eta g;                            w <- w + u, or w + mu u - eta g
//     (Nesterov) adagrad  v <- v + g^2;                                 w <- w - eta g / (sqrt(v) +
//     eps) rmsprop  v <- b2 v + (1 - b2) g^2;                     w <- w - eta g / (sqrt(v) + eps)
//     adam     m <- b1 m + (1 - b1) g, v as rmsprop's;       w <- w - eta' m / (sqrt(v) + eps)
//     amsgrad  as adam, with the largest v so far
//
// after g <- mask (g + decay w). eta' = eta sqrt(1 - b2^t) / (1 - b1^t) comes from the caller.
#pragma once

#include "core/runtime/views.hpp"

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

} // namespace gramian::network
