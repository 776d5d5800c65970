// Least squares: Gram matrices, residuals, small systems.
#include "bind/table.hpp"
#include "core/linalg/small_system.hpp"
#include "core/passes/gram.hpp"
#include "core/passes/leave_one_out.hpp"
#include "core/passes/residuals.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

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

void check_rows(const Table& X, const In2<double>& Y, const Weights& weights) {
    require(length(Y, 0) == X.rows(), "one row of targets per row");
    require(!weights || length(*weights, 0) == X.rows(), "one weight per row");
}

void gram(const Table& X, const In2<double>& Y, const Weights& weights, const In1<double>& shift,
          bool in_double, const Out2<double>& out) {
    check_rows(X, Y, weights);
    const Index d = X.cols(), side = d + length(Y, 1);
    require(length(shift, 0) == side, "a shift of each column and target");
    require(length(out, 0) == side + 1 && length(out, 1) == side + 1,
            "a square matrix of the columns, the targets and one");
    X.visit([&]<typename View>(const View& rows) {
        if constexpr (requires { rows.data; }) {
            passes::gram(rows, view<double>(Y), pointer(weights), shift.data(), in_double,
                         view<double>(out));
        } else {
            require(std::all_of(shift.data(), shift.data() + d, [](double s) { return s == 0; }),
                    "no shift of the columns of a CSR table");
            passes::gram(rows, view<double>(Y), pointer(weights), shift.data() + d,
                         view<double>(out));
        }
    });
}

// Numbers as high + low.
using InPair = std::tuple<In2<double>, In2<double>>;
using OutPair = std::tuple<Out2<double>, Out2<double>>;

void residuals(const Table& X, const In2<double>& Y, const Weights& weights, const InPair& model,
               bool extended, const OutPair& gradient, const Out1<double>& rss) {
    check_rows(X, Y, weights);
    const Index targets = length(Y, 1), cols = X.cols() + 1;
    const auto fits = [&](const auto& pair) {
        const auto one = [&](const auto& a) {
            return length(a, 0) == targets && length(a, 1) == cols;
        };
        return one(std::get<0>(pair)) && one(std::get<1>(pair));
    };
    require(fits(model) && fits(gradient),
            "models and gradients of a row per target, a value per column and one");
    require(length(rss, 0) == targets, "a sum of squares per target");
    const passes::ConstDoubled from{std::get<0>(model).data(), std::get<1>(model).data()};
    const passes::Doubled to{std::get<0>(gradient).data(), std::get<1>(gradient).data()};
    X.visit([&](const auto& rows) {
        passes::residuals(rows, view<double>(Y), pointer(weights), from, extended, to,
                          view<double>(rss));
    });
}

// means, basis, fits, inverse, share, as core/passes/leave_one_out.hpp describes them.
using RidgeFits = std::tuple<In1<double>, In2<double>, In2<double>, In2<double>, double>;

void leave_one_out(const Table& X, const In2<double>& Y, const Weights& weights,
                   const RidgeFits& model, const Out2<double>& squares,
                   const std::optional<Out2<double>>& errors) {
    check_rows(X, Y, weights);
    const auto& [means, basis, fits, inverse, share] = model;
    const Index d = X.cols(), m = length(Y, 1), p = length(inverse, 1);
    require(length(means, 0) == d + m, "a mean of each column and target");
    require(length(basis, 0) == d && length(basis, 1) == d, "a basis of the columns");
    require(length(fits, 0) == d && length(fits, 1) == m * p && length(inverse, 0) == d,
            "a coefficient per column, target and penalty");
    require(length(squares, 0) == m && length(squares, 1) == p,
            "a sum of squares per target and penalty");
    require(!errors || (length(*errors, 0) == X.rows() && length(*errors, 1) == m * p),
            "an error per row, target and penalty");
    const passes::RidgeFits all{means.data(), view<double>(basis), view<double>(fits),
                                view<double>(inverse), share};
    X.visit([&](const auto& rows) {
        if constexpr (requires { rows.data; }) {
            passes::leave_one_out(rows, view<double>(Y), pointer(weights), all,
                                  view<double>(squares), errors ? errors->data() : nullptr);
        } else {
            throw std::invalid_argument("dense rows for leave-one-out errors");
        }
    });
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
    m.def("gram", gram, "X"_a, "Y"_a.noconvert(), "weights"_a.noconvert().none(),
          "shift"_a.noconvert(), "in_double"_a, "out"_a.noconvert(),
          "out += Z' diag(weights) Z for Z = (X - shift, Y - shift, 1). `in_double`: dense float32 "
          "rows "
          "are\nmultiplied in double. The shift of the columns of CSR rows is 0.");
    m.def("residuals", residuals, "X"_a, "Y"_a.noconvert(), "weights"_a.noconvert().none(),
          "model"_a.noconvert(), "extended"_a, "gradient"_a.noconvert(), "rss"_a.noconvert(),
          "Add sum_i w_i r_i (x_i, 1) and sum_i w_i r_i^2 for r = Y - X c - b, model = (c, b).\n"
          "Model and gradient are pairs of arrays, high + low.");
    m.def(
        "leave_one_out", leave_one_out, "X"_a, "Y"_a.noconvert(), "weights"_a.noconvert().none(),
        "model"_a.noconvert(), "squares"_a.noconvert(), "errors"_a.noconvert().none(),
        "Add the weighted squares of ridge's leave-one-out errors for all penalties; the model is\n"
        "(means, eigenvectors, coefficients, inverse eigenvalues, share of the intercept).");
}

} // namespace gramian::bind
