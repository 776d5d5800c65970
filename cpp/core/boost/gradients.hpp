// First and second derivatives of the losses of gradient boosting, by the raw score z.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::boost {

// The names that Python uses are in bind/boosting.cpp.
//     squared      (z - y)^2 / 2
//     absolute     |y - z|
//     quantile     q (y - z) above, (1 - q) (z - y) below
//     poisson      e^z - y z
//     gamma        z + y e^-z
//     logistic     log(1 + e^z) - y z,              y = 0 or 1
//     exponential  y e^-z + (1 - y) e^z,            y = 0 or 1
//     softmax      log sum_k e^z_k - z_y,           y = 0 .. K - 1
enum class BoostLoss {
    squared,
    absolute,
    quantile,
    poisson,
    gamma,
    logistic,
    exponential,
    softmax
};

// z: (K, n), K = 1 but for softmax; writes gradient and hessian of the same shape, each row's
// times its weight. Where the curvature is taken as 1 (squared, absolute, quantile) and there are
// no weights, hessian may be null. The gradient of a kinked loss at its kink is that from the
// right.
void loss_gradients(BoostLoss loss, double q, Vector<const double> y, const double* weights,
                    Matrix<const double> z, float* gradient, float* hessian);

struct GradientKernels {
    // One block of n rows; `stride` is the distance between the scores of two classes.
    void (*gradients)(BoostLoss loss, double q, const double* y, const double* weights,
                      const double* z, Index n, Index classes, Index stride, float* gradient,
                      float* hessian);
};

} // namespace gramian::boost
