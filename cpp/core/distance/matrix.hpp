// All distances between two sets of rows, as a matrix.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::distance {

// out(i, j) = |x_i - c_j|.
//
// By |x|^2 + |c|^2 - 2 x.c, both sides moved to the mean of the c first. That form loses digits
// where the distance is small beside the norms; what could be wrong by more than about 1e-12 is
// computed again by differences. The products of a block of rows are one call of BLAS, on the
// thread of that block: give BLAS one thread.
template <typename T>
void distance_matrix(Matrix<const T> X, Matrix<const double> C, Matrix<T> out);

} // namespace gramian::distance
