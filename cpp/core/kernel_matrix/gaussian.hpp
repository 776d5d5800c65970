// Inner products become values of the Gaussian kernel, in place.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::kernel_matrix {

// values(i, j) = exp(min(0, scale * values(i, j) - left[i] - right[j])), which is
// exp(-gamma |x_i - z_j|^2) of values(i, j) = x_i . z_j, scale = 2 gamma, left[i] = gamma |x_i|^2
// and right[j] = gamma |z_j|^2. Everything must be finite. Below exp(-708), for floats exp(-87),
// the value is 0.
template <typename T>
void gaussian_values(Matrix<T> values, Vector<const T> left, Vector<const T> right, T scale);

template <typename T>
using GaussianRow = void (*)(T* values, Index n, T left, const T* right, T scale);

struct GaussianKernels {
    GaussianRow<float> f32;
    GaussianRow<double> f64;
};

} // namespace gramian::kernel_matrix
