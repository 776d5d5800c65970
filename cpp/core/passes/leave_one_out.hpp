// Ridge regression's leave-one-out errors for all penalties in one pass.
//
// With X'WX = Q L Q' (columns centred at `means`), z = Q'(x - mean), tables over the penalties
// a = 0 .. p - 1 and targets t:
//
//     fitted(t, a) = sum_j z_j weights(j, t, a),
//     h(a) = w (share + sum_j z_j^2 inverse(j, a)),      inverse(j, a) = 1 / (l_j + alpha_a),
//     error(t, a) = (y_t - mean_t - fitted(t, a)) / (1 - h(a)),
//     squares(t, a) += w error(t, a)^2.
//
// The sums of blocks of rows are added in order: the same bits for any number of threads.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::passes {

// out (rows x n_panels * 4) = A (rows x depth) B, B packed in panels of 4 columns:
// B(k, 4 p + l) = panels[(p * depth + k) * 4 + l].
struct ProductKernels {
    void (*multiply)(const double* A, Index rows, Index depth, const double* panels, Index n_panels,
                     double* out);
};

// The fits for all penalties in the eigenbasis of X'WX.
struct RidgeFits {
    const double* means;          // of the d columns and the m targets
    Matrix<const double> Q;       // (d, d)
    Matrix<const double> weights; // (d, m * p)
    Matrix<const double> inverse; // (d, p)
    double share;                 // 1 / the total weight, or 0 without an intercept
};

// Adds to squares, (m, p); errors is (n, m * p), or null where they are not wanted; w may be null.
template <typename T>
void leave_one_out(Matrix<const T> X, Matrix<const double> Y, const double* w,
                   const RidgeFits& model, Matrix<double> squares, double* errors);

} // namespace gramian::passes
