// An epoch of stochastic gradient descent.
#include "core/passes/epoch.hpp"
#include "bind/arrays.hpp"
#include "core/runtime/shuffle.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace gramian::bind {
namespace {

using Weights = std::optional<In1<double>>;
using Sums = std::optional<Out1<double>>;

constexpr std::array<const char*, passes::kStepLosses> kNames = {"hinge",
                                                                 "squared_hinge",
                                                                 "perceptron",
                                                                 "log_loss",
                                                                 "modified_huber",
                                                                 "squared_error",
                                                                 "huber",
                                                                 "epsilon_insensitive",
                                                                 "squared_epsilon_insensitive",
                                                                 "exponential",
                                                                 "poisson"};
constexpr std::array<const char*, 5> kRates = {"constant", "optimal", "invscaling", "pa1", "pa2"};

template <std::size_t N>
int place(const std::array<const char*, N>& names, const std::string& name, const char* what) {
    for (std::size_t k = 0; k < N; ++k) {
        if (name == names[k]) return static_cast<int>(k);
    }
    require(false, what);
    return 0;
}

Index length(const Out1<double>& a) {
    return static_cast<Index>(a.shape(0));
}

// `scalars`: b, t, the l1 penalty due, the sum of b. Returns the sum of the losses and the updates.
template <typename View>
std::pair<double, Index>
epoch_of(const View& X, const In1<double>& y, const Weights& weights,
         const In1<std::int32_t>& order, const std::string& loss, double epsilon, double alpha,
         double l1_ratio, const std::string& rate, double eta0, double power, double optimal_start,
         bool intercept, const Out1<double>& w, const Out1<double>& scalars, const Sums& l1_given,
         const Sums& sum, double sum_from) {
    require(static_cast<Index>(y.shape(0)) == X.rows, "one target per row");
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows, "one weight per row");
    require(length(w) == X.cols, "one weight per column");
    require(length(scalars) == 4, "four scalars");
    require(!l1_given || length(*l1_given) == X.cols, "one l1 penalty per column");
    require(!sum || length(*sum) == X.cols, "one sum per column");
    const Vector<const std::int32_t> rows = view<std::int32_t>(order);
    for (const std::int32_t row : rows) require(0 <= row && row < X.rows, "row numbers");
    double* scalar = scalars.data();
    passes::Epoch state{rows.data,
                        rows.size,
                        y.data(),
                        weights ? weights->data() : nullptr,
                        static_cast<passes::StepLoss>(place(kNames, loss, "a loss by name")),
                        epsilon,
                        alpha,
                        l1_ratio,
                        static_cast<passes::Rate>(place(kRates, rate, "a rate by name")),
                        eta0,
                        power,
                        optimal_start,
                        intercept,
                        w.data(),
                        scalar,
                        scalar + 1,
                        l1_given ? l1_given->data() : nullptr,
                        scalar + 2,
                        sum ? sum->data() : nullptr,
                        scalar + 3,
                        sum_from,
                        0,
                        0};
    {
        const nb::gil_scoped_release release;
        passes::epoch(X, state);
    }
    return {state.loss_sum, state.updates};
}

#define GRAMIAN_REST                                                                               \
    "y"_a.noconvert(), "weights"_a.noconvert().none(), "order"_a.noconvert(), "loss"_a,            \
        "epsilon"_a, "alpha"_a, "l1_ratio"_a, "rate"_a, "eta0"_a, "power"_a, "optimal_start"_a,    \
        "intercept"_a, "w"_a.noconvert(), "scalars"_a.noconvert(),                                 \
        "l1_given"_a.noconvert().none(), "sum"_a.noconvert().none(), "sum_from"_a

template <typename T>
void bind_dense(nb::module_& m) {
    m.def(
        "sgd_epoch",
        [](const In2<T>& X, const In1<double>& y, const Weights& weights,
           const In1<std::int32_t>& order, const std::string& loss, double epsilon, double alpha,
           double l1_ratio, const std::string& rate, double eta0, double power,
           double optimal_start, bool intercept, const Out1<double>& w, const Out1<double>& scalars,
           const Sums& l1_given, const Sums& sum, double sum_from) {
            return epoch_of(view<T>(X), y, weights, order, loss, epsilon, alpha, l1_ratio, rate,
                            eta0, power, optimal_start, intercept, w, scalars, l1_given, sum,
                            sum_from);
        },
        "X"_a.noconvert(), GRAMIAN_REST);
}

template <typename T, typename I>
void bind_csr(nb::module_& m) {
    m.def(
        "csr_sgd_epoch",
        [](const In1<T>& values, const In1<I>& columns, const In1<I>& offsets, Index cols,
           const In1<double>& y, const Weights& weights, const In1<std::int32_t>& order,
           const std::string& loss, double epsilon, double alpha, double l1_ratio,
           const std::string& rate, double eta0, double power, double optimal_start, bool intercept,
           const Out1<double>& w, const Out1<double>& scalars, const Sums& l1_given,
           const Sums& sum, double sum_from) {
            return epoch_of(csr(values, columns, offsets, cols), y, weights, order, loss, epsilon,
                            alpha, l1_ratio, rate, eta0, power, optimal_start, intercept, w,
                            scalars, l1_given, sum, sum_from);
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "cols"_a,
        GRAMIAN_REST);
}

} // namespace

void bind_epoch(nb::module_& m) {
    bind_dense<float>(m);
    bind_dense<double>(m);
    bind_csr<float, std::int32_t>(m);
    bind_csr<float, std::int64_t>(m);
    bind_csr<double, std::int32_t>(m);
    bind_csr<double, std::int64_t>(m);
    m.def(
        "random_order",
        [](const Out1<std::int32_t>& rows, Index piece, std::uint64_t seed, std::uint64_t number) {
            require(piece >= 1, "pieces of at least one row");
            const Index n = static_cast<Index>(rows.shape(0));
            const auto order =
                runtime::in_random_pieces(rows.data(), n, piece, runtime::Philox{seed, number});
            std::copy(order.begin(), order.end(), rows.data());
        },
        "rows"_a.noconvert(), "piece"_a, "seed"_a, "number"_a, Release(),
        "Put rows in a random order, in which so many neighbours stay together.");
}

} // namespace gramian::bind
