// Multi-layer perceptrons, and steps of their optimisers.
#include "bind/network.hpp"
#include "bind/table.hpp"
#include "core/network/step.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace gramian::bind {
namespace {

using network::Activation;
using network::Optimizer;
using network::Output;
using network::Settings;
using network::Shape;

template <typename Enum, std::size_t N>
Enum named(const std::array<const char*, N>& names, const std::string& name, const char* what) {
    for (std::size_t k = 0; k < N; ++k) {
        if (name == names[k]) return static_cast<Enum>(k);
    }
    throw std::invalid_argument(std::string("no ") + what + " named  " + name);
}

constexpr std::array<const char*, 4> kActivations = {"identity", "logistic", "tanh", "relu"};
constexpr std::array<const char*, 5> kOutputs = {"squared", "squared_logistic", "poisson",
                                                 "logistic", "softmax"};
constexpr std::array<const char*, 6> kOptimizers = {"none",    "sgd",  "adagrad",
                                                    "rmsprop", "adam", "amsgrad"};

Shape shape_of(const std::vector<Index>& widths, const std::vector<std::string>& activations,
               const std::string& output, bool batch_norm) {
    require(widths.size() >= 2 && activations.size() + 2 == widths.size(), "layers that fit");
    for (const Index width : widths) require(width >= 1, "layers of at least one unit");
    Shape shape{widths, {}, named<Output>(kOutputs, output, "output"), batch_norm};
    for (const std::string& name : activations) {
        shape.activations.push_back(named<Activation>(kActivations, name, "activation"));
    }
    return shape;
}

// The arrays that training changes.
template <typename T>
struct Arrays {
    Out1<T> parameters;
    Held<T> first, second, largest, mean, variance;
    std::optional<In1<T>> mask;
};

template <typename T>
T* data(const Held<T>& array, Index size, const char* what) {
    require(!array || static_cast<Index>(array->shape(0)) == size, what);
    return array ? array->data() : nullptr;
}

// Raises unless the moments that an optimiser needs are there.
void check_moments(Optimizer by, bool first, bool second, bool largest) {
    const bool adam = by == Optimizer::adam || by == Optimizer::amsgrad;
    require(!(adam || by == Optimizer::sgd) || first, "the first moments");
    require(by == Optimizer::none || by == Optimizer::sgd || second, "the second moments");
    require(by != Optimizer::amsgrad || largest, "the largest moments");
}

template <typename T>
network::State<T> state_of(const Settings& s, const Arrays<T>& a, std::int64_t t) {
    const Index size = s.shape.parameters(), hidden = s.shape.hidden_units();
    require(static_cast<Index>(a.parameters.shape(0)) == size, "one number per parameter");
    require(!a.mask || static_cast<Index>(a.mask->shape(0)) == size, "one mask per parameter");
    check_moments(s.rule.optimizer, a.first.has_value(), a.second.has_value(),
                  a.largest.has_value());
    require(a.mean.has_value() == a.variance.has_value(), "mean and variance");
    require(!a.mean || s.shape.batch_norm, "no mean without batch normalisation");
    return {a.parameters.data(),
            data<T>(a.first, size, "one moment per parameter"),
            data<T>(a.second, size, "one moment per parameter"),
            data<T>(a.largest, size, "one moment per parameter"),
            data<T>(a.mean, hidden, "one mean per hidden unit"),
            data<T>(a.variance, hidden, "one variance per hidden unit"),
            a.mask ? a.mask->data() : nullptr,
            t};
}

// body(source) of a table whose numbers are T.
template <typename T, typename Body>
auto with_source(const Table& X, const Settings* s, const Body& body) {
    using Result = std::invoke_result_t<Body, network::Source<T>>;
    require(!s || X.cols() == s->shape.widths.front(), "one input per column");
    return X.visit([&](const auto& rows) -> Result {
        if constexpr (requires {
                          network::gather_row<T>(rows, Index{0}, static_cast<T*>(nullptr));
                      }) {
            return body(network::source_of<T>(rows));
        } else {
            throw std::invalid_argument("a table of the type of the parameters");
        }
    });
}

template <typename T>
std::tuple<double, double, Index, double, bool, std::int64_t>
epoch(const Settings& settings, const Table& X, const Codes& codes, const Values<T>& values,
      double high, double low, const Weights& weights, const In1<std::int32_t>& order,
      const Arrays<T>& arrays, std::int64_t t, const std::optional<Out1<double>>& losses) {
    const auto targets = targets_of<T>(settings, X.rows(), codes, values, high, low);
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows(), "one weight per row");
    require(!losses || static_cast<Index>(losses->shape(0)) == X.rows(), "one loss per row");
    require(settings.batch >= 1 && t >= 0, "batches of at least one row");
    const Vector<const std::int32_t> rows = view<std::int32_t>(order);
    for (const std::int32_t row : rows) require(0 <= row && row < X.rows(), "row numbers");
    network::State<T> state = state_of<T>(settings, arrays, t);
    const network::Pass pass = with_source<T>(X, &settings, [&](const network::Source<T>& source) {
        return network::epoch<T>(settings, source, targets, weights ? weights->data() : nullptr,
                                 rows, state, losses ? losses->data() : nullptr);
    });
    return {pass.loss, pass.start, pass.right, pass.gradient_square, pass.finite, state.t};
}

