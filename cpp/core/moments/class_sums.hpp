// Weighted sums of the columns within each class, in one pass over the rows:
//
//     weights[k] = sum w_i,  sums(k, j) = sum w_i (x_ij - s_kj),  squares(k, j) the same of
//     squares,
//
// over the rows i of class k. The shift of a class, a point near its rows, keeps large means from
// cancelling; sparse rows are not shifted.
//
// Rows are split into blocks that depend only on the shapes. One thread computes the sums of a
// block, which are added in block order: the same bits for any number of threads.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::moments {

// Rows with their classes, 0 .. K - 1, and weights (null: ones).
struct ClassRows {
    const std::int32_t* codes;
    const double* weights;
};

// Adds to weights (K), sums (K, d) and, unless its data is null, squares (K, d).
struct ClassSums {
    double* weights;
    Matrix<double> sums;
    Matrix<double> squares;
};

template <typename T>
void class_sums(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                const ClassSums& out);
template <typename T, typename I>
void class_sums(Csr<const T, I> X, const ClassRows& rows, const ClassSums& out);

struct SumKernels {
    // sums += w (x - shift), squares += w (x - shift)^2, for a row of d numbers.
    void (*add_f)(const float* x, Index d, const double* shift, double w, double* sums,
                  double* squares);
    void (*add_d)(const double* x, Index d, const double* shift, double w, double* sums,
                  double* squares);
};
const SumKernels& sum_table();

} // namespace gramian::moments
