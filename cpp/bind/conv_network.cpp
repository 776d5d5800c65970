// Networks of convolutions with maxima, and dense layers after them.
#include "core/network/conv_network.hpp"
#include "bind/network.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <optional>
#include <tuple>
#include <vector>

namespace gramian::bind {
namespace {

using network::ConvPool;
using network::Optimizer;
using network::Settings;
using network::Stages;

// rows, columns and channels of the images; zeros above, left, below, right; filters, their height
// and width; whether with ReLU
using Numbers = std::array<Index, 11>;

Stages stages_of(const std::vector<Numbers>& stage_numbers, const Settings& settings, Index image,
                 Index parameters) {
    require(!stage_numbers.empty(), "at least one stage");
    Stages stages;
    for (const Numbers& n : stage_numbers) {
        const ConvPool c{n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10] != 0};
        for (const Index zeros : {c.top, c.left, c.bottom, c.right}) {
            require(zeros >= 0, "zeros around images");
        }
        for (const Index side : {c.rows, c.cols, c.channels, c.filters, c.height, c.width}) {
            require(side >= 1, "sides of at least 1");
        }
        require(c.padded_rows() > c.height && c.padded_cols() > c.width,
                "images larger than the filters");
        const Index before = stages.empty() ? image : stages.back().pooled();
        require(c.image() == before, "stages that fit");
        stages.push_back(c);
    }
    require(settings.shape.widths.front() == stages.back().pooled(), "layers that fit the stages");
    require(!settings.shape.batch_norm, "no batch normalisation");
    require(parameters == network::stage_parameters(stages) + settings.shape.parameters(),
            "one number per parameter");
    return stages;
}

template <typename T>
std::tuple<double, double, bool, std::int64_t>
epoch(const Settings& settings, const std::vector<Numbers>& stage_numbers, const In2<T>& images,
      const Codes& codes, const Values<T>& values, const Weights& weights,
      const In1<std::int32_t>& order, const Out1<T>& parameters, const Out1<T>& first,
      const Held<T>& second, std::int64_t t) {
    const Index size = static_cast<Index>(parameters.shape(0));
    const Matrix<const T> X = view<T>(images);
    const Stages stages = stages_of(stage_numbers, settings, X.cols, size);
    const Optimizer by = settings.rule.optimizer;
    require(by == Optimizer::adam || by == Optimizer::sgd, "adam or sgd");
    require(static_cast<Index>(first.shape(0)) == size, "one moment per parameter");
    require((by == Optimizer::adam) == second.has_value() &&
                (!second || static_cast<Index>(second->shape(0)) == size),
            "one moment per parameter");
    require(settings.batch >= 1 && t >= 0, "batches of at least one row");
    const auto targets = targets_of<T>(settings, X.rows, codes, values, 1, 0);
    require(!weights || static_cast<Index>(weights->shape(0)) == X.rows, "one weight per row");
    const Vector<const std::int32_t> rows = view<std::int32_t>(order);
    for (const std::int32_t row : rows) require(0 <= row && row < X.rows, "row numbers");
    network::State<T> state{parameters.data(),
                            first.data(),
                            second ? second->data() : nullptr,
                            nullptr,
                            nullptr,
                            nullptr,
                            nullptr,
                            t};
    const GilRelease release;
    const network::Pass pass = network::conv_epoch<T>(
        settings, stages, X, targets, weights ? weights->data() : nullptr, rows, state);
    return {pass.loss, pass.start, pass.finite, state.t};
}

template <typename T>
void predict(const Settings& settings, const std::vector<Numbers>& stage_numbers,
             const In2<T>& images, const In1<T>& parameters, const Out2<T>& out) {
    const Matrix<const T> X = view<T>(images);
    const Stages stages =
        stages_of(stage_numbers, settings, X.cols, static_cast<Index>(parameters.shape(0)));
    require(static_cast<Index>(out.shape(0)) == X.rows &&
                static_cast<Index>(out.shape(1)) == settings.shape.widths.back(),
            "one output per row and unit");
    const GilRelease release;
    network::conv_predict<T>(settings.shape, stages, parameters.data(), X, view<T>(out));
}

template <typename T>
void bind_type(nb::module_& m) {
    m.def("conv_network_epoch", epoch<T>, "settings"_a, "stages"_a, "images"_a.noconvert(),
          "codes"_a.noconvert().none(), "values"_a.noconvert().none(),
          "weights"_a.noconvert().none(), "order"_a.noconvert(), "parameters"_a.noconvert(),
          "first"_a.noconvert(), "second"_a.noconvert().none(), "t"_a,
          "One epoch; returns the mean loss, that of the first batch, whether all was finite, and "
          "the steps made.");
    m.def("conv_network_predict", predict<T>, "settings"_a, "stages"_a, "images"_a.noconvert(),
          "parameters"_a.noconvert(), "out"_a.noconvert(), "The outputs of every image.");
}

} // namespace

void bind_conv_network(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

} // namespace gramian::bind
