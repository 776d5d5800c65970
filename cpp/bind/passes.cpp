// Passes of a loss over rows, dense and CSR.
#include "core/passes/gradient.hpp"

#include "bind/arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <optional>
#include <stdexcept>
#include <string>

namespace gramian::bind {
namespace {

using Weights = std::optional<In1<double>>;

passes::Loss loss_named(const std::string& name) {
    if (name == "squared") return passes::Loss::squared;
    if (name == "logistic") return passes::Loss::logistic;
    if (name == "poisson") return passes::Loss::poisson;
    if (name == "squared_sigmoid") return passes::Loss::squared_sigmoid;
    if (name == "squared_hinge") return passes::Loss::squared_hinge;
    throw std::invalid_argument("no pass for the loss " + name);
}

Vector<const double> optional_view(const Weights& weights) {
    return weights ? view<double>(*weights) : Vector<const double>{nullptr, 0};
}

template <typename View>
void check_shapes(const View& X, Index y, const Weights& weights, Index coef) {
    require(y == X.rows, "one target per row");
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows, "one weight per row");
    require(coef == X.cols || coef == X.cols + 1, "one coefficient per column, or one more");
}

template <typename View>
double gradient_of(const std::string& loss, const View& X, const In1<double>& y,
                   const Weights& weights, const In1<double>& coef, const Out1<double>& gradient,
                   const std::optional<Out1<double>>& curvature) {
    const Index p = static_cast<Index>(coef.shape(0));
    check_shapes(X, static_cast<Index>(y.shape(0)), weights, p);
    require(static_cast<Index>(gradient.shape(0)) == p, "a gradient as long as coef");
    require(!curvature || static_cast<Index>(curvature->shape(0)) == X.rows,
            "one curvature per row");
    const Vector<double> h = curvature ? view<double>(*curvature) : Vector<double>{nullptr, 0};
    const passes::Loss named = loss_named(loss);
    const nb::gil_scoped_release release;
    return passes::loss_gradient(named, X, {view<double>(y), optional_view(weights)},
                                 view<double>(coef), view<double>(gradient), h);
}

template <typename View>
double newton_of(const std::string& loss, const View& X, const In1<double>& y,
                 const Weights& weights, const In1<double>& coef, const Out1<double>& gradient,
                 const Out2<double>& gram) {
    const Index p = static_cast<Index>(coef.shape(0));
    check_shapes(X, static_cast<Index>(y.shape(0)), weights, p);
    require(static_cast<Index>(gradient.shape(0)) == p, "a gradient as long as coef");
    require(static_cast<Index>(gram.shape(0)) == p && static_cast<Index>(gram.shape(1)) == p,
            "a square matrix of the length of coef");
    const passes::Loss named = loss_named(loss);
    const nb::gil_scoped_release release;
    return passes::loss_newton(named, X, {view<double>(y), optional_view(weights)},
                               view<double>(coef), view<double>(gradient), view<double>(gram));
}

// `single`: the pass in single precision, of dense rows only.
template <bool single = false, typename View>
double softmax_of(const View& X, const std::optional<In1<std::int32_t>>& codes,
                  const std::optional<In2<double>>& shares, const Weights& weights,
                  const In2<double>& coef, const Out2<double>& gradient) {
    const Matrix<const double> W = view<double>(coef);
    require(codes.has_value() != shares.has_value(), "either codes or shares");
    check_shapes(X, static_cast<Index>(codes ? codes->shape(0) : shares->shape(0)), weights,
                 W.rows);
    require(!shares || static_cast<Index>(shares->shape(1)) == W.cols, "a share of each class");
    require(view<double>(gradient).rows == W.rows && view<double>(gradient).cols == W.cols,
            "a gradient of the shape of coef");
    passes::ClassTargets targets{{nullptr, 0}, {nullptr, 0, 0}, optional_view(weights)};
    if (codes) {
        targets.codes = view<std::int32_t>(*codes);
        for (const std::int32_t code : targets.codes) {
            require(0 <= code && code < W.cols, "codes from 0 to the number of classes");
        }
    } else {
        targets.shares = view<double>(*shares);
    }
    const nb::gil_scoped_release release;
    if constexpr (single) {
        return passes::softmax_gradient_single(X, targets, W, view<double>(gradient));
    } else {
        return passes::softmax_gradient(X, targets, W, view<double>(gradient));
    }
}

template <typename View>
void margins_of(const View& X, const In1<double>& coef, const Out1<double>& z) {
    check_shapes(X, static_cast<Index>(z.shape(0)), std::nullopt,
                 static_cast<Index>(coef.shape(0)));
    const nb::gil_scoped_release release;
    passes::margins(X, view<double>(coef), view<double>(z));
}

template <typename T>
void bind_dense(nb::module_& m) {
    m.def(
        "margins",
        [](const In2<T>& X, const In1<double>& coef, const Out1<double>& z) {
            margins_of(view<T>(X), coef, z);
        },
        "X"_a.noconvert(), "coef"_a.noconvert(), "z"_a.noconvert());
    m.def(
        "loss_gradient",
        [](const std::string& loss, const In2<T>& X, const In1<double>& y, const Weights& weights,
           const In1<double>& coef, const Out1<double>& gradient,
           const std::optional<Out1<double>>& curvature) {
            return gradient_of(loss, view<T>(X), y, weights, coef, gradient, curvature);
        },
        "loss"_a, "X"_a.noconvert(), "y"_a.noconvert(), "weights"_a.noconvert().none(),
        "coef"_a.noconvert(), "gradient"_a.noconvert(),
        "curvature"_a.noconvert().none() = nb::none());
    m.def(
        "loss_newton",
        [](const std::string& loss, const In2<T>& X, const In1<double>& y, const Weights& weights,
           const In1<double>& coef, const Out1<double>& gradient, const Out2<double>& gram) {
            return newton_of(loss, view<T>(X), y, weights, coef, gradient, gram);
        },
        "loss"_a, "X"_a.noconvert(), "y"_a.noconvert(), "weights"_a.noconvert().none(),
        "coef"_a.noconvert(), "gradient"_a.noconvert(), "gram"_a.noconvert());
    m.def(
        "softmax_gradient",
        [](const In2<T>& X, const std::optional<In1<std::int32_t>>& codes,
           const std::optional<In2<double>>& shares, const Weights& weights,
           const In2<double>& coef, const Out2<double>& gradient) {
            return softmax_of(view<T>(X), codes, shares, weights, coef, gradient);
        },
        "X"_a.noconvert(), "codes"_a.noconvert().none(), "shares"_a.noconvert().none(),
        "weights"_a.noconvert().none(), "coef"_a.noconvert(), "gradient"_a.noconvert());
    m.def(
        "softmax_gradient_single",
        [](const In2<T>& X, const std::optional<In1<std::int32_t>>& codes,
           const std::optional<In2<double>>& shares, const Weights& weights,
           const In2<double>& coef, const Out2<double>& gradient) {
            return softmax_of<true>(view<T>(X), codes, shares, weights, coef, gradient);
        },
        "X"_a.noconvert(), "codes"_a.noconvert().none(), "shares"_a.noconvert().none(),
        "weights"_a.noconvert().none(), "coef"_a.noconvert(), "gradient"_a.noconvert());
}

template <typename T, typename I>
void bind_csr(nb::module_& m) {
    m.def(
        "csr_margins",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const In1<double>& coef,
           const Out1<double>& z) { margins_of(csr(values, columns, offsets, cols), coef, z); },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "coef"_a.noconvert(), "z"_a.noconvert());
    m.def(
        "csr_loss_gradient",
        [](const std::string& loss, const In1<T>& values, const In1<I>& columns,
           const In1<I>& offsets, Index cols, const In1<double>& y, const Weights& weights,
           const In1<double>& coef, const Out1<double>& gradient,
           const std::optional<Out1<double>>& curvature) {
            return gradient_of(loss, csr(values, columns, offsets, cols), y, weights, coef,
                               gradient, curvature);
        },
        "loss"_a, "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(),
        "cols"_a, "y"_a.noconvert(), "weights"_a.noconvert().none(), "coef"_a.noconvert(),
        "gradient"_a.noconvert(), "curvature"_a.noconvert().none() = nb::none());
    m.def(
        "csr_loss_newton",
        [](const std::string& loss, const In1<T>& values, const In1<I>& columns,
           const In1<I>& offsets, Index cols, const In1<double>& y, const Weights& weights,
           const In1<double>& coef, const Out1<double>& gradient, const Out2<double>& gram) {
            return newton_of(loss, csr(values, columns, offsets, cols), y, weights, coef, gradient,
                             gram);
        },
        "loss"_a, "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(),
        "cols"_a, "y"_a.noconvert(), "weights"_a.noconvert().none(), "coef"_a.noconvert(),
        "gradient"_a.noconvert(), "gram"_a.noconvert());
    m.def(
        "csr_softmax_gradient",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const std::optional<In1<std::int32_t>>& codes, const std::optional<In2<double>>& shares,
           const Weights& weights, const In2<double>& coef, const Out2<double>& gradient) {
            return softmax_of(csr(values, columns, offsets, cols), codes, shares, weights, coef,
                              gradient);
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        "codes"_a.noconvert().none(), "shares"_a.noconvert().none(), "weights"_a.noconvert().none(),
        "coef"_a.noconvert(), "gradient"_a.noconvert());
}

} // namespace

void bind_passes(nb::module_& m) {
    bind_dense<float>(m);
    bind_dense<double>(m);
    bind_csr<float, std::int32_t>(m);
    bind_csr<float, std::int64_t>(m);
    bind_csr<double, std::int32_t>(m);
    bind_csr<double, std::int64_t>(m);
    const auto mapped = [](void (*function)(Index, const double*, double*)) {
        return [function](const In1<double>& x, const Out1<double>& out) {
            require(x.shape(0) == out.shape(0), "arrays of one length");
            function(static_cast<Index>(x.shape(0)), x.data(), out.data());
        };
    };
    m.def("vector_exp", mapped(passes::pass_kernels().exp), "x"_a.noconvert(), "out"_a.noconvert());
    m.def("vector_log1p", mapped(passes::pass_kernels().log1p), "x"_a.noconvert(),
          "out"_a.noconvert());
}

} // namespace gramian::bind
