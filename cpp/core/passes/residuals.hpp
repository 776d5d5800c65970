// Residuals of a linear model and their correlation with the columns, in one pass:
//
//     r_i = y_i - b - x_i'c,     g = sum_i w_i r_i (x_i, 1),     rss = sum_i w_i r_i^2,
//
// for several targets at once. The coefficients (c, b) and the sums g are unevaluated sums
// high + low of two doubles, and with `extended` every product and sum on the way is carried in
// twice the working precision by error-free transformations (Ogita, Rump, Oishi 2005), so that
// refinement (Bjoerck 1967) can reach the last digit of ill-conditioned problems. Without it the
// low parts are ignored and the arithmetic is that of double.
//
// Blocks of rows are merged in order: the same bits for any number of threads and for any split of
// the rows into calls at multiples of kGramRows.
#pragma once

#include "core/passes/gram.hpp"
#include "core/runtime/views.hpp"

namespace gramian::passes {

// Numbers carried as high + low; rows are targets, columns are the model's columns and then 1.
struct Doubled {
    double* high;
    double* low;
};
struct ConstDoubled {
    const double* high;
    const double* low;
};

struct ResidualKernels {
    using Dense32 = void (*)(Matrix<const float>, Matrix<const double>, const double* w,
                             ConstDoubled model, Doubled g, double* rss);
    using Dense64 = void (*)(Matrix<const double>, Matrix<const double>, const double* w,
                             ConstDoubled model, Doubled g, double* rss);
    template <typename T, typename I>
    using Sparse = void (*)(Csr<const T, I>, Matrix<const double>, const double* w,
                            ConstDoubled model, Doubled g, double* rss);
    Dense32 f32[2]; // [1]: extended
    Dense64 f64[2];
    Sparse<float, std::int32_t> csr_f32_i32[2];
    Sparse<float, std::int64_t> csr_f32_i64[2];
    Sparse<double, std::int32_t> csr_f64_i32[2];
    Sparse<double, std::int64_t> csr_f64_i64[2];
    // total += part, both high + low.
    void (*merge)(Doubled total, ConstDoubled part, Index size);
};

// Adds to g (targets by d + 1) and rss; `View` is Matrix<const T> or Csr<const T, I>; w may be
// null.
template <typename View>
void residuals(View X, Matrix<const double> Y, const double* w, ConstDoubled model, bool extended,
               Doubled g, Vector<double> rss);

} // namespace gramian::passes