template <typename T>
double gradient(const Settings& settings, const Table& X, const Codes& codes,
                const Values<T>& values, double high, double low, const Weights& weights,
                const Arrays<T>& arrays, std::int64_t t, const Out1<T>& out) {
    const auto targets = targets_of<T>(settings, X.rows(), codes, values, high, low);
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows(), "one weight per row");
    require(settings.rule.optimizer == Optimizer::none, "no optimiser");
    require(static_cast<Index>(out.shape(0)) == settings.shape.parameters(), "one per parameter");
    require(settings.batch == X.rows() && t >= 0, "one batch");
    network::State<T> state = state_of<T>(settings, arrays, t);
    return with_source<T>(X, &settings, [&](const network::Source<T>& source) {
        return network::gradient<T>(settings, source, targets, weights ? weights->data() : nullptr,
                                    state, out.data())
            .loss;
    });
}

template <typename T>
void predict(const std::vector<std::string>& activations, const std::string& output, const Table& X,
             const std::vector<In2<T>>& weights, const std::vector<In1<T>>& intercepts,
             const Out2<T>& out) {
    require(!weights.empty() && weights.size() == intercepts.size(), "layers");
    std::vector<Index> widths = {X.cols()};
    network::Layers<T> layers;
    for (std::size_t l = 0; l < weights.size(); ++l) {
        require(static_cast<Index>(weights[l].shape(0)) == widths.back(), "layers that fit");
        require(weights[l].shape(1) == intercepts[l].shape(0), "one intercept per unit");
        widths.push_back(static_cast<Index>(weights[l].shape(1)));
        layers.weights.push_back(weights[l].data());
        layers.intercepts.push_back(intercepts[l].data());
    }
    const Shape shape = shape_of(widths, activations, output, false);
    require(static_cast<Index>(out.shape(0)) == X.rows() &&
                static_cast<Index>(out.shape(1)) == widths.back(),
            "one output per row and unit");
    with_source<T>(X, nullptr, [&](const network::Source<T>& source) {
        network::predict<T>(shape, layers, source, view<T>(out));
    });
}

// One step of an optimiser over a vector of parameters.
template <typename T>
void optimizer_step(const std::string& optimizer, double rate, double momentum, double beta_1,
                    double beta_2, double epsilon, double decay, std::int64_t t,
                    const Out1<T>& parameters, const Out1<T>& gradient, const Held<T>& first,
                    const Held<T>& second, const Held<T>& largest) {
    const auto by = named<Optimizer>(kOptimizers, optimizer, "optimiser");
    const Index size = static_cast<Index>(parameters.shape(0));
    require(t >= 0, "steps counted from 0");
    require(static_cast<Index>(gradient.shape(0)) == size, "one derivative per parameter");
    const network::Stretch<T> vector{parameters.data(),
                                     gradient.data(),
                                     data<T>(first, size, "one moment per parameter"),
                                     data<T>(second, size, "one moment per parameter"),
                                     data<T>(largest, size, "one moment per parameter"),
                                     nullptr,
                                     size};
    check_moments(by, first.has_value(), second.has_value(), largest.has_value());
    const GilRelease release;
    network::step_vector<T>({by, rate, momentum, beta_1, beta_2, epsilon, false}, t, decay, vector);
}

