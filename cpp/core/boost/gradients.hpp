// First and second derivatives of the losses of gradient boosting, by the raw score z.
#pragma once

#include "core/losses/loss.hpp"
#include "core/runtime/views.hpp"

namespace gramian::boost {

// The losses of losses/margin.hpp except those of hinge type and Huber's, and
//     softmax      log sum_k e^z_k - z_y,           y = 0 .. K - 1
using losses::Loss;

// z: (K, n), K = 1 but for softmax; writes gradient and hessian of the same shape, each row's
// times its weight. If the curvature is taken as 1 (squared, absolute, quantile) and there are no
// weights, hessian may be null. At a kink, the gradient is the derivative from the right.
void loss_gradients(Loss loss, double q, Vector<const double> y, const double* weights,
                    Matrix<const double> z, float* gradient, float* hessian);

struct GradientKernels {
    void (*gradients)(Loss loss, double q, const losses::ScoreBlock& block);
};

} // namespace gramian::boost
