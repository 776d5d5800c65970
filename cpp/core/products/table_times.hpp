// Products of a table with a few columns: X V, X'U, and both in one reading of X.
//
// BLAS packs the large matrix before it multiplies, which for a handful of columns costs more than
// the products. Here the columns are packed, kWidth at a time, and the table is read in place. All
// arithmetic is in double for any type of table.
//
// Rows and columns are split at fixed positions. One thread computes a row of X V, or of X'U if
// there are many columns. Otherwise the sums over rows are computed stripe by stripe and merged in
// the order of the stripes. The result does not depend on the number of threads.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::products {

constexpr Index kWidth = 8;      // columns of a packed panel, 64 bytes
constexpr Index kRowsAtOnce = 6; // rows of the table that are multiplied at a time

// A packed panel holds kWidth columns of a matrix, row by row; the last one is filled with zeros.
// For up to kRowsAtOnce rows of the table, some of their columns, rows `stride` apart,
// times: out(i, .) = sum_j x(i, j) panel(j, .);
// transposed: out(j, .) += sum_i x(i, j) panel(i, .).
// The rows of out, like those of a panel, are kWidth long.
template <typename T>
struct Group {
    const T* data;
    Index rows;
    Index cols;
    Index stride;
};

template <typename T>
struct GroupKernels {
    void (*times)(Group<T> x, const double* panel, double* out);
    void (*transposed)(Group<T> x, const double* panel, double* out);
};

// out(.) = sum over the entries of a sparse row of value times panel(column, .). `known` columns,
// those of the rows after it too, say what will be read of the panel: 0 where it is in cache
// anyway.
template <typename T, typename I>
using SparseRow = void (*)(const T* values, const I* columns, Index count, Index known,
                           const double* panel, double* out);

struct ProductKernels {
    GroupKernels<float> f32;
    GroupKernels<double> f64;
    SparseRow<float, std::int32_t> f32_i32;
    SparseRow<float, std::int64_t> f32_i64;
    SparseRow<double, std::int32_t> f64_i32;
    SparseRow<double, std::int64_t> f64_i64;
};

// out = X V, (n, b).
template <typename T>
void times(Matrix<const T> X, Matrix<const double> V, Matrix<double> out);
template <typename T, typename I>
void times(Csr<const T, I> X, Matrix<const double> V, Matrix<double> out);

// out = X'U, (d, b).
template <typename T>
void transposed_times(Matrix<const T> X, Matrix<const double> U, Matrix<double> out);

// out = (X - 1 m')'(X - 1 m') V, (d, b), in one reading of X; a null mean is 0.
template <typename T>
void gram_times(Matrix<const T> X, const double* mean, Matrix<const double> V, Matrix<double> out);

} // namespace gramian::products
