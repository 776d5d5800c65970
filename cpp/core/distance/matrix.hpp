// All distances between two sets of rows, as a matrix.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::distance {

// out(i, j) = |x_i - c_j|.
//
// By |x|^2 + |c|^2 - 2 x.c with one large product, both sides moved to the mean of the c first.
// That form loses digits where the distance is small beside the norms; what could be wrong by more
// than about 1e-12 is computed again by differences.
template <typename T>
void distance_matrix(Matrix<const T> X, Matrix<const double> C, Matrix<T> out);

} // namespace gramian::distance
