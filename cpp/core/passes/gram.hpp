// Weighted Gram matrices in one pass over the rows:
//
//     G = sum_i w_i z_i z_i',     z_i = (x_i - s, y_i - t, 1),
//
// so that G holds X'WX, X'WY, Y'WY, the weighted column sums and the total weight. The shift
// (s, t), any point near the data, keeps large means from cancelling; no shifted copy is made.
//
// Rows are split into blocks of kGramRows. One thread computes the sum of a block, and the sums are
// added to G in block order. The result has the same bits for any number of threads, and for any
// split of the rows into calls at multiples of kGramRows.
#pragma once

#include "core/runtime/views.hpp"

#include <vector>

namespace gramian::passes {

constexpr Index kGramRows = 4096;

// Rows packed and multiplied at a time: four panels of them fit the first cache.
constexpr Index kPackRows = 96;

// Adjacent columns in a packed panel: one 256-bit register.
template <typename A>
constexpr Index kPanel = 32 / static_cast<Index>(sizeof(A));

// A packed block holds `kPackRows` rows by panels of columns:
//     z(k, j) = panels[(j / W) * kPackRows * W + k * W + j % W],  W = kPanel<A>.
// pack writes columns first .. first + cols of the first `rows` rows:
//     z(k, first + j) = root[k] * (x[k * cols + j] - shift[j]); a null root is 1.
// syrk adds Z'Z over `rows` rows to the panels on and above the diagonal of out (row length
// n_panels * W).
struct GramKernels {
    void (*pack_ff)(const float* x, Index rows, Index cols, const float* shift, const double* root,
                    Index first, float* panels);
    void (*pack_fd)(const float* x, Index rows, Index cols, const double* shift, const double* root,
                    Index first, double* panels);
    void (*pack_dd)(const double* x, Index rows, Index cols, const double* shift,
                    const double* root, Index first, double* panels);
    void (*pack_df)(const double* x, Index rows, Index cols, const float* shift, const double* root,
                    Index first, float* panels);
    void (*syrk_f)(const float* panels, Index rows, Index n_panels, double* out);
    void (*syrk_d)(const double* panels, Index rows, Index n_panels, double* out);
};

// The sum of one block, built from pieces of at most kPackRows rows; one object per thread at
// work. A is the type of the arithmetic inside a piece; pieces are summed in double.
template <typename A>
class GramBlock {
public:
    explicit GramBlock(Index columns);
    // Adds rows z = (x - shift_x, y - shift_y, 1) with weights root[k]^2; a null root is 1, a
    // null shift 0.
    // The object's columns must be x's + y's + 1.
    template <typename T>
    void add(Matrix<const T> x, Matrix<const double> y, const double* shift, const double* root);
    // Adds the sum to the upper triangle of G and makes it zero again.
    void flush(Matrix<double> G);

private:
    Index columns_;
    Index n_panels_;
    std::vector<A> panels_;
    std::vector<A> shift_;
    std::vector<double> sum_;
};

// G += sum_i w_i z_i z_i'. G is (d + m + 1) square; shift has d + m numbers; w may be null.
// With `in_double`, float rows are multiplied in double; otherwise in float, kPackRows at a time.
template <typename T>
void gram(Matrix<const T> X, Matrix<const double> Y, const double* w, const double* shift,
          bool in_double, Matrix<double> G);

// The same for sparse rows, whose columns are not shifted: shift has m numbers, those of Y.
template <typename T, typename I>
void gram(Csr<const T, I> X, Matrix<const double> Y, const double* w, const double* shift,
          Matrix<double> G);

} // namespace gramian::passes
