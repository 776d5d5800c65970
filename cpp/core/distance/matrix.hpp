// All distances between two sets of rows, as a matrix.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::distance {

// out(i, j) = |x_i - c_j|.
//
// Computes |x|^2 + |c|^2 - 2 x.c after subtracting the mean of the c from both sides. That form
// loses digits if the distance is small compared with the norms. Distances that could be wrong by
// more than about 1e-12 are recomputed by differences. The products of a block of rows are one
// BLAS call on the thread of that block, so limit BLAS to one thread.
template <typename T>
void distance_matrix(Matrix<const T> X, Matrix<const double> C, Matrix<T> out);

} // namespace gramian::distance
