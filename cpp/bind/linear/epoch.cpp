// An epoch of stochastic gradient descent.
#include "core/passes/epoch.hpp"
#include "bind/table.hpp"
#include "core/runtime/shuffle.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace gramian::bind {
namespace {

using Weights = std::optional<In1<double>>;
using Sums = std::optional<Out1<double>>;

constexpr std::array<const char*, 5> kSchedules = {"constant", "optimal", "invscaling", "pa1",
                                                   "pa2"};

passes::Schedule schedule_named(const std::string& name) {
    for (std::size_t k = 0; k < kSchedules.size(); ++k) {
        if (name == kSchedules[k]) return static_cast<passes::Schedule>(k);
    }
    throw std::invalid_argument("there is no learning rate named " + name);
}

losses::Loss step_named(const std::string& name) {
    using enum losses::Loss;
    const losses::Loss loss = losses::loss_named(name);
    for (const losses::Loss other : {squared_sigmoid, absolute, quantile, gamma, softmax}) {
        if (loss == other) throw std::invalid_argument("no epoch of the loss " + name);
    }
    return loss;
}

// The objective of an epoch and its steps.
struct EpochOptions {
    losses::Loss loss;
    double epsilon, alpha, l1_ratio;
    passes::LearningRate rate;
    bool intercept;
    double sum_from;
};

// The state that it changes. `scalars`: b, t, the l1 penalty due, the sum of b.
struct EpochState {
    Out1<double> w, scalars;
    Sums l1_applied, sum;
};

Index length(const Out1<double>& a) {
    return static_cast<Index>(a.shape(0));
}

// Returns the sum of the losses and the updates.
std::pair<double, Index> sgd_epoch(const EpochOptions& options, const Table& X,
                                   const In1<double>& y, const Weights& weights,
                                   const In1<std::int32_t>& order, const EpochState& state) {
    require(static_cast<Index>(y.shape(0)) == X.rows(), "one target per row");
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows(), "one weight per row");
    require(length(state.w) == X.cols(), "one weight per column");
    require(!state.l1_applied || length(*state.l1_applied) == X.cols(),
            "one l1 penalty per column");
    require(!state.sum || length(*state.sum) == X.cols(), "one sum per column");
    const Vector<const std::int32_t> rows = view<std::int32_t>(order);
    for (const std::int32_t row : rows) require(0 <= row && row < X.rows(), "row numbers");
    double* scalar = state.scalars.data();
    passes::Epoch epoch{.order = rows.data,
                        .n = rows.size,
                        .y = y.data(),
                        .weights = weights ? weights->data() : nullptr,
                        .loss = options.loss,
                        .epsilon = options.epsilon,
                        .alpha = options.alpha,
                        .l1_ratio = options.l1_ratio,
                        .rate = options.rate,
                        .intercept = options.intercept,
                        .w = state.w.data(),
                        .b = scalar,
                        .t = scalar + 1,
                        .l1_applied = state.l1_applied ? state.l1_applied->data() : nullptr,
                        .l1_total = scalar + 2,
                        .sum = state.sum ? state.sum->data() : nullptr,
                        .sum_b = scalar + 3,
                        .sum_from = options.sum_from,
                        .loss_sum = 0,
                        .updates = 0};
    X.visit([&](const auto& view) { passes::epoch(view, epoch); });
    return {epoch.loss_sum, epoch.updates};
}

} // namespace

void bind_epoch(nb::module_& m) {
    nb::class_<passes::LearningRate>(m, "LearningRate", "The length of the steps.")
        .def(
            "__init__",
            [](passes::LearningRate* self, const std::string& schedule, double eta0, double power,
               double optimal_start) {
                new (self)
                    passes::LearningRate{schedule_named(schedule), eta0, power, optimal_start};
            },
            "schedule"_a, nb::kw_only(), "eta0"_a, "power"_a, "optimal_start"_a);
    nb::class_<EpochOptions>(m, "EpochOptions", "The objective of an epoch and its steps.")
        .def(
            "__init__",
            [](EpochOptions* self, const std::string& loss, double epsilon, double alpha,
               double l1_ratio, const passes::LearningRate& rate, bool intercept, double sum_from) {
                new (self) EpochOptions{step_named(loss), epsilon, alpha, l1_ratio, rate,
                                        intercept,        sum_from};
            },
            nb::kw_only(), "loss"_a, "epsilon"_a, "alpha"_a, "l1_ratio"_a, "rate"_a, "intercept"_a,
            "sum_from"_a);
    nb::class_<EpochState>(m, "EpochState", "The state that an epoch changes.")
        .def(
            "__init__",
            [](EpochState* self, const Out1<double>& w, const Out1<double>& scalars,
               const Sums& l1_applied, const Sums& sum) {
                require(length(scalars) == 4, "four scalars");
                new (self) EpochState{w, scalars, l1_applied, sum};
            },
            "w"_a.noconvert(), "scalars"_a.noconvert(), "l1_applied"_a.noconvert().none(),
            "sum"_a.noconvert().none());
    m.def("sgd_epoch", sgd_epoch, "options"_a, "X"_a, "y"_a.noconvert(),
          "weights"_a.noconvert().none(), "order"_a.noconvert(), "state"_a,
          "One epoch; returns the sum of the losses during the epoch and the updates.");
    m.def(
        "random_order",
        [](const Out1<std::int32_t>& rows, Index piece, std::uint64_t seed, std::uint64_t number) {
            require(piece >= 1, "pieces of at least one row");
            const Index n = static_cast<Index>(rows.shape(0));
            const auto order =
                runtime::shuffled_in_chunks(rows.data(), n, piece, runtime::Philox{seed, number});
            std::copy(order.begin(), order.end(), rows.data());
        },
        "rows"_a.noconvert(), "piece"_a, "seed"_a, "number"_a, Release(),
        "Shuffle rows in blocks of so many neighbours.");
}

} // namespace gramian::bind
