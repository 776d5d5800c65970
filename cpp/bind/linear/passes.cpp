// Passes of a loss over the rows of a table.
#include "bind/table.hpp"
#include "core/passes/gradient.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace gramian::bind {
namespace {

using Weights = std::optional<In1<double>>;
using Codes = std::optional<In1<std::int32_t>>;
using Proportions = std::optional<In2<double>>;

losses::Loss pass_named(const std::string& name) {
    const losses::Loss loss = losses::loss_named(name);
    if (static_cast<int>(loss) >= losses::kPassLosses) {
        throw std::invalid_argument("no pass for the loss " + name);
    }
    return loss;
}

Vector<const double> optional_view(const Weights& weights) {
    return weights ? view<double>(*weights) : Vector<const double>{nullptr, 0};
}

void check_shapes(const Table& X, Index y, const Weights& weights, Index coef) {
    require(y == X.rows(), "one target per row");
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows(), "one weight per row");
    require(coef == X.cols() || coef == X.cols() + 1, "one coefficient per column, or one more");
}

void margins(const Table& X, const In1<double>& coef, const Out1<double>& z) {
    check_shapes(X, static_cast<Index>(z.shape(0)), std::nullopt,
                 static_cast<Index>(coef.shape(0)));
    X.visit([&](const auto& rows) { passes::margins(rows, view<double>(coef), view<double>(z)); });
}

double loss_gradient(const std::string& loss, const Table& X, const In1<double>& y,
                     const Weights& weights, const In1<double>& coef, const Out1<double>& gradient,
                     const std::optional<Out1<double>>& curvature) {
    const Index p = static_cast<Index>(coef.shape(0));
    check_shapes(X, static_cast<Index>(y.shape(0)), weights, p);
    require(static_cast<Index>(gradient.shape(0)) == p, "a gradient as long as coef");
    require(!curvature || static_cast<Index>(curvature->shape(0)) == X.rows(),
            "one curvature per row");
    const Vector<double> h = curvature ? view<double>(*curvature) : Vector<double>{nullptr, 0};
    const losses::Loss named = pass_named(loss);
    return X.visit([&](const auto& rows) {
        return passes::loss_gradient(named, rows, {view<double>(y), optional_view(weights)},
                                     view<double>(coef), view<double>(gradient), h);
    });
}

double loss_newton(const std::string& loss, const Table& X, const In1<double>& y,
                   const Weights& weights, const In1<double>& coef, const Out1<double>& gradient,
                   const Out2<double>& gram) {
    const Index p = static_cast<Index>(coef.shape(0));
    check_shapes(X, static_cast<Index>(y.shape(0)), weights, p);
    require(static_cast<Index>(gradient.shape(0)) == p, "a gradient as long as coef");
    require(static_cast<Index>(gram.shape(0)) == p && static_cast<Index>(gram.shape(1)) == p,
            "a square matrix of the length of coef");
    const losses::Loss named = pass_named(loss);
    return X.visit([&](const auto& rows) {
        return passes::loss_newton(named, rows, {view<double>(y), optional_view(weights)},
                                   view<double>(coef), view<double>(gradient), view<double>(gram));
    });
}

passes::ClassTargets check_softmax(const Table& X, const Codes& codes,
                                   const Proportions& proportions, const Weights& weights,
                                   const In2<double>& coef, const Out2<double>& gradient) {
    const Matrix<const double> W = view<double>(coef);
    require(codes.has_value() != proportions.has_value(), "either codes or proportions");
    check_shapes(X, static_cast<Index>(codes ? codes->shape(0) : proportions->shape(0)), weights,
                 W.rows);
    require(!proportions || static_cast<Index>(proportions->shape(1)) == W.cols,
            "a proportion of each class");
    require(view<double>(gradient).rows == W.rows && view<double>(gradient).cols == W.cols,
            "a gradient of the shape of coef");
    passes::ClassTargets targets{{nullptr, 0}, {nullptr, 0, 0}, optional_view(weights)};
    if (codes) {
        targets.codes = view<std::int32_t>(*codes);
        for (const std::int32_t code : targets.codes) {
            require(0 <= code && code < W.cols, "codes from 0 to the number of classes");
        }
    } else {
        targets.proportions = view<double>(*proportions);
    }
    return targets;
}

double softmax_gradient(const Table& X, const Codes& codes, const Proportions& proportions,
                        const Weights& weights, const In2<double>& coef,
                        const Out2<double>& gradient) {
    const auto targets = check_softmax(X, codes, proportions, weights, coef, gradient);
    return X.visit([&](const auto& rows) {
        return passes::softmax_gradient(rows, targets, view<double>(coef), view<double>(gradient));
    });
}

double softmax_gradient_single(const Table& X, const Codes& codes, const Proportions& proportions,
                               const Weights& weights, const In2<double>& coef,
                               const Out2<double>& gradient) {
    const auto targets = check_softmax(X, codes, proportions, weights, coef, gradient);
    return X.visit([&]<typename View>(const View& rows) -> double {
        if constexpr (requires { rows.data; }) {
            return passes::softmax_gradient_single(rows, targets, view<double>(coef),
                                                   view<double>(gradient));
        } else {
            throw std::invalid_argument("dense rows for a pass in single precision");
        }
    });
}

} // namespace

void bind_passes(nb::module_& m) {
    m.def("margins", margins, "X"_a, "coef"_a.noconvert(), "z"_a.noconvert());
    m.def("loss_gradient", loss_gradient, "loss"_a, "X"_a, "y"_a.noconvert(),
          "weights"_a.noconvert().none(), "coef"_a.noconvert(), "gradient"_a.noconvert(),
          "curvature"_a.noconvert().none() = nb::none());
    m.def("loss_newton", loss_newton, "loss"_a, "X"_a, "y"_a.noconvert(),
          "weights"_a.noconvert().none(), "coef"_a.noconvert(), "gradient"_a.noconvert(),
          "gram"_a.noconvert());
    m.def("softmax_gradient", softmax_gradient, "X"_a, "codes"_a.noconvert().none(),
          "proportions"_a.noconvert().none(), "weights"_a.noconvert().none(), "coef"_a.noconvert(),
          "gradient"_a.noconvert());
    m.def("softmax_gradient_single", softmax_gradient_single, "X"_a, "codes"_a.noconvert().none(),
          "proportions"_a.noconvert().none(), "weights"_a.noconvert().none(), "coef"_a.noconvert(),
          "gradient"_a.noconvert());
    const auto mapped = [](void (*function)(Index, const double*, double*)) {
        return [function](const In1<double>& x, const Out1<double>& out) {
            require(x.shape(0) == out.shape(0), "arrays of one length");
            const GilRelease release;
            function(static_cast<Index>(x.shape(0)), x.data(), out.data());
        };
    };
    m.def("vector_exp", mapped(passes::pass_kernels().exp), "x"_a.noconvert(), "out"_a.noconvert());
    m.def("vector_log1p", mapped(passes::pass_kernels().log1p), "x"_a.noconvert(),
          "out"_a.noconvert());
}

} // namespace gramian::bind