template <typename T>
void bind_type(nb::module_& m, const char* arrays) {
    nb::class_<Arrays<T>>(m, arrays, "The arrays that training changes.")
        .def(
            "__init__",
            [](Arrays<T>* self, const Out1<T>& parameters, const Held<T>& first,
               const Held<T>& second, const Held<T>& largest, const Held<T>& mean,
               const Held<T>& variance, const std::optional<In1<T>>& mask) {
                new (self) Arrays<T>{parameters, first, second, largest, mean, variance, mask};
            },
            "parameters"_a.noconvert(), nb::kw_only(), "first"_a.noconvert().none(),
            "second"_a.noconvert().none(), "largest"_a.noconvert().none(),
            "mean"_a.noconvert().none(), "variance"_a.noconvert().none(),
            "mask"_a.noconvert().none());
    m.def(
        "network_epoch", epoch<T>, "settings"_a, "X"_a, "codes"_a.noconvert().none(),
        "values"_a.noconvert().none(), "high"_a, "low"_a, "weights"_a.noconvert().none(),
        "order"_a.noconvert(), "arrays"_a, "t"_a, "losses"_a.noconvert().none(),
        "One epoch; returns the mean loss, that of the first batch, the rows classified rightly on "
        "the way, the mean square of the gradient, whether all was finite, and the steps made.");
    m.def("network_gradient", gradient<T>, "settings"_a, "X"_a, "codes"_a.noconvert().none(),
          "values"_a.noconvert().none(), "high"_a, "low"_a, "weights"_a.noconvert().none(),
          "arrays"_a, "t"_a, "out"_a.noconvert(),
          "The gradient over all rows as one batch; returns the mean loss.");
    m.def("network_predict", predict<T>, "activations"_a, "output"_a, "X"_a,
          "weights"_a.noconvert(), "intercepts"_a.noconvert(), "out"_a.noconvert(),
          "The outputs of every row.");
    m.def("optimizer_step", optimizer_step<T>, nb::kw_only(), "optimizer"_a, "rate"_a, "momentum"_a,
          "beta_1"_a, "beta_2"_a, "epsilon"_a, "decay"_a, "t"_a, "parameters"_a.noconvert(),
          "gradient"_a.noconvert(), "first"_a.noconvert().none(), "second"_a.noconvert().none(),
          "largest"_a.noconvert().none(), "Step t, counted from 0, of an optimiser.");
}

} // namespace

void bind_network(nb::module_& m) {
    nb::class_<Settings>(m, "NetworkSettings", "A network, and what a step of its training does.")
        .def(
            "__init__",
            [](Settings* self, const std::vector<Index>& widths,
               const std::vector<std::string>& activations, const std::string& output,
               bool batch_norm, const std::string& optimizer, double rate, double momentum,
               bool nesterov, double beta_1, double beta_2, double epsilon,
               const std::vector<double>& layer_rates, double alpha, bool divides_penalty,
               bool penalize_intercepts, const std::vector<double>& dropout, bool scales_inputs,
               double noise, double noise_decay, double norm_keep, double norm_epsilon,
               std::uint64_t seed, Index batch) {
                Shape shape = shape_of(widths, activations, output, batch_norm);
                require(layer_rates.size() + 1 == widths.size(), "one rate per layer");
                require(dropout.size() + 1 == widths.size(), "dropout of all layers but the last");
                for (const double p : dropout) require(0 <= p && p < 1, "dropout in [0, 1)");
                new (self) Settings{std::move(shape),
                                    {named<Optimizer>(kOptimizers, optimizer, "optimiser"), rate,
                                     momentum, beta_1, beta_2, epsilon, nesterov},
                                    layer_rates,
                                    alpha,
                                    divides_penalty,
                                    penalize_intercepts,
                                    dropout,
                                    scales_inputs,
                                    noise,
                                    noise_decay,
                                    norm_keep,
                                    norm_epsilon,
                                    seed,
                                    batch};
            },
            nb::kw_only(), "widths"_a, "activations"_a, "output"_a, "batch_norm"_a, "optimizer"_a,
            "rate"_a, "momentum"_a, "nesterov"_a, "beta_1"_a, "beta_2"_a, "epsilon"_a,
            "layer_rates"_a, "alpha"_a, "divides_penalty"_a, "penalize_intercepts"_a, "dropout"_a,
            "scales_inputs"_a, "noise"_a, "noise_decay"_a, "norm_keep"_a, "norm_epsilon"_a,
            "seed"_a, "batch"_a);
    bind_type<float>(m, "NetworkArraysF32");
    bind_type<double>(m, "NetworkArraysF64");
}

} // namespace gramian::bind
