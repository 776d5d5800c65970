// Least squares: Gram matrices, residuals, small systems.
#include "bind/arrays.hpp"
#include "core/linalg/small_system.hpp"
#include "core/passes/gram.hpp"
#include "core/passes/leave_one_out.hpp"
#include "core/passes/residuals.hpp"

#include <nanobind/stl/optional.h>

namespace gramian::bind {
namespace {

using Weights = std::optional<In1<double>>;

const double* pointer(const Weights& w) {
    return w ? w->data() : nullptr;
}

template <typename T>
Index length(const T& array, int axis) {
    return static_cast<Index>(array.shape(axis));
}

template <typename View>
void check_rows(const View& X, const In2<double>& Y, const Weights& weights) {
    require(length(Y, 0) == X.rows, "one row of targets per row");
    require(!weights || length(*weights, 0) == X.rows, "one weight per row");
}

template <typename View>
void check_gram(const View& X, const In2<double>& Y, const Weights& weights,
                const In1<double>& shift, Index shifted, const Out2<double>& out) {
    check_rows(X, Y, weights);
    const Index side = X.cols + length(Y, 1);
    require(length(shift, 0) == shifted, "a shift of each column and target");
    require(length(out, 0) == side + 1 && length(out, 1) == side + 1,
            "a square matrix of the columns, the targets and one");
}

template <typename View>
void check_residuals(const View& X, const In2<double>& Y, const Weights& weights,
                     const In2<double>& model, const In2<double>& model_low,
                     const Out2<double>& gradient, const Out2<double>& gradient_low,
                     const Out1<double>& rss) {
    check_rows(X, Y, weights);
    const Index targets = length(Y, 1);
    const auto fits = [&](const auto& a) {
        return length(a, 0) == targets && length(a, 1) == X.cols + 1;
    };
    require(fits(model) && fits(model_low) && fits(gradient) && fits(gradient_low),
            "models and gradients of a row per target, a value per column and one");
    require(length(rss, 0) == targets, "a sum of squares per target");
}

template <typename T>
void bind_dense(nb::module_& m) {
    m.def(
        "gram",
        [](const In2<T>& X, const In2<double>& Y, const Weights& weights, const In1<double>& shift,
           bool wide, const Out2<double>& out) {
            check_gram(view<T>(X), Y, weights, shift, length(X, 1) + length(Y, 1), out);
            passes::gram<T>(view<T>(X), view<double>(Y), pointer(weights), shift.data(), wide,
                            view<double>(out));
        },
        "X"_a.noconvert(), "Y"_a.noconvert(), "weights"_a.noconvert().none(), "shift"_a.noconvert(),
        "wide"_a, "out"_a.noconvert(), Release(),
        "out += Z' diag(weights) Z for Z = (X - shift, Y - shift, 1).");
    m.def(
        "residuals",
        [](const In2<T>& X, const In2<double>& Y, const Weights& weights, const In2<double>& model,
           const In2<double>& model_low, bool extended, const Out2<double>& gradient,
           const Out2<double>& gradient_low, const Out1<double>& rss) {
            check_residuals(view<T>(X), Y, weights, model, model_low, gradient, gradient_low, rss);
            passes::residuals(view<T>(X), view<double>(Y), pointer(weights),
                              {model.data(), model_low.data()}, extended,
                              {gradient.data(), gradient_low.data()}, view<double>(rss));
        },
        "X"_a.noconvert(), "Y"_a.noconvert(), "weights"_a.noconvert().none(), "model"_a.noconvert(),
        "model_low"_a.noconvert(), "extended"_a, "gradient"_a.noconvert(),
        "gradient_low"_a.noconvert(), "rss"_a.noconvert(), Release(),
        "Add sum_i w_i r_i (x_i, 1) and sum_i w_i r_i^2 for r = Y - X c - b, model = (c, b).");
}

template <typename T>
void bind_left_out(nb::module_& m) {
    m.def(
        "leave_one_out",
        [](const In2<T>& X, const In2<double>& Y, const Weights& weights, const In1<double>& means,
           const In2<double>& basis, const In2<double>& fits, const In2<double>& inverse,
           double share, const Out2<double>& squares, const std::optional<Out2<double>>& errors) {
            check_rows(view<T>(X), Y, weights);
            const Index d = length(X, 1), m = length(Y, 1), p = length(inverse, 1);
            require(length(means, 0) == d + m, "a mean of each column and target");
            require(length(basis, 0) == d && length(basis, 1) == d, "a basis of the columns");
            require(length(fits, 0) == d && length(fits, 1) == m * p && length(inverse, 0) == d,
                    "a coefficient per column, target and penalty");
            require(length(squares, 0) == m && length(squares, 1) == p,
                    "a sum of squares per target and penalty");
            require(!errors || (length(*errors, 0) == length(X, 0) && length(*errors, 1) == m * p),
                    "an error per row, target and penalty");
            passes::leave_one_out<T>(view<T>(X), view<double>(Y), pointer(weights), means.data(),
                                     view<double>(basis), view<double>(fits), view<double>(inverse),
                                     share, view<double>(squares),
                                     errors ? errors->data() : nullptr);
        },
        "X"_a.noconvert(), "Y"_a.noconvert(), "weights"_a.noconvert().none(), "means"_a.noconvert(),
        "basis"_a.noconvert(), "fits"_a.noconvert(), "inverse"_a.noconvert(), "share"_a,
        "squares"_a.noconvert(), "errors"_a.noconvert().none(), Release(),
        "Add the weighted squares of ridge's leave-one-out errors for all penalties.");
}

template <typename T, typename I>
void bind_sparse(nb::module_& m) {
    m.def(
        "gram_csr",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const In2<double>& Y, const Weights& weights, const In1<double>& shift,
           const Out2<double>& out) {
            const Csr<const T, I> X = csr(values, columns, offsets, cols);
            check_gram(X, Y, weights, shift, length(Y, 1), out); // columns are not shifted
            passes::gram(X, view<double>(Y), pointer(weights), shift.data(), view<double>(out));
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "Y"_a.noconvert(), "weights"_a.noconvert().none(), "shift"_a.noconvert(),
        "out"_a.noconvert(), Release());
    m.def(
        "residuals_csr",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const In2<double>& Y, const Weights& weights, const In2<double>& model,
           const In2<double>& model_low, bool extended, const Out2<double>& gradient,
           const Out2<double>& gradient_low, const Out1<double>& rss) {
            const Csr<const T, I> X = csr(values, columns, offsets, cols);
            check_residuals(X, Y, weights, model, model_low, gradient, gradient_low, rss);
            passes::residuals(X, view<double>(Y), pointer(weights),
                              {model.data(), model_low.data()}, extended,
                              {gradient.data(), gradient_low.data()}, view<double>(rss));
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "Y"_a.noconvert(), "weights"_a.noconvert().none(), "model"_a.noconvert(),
        "model_low"_a.noconvert(), "extended"_a, "gradient"_a.noconvert(),
        "gradient_low"_a.noconvert(), "rss"_a.noconvert(), Release());
}

} // namespace

void bind_linear(nb::module_& m) {
    m.def(
        "gram_rows", [] { return passes::kGramRows; },
        "Rows of a block: cutting the rows into calls at its multiples changes no bit.");
    m.def(
        "solve_small_system",
        [](const In2<double>& A, const In1<double>& b, const Out1<double>& x) {
            const Index d = length(A, 0);
            require(length(A, 1) == d && length(b, 0) == d && length(x, 0) == d,
                    "a square matrix and two vectors of its length");
            return linalg::solve_small_system(view<double>(A), view<double>(b), view<double>(x));
        },
        "A"_a.noconvert(), "b"_a.noconvert(), "x"_a.noconvert(), Release(),
        "Solve by Cholesky; the reciprocal condition, 0 where A is not positive definite.");
    bind_dense<float>(m);
    bind_dense<double>(m);
    bind_left_out<float>(m);
    bind_left_out<double>(m);
    bind_sparse<float, std::int32_t>(m);
    bind_sparse<float, std::int64_t>(m);
    bind_sparse<double, std::int32_t>(m);
    bind_sparse<double, std::int64_t>(m);
}

} // namespace gramian::bind
