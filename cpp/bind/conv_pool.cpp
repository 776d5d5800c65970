// Convolutions with the maxima of blocks after them.
#include "core/network/conv_pool.hpp"
#include "bind/arrays.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gramian::bind {
namespace {

using network::ConvPool;
using Pads = std::array<Index, 4>; // above, left, below, right

template <typename U>
using In4 = nb::ndarray<const U, nb::ndim<4>, nb::c_contig, nb::device::cpu>;
template <typename U>
using Out4 = nb::ndarray<U, nb::ndim<4>, nb::c_contig, nb::device::cpu>;

template <typename Array>
Index side(const Array& array, std::size_t axis) {
    return static_cast<Index>(array.shape(axis));
}

template <typename Array>
bool has_shape(const Array& array, const std::array<Index, 4>& sides) {
    for (std::size_t axis = 0; axis < 4; ++axis) {
        if (side(array, axis) != sides[axis]) return false;
    }
    return true;
}

// What the arrays describe, if they fit.
template <typename T, typename Pooled, typename Places>
ConvPool conv_pool_of(const Pads& pads, bool relu, const In4<T>& images, const In4<T>& weights,
                      const Pooled& pooled, const Places& places) {
    const auto [top, left, bottom, right] = pads;
    const ConvPool c{side(images, 1),  side(images, 2),  side(images, 3),  top, left, bottom, right,
                     side(weights, 0), side(weights, 2), side(weights, 3), relu};
    require(top >= 0 && left >= 0 && bottom >= 0 && right >= 0, "zeros around images");
    require(c.filters >= 1 && c.channels >= 1 && side(weights, 1) == c.channels,
            "filters of the images' channels");
    require(c.height >= 1 && c.width >= 1 && c.padded_rows() > c.height &&
                c.padded_cols() > c.width,
            "images larger than the filters");
    const std::array<Index, 4> sides = {side(images, 0), c.out_rows(), c.out_cols(), c.filters};
    require(has_shape(pooled, sides) && has_shape(places, sides), "a maximum for each block");
    return c;
}

template <typename T>
void bind_type(nb::module_& m) {
    m.def(
        "conv_pool",
        [](const Pads& pads, bool relu, const In4<T>& images, const In4<T>& weights,
           const In1<T>& bias, const Out4<T>& out, const Out4<std::uint8_t>& places) {
            const ConvPool c = conv_pool_of<T>(pads, relu, images, weights, out, places);
            require(static_cast<Index>(bias.shape(0)) == c.filters, "a bias for each filter");
            const GilRelease release;
            network::conv_pool<T>(c, side(images, 0), images.data(), weights.data(), bias.data(),
                                  out.data(), places.data());
        },
        "pads"_a, "relu"_a, "images"_a.noconvert(), "weights"_a.noconvert(), "bias"_a.noconvert(),
        "out"_a.noconvert(), "places"_a.noconvert(),
        "The maxima of blocks of 2 x 2 of convolved images, channels last, and which they are.");
    m.def(
        "conv_pool_back",
        [](const Pads& pads, const In4<T>& images, const In4<T>& weights, const In4<T>& slopes,
           const In4<std::uint8_t>& places, const Out4<T>& by_weights, const Out1<T>& by_bias,
           const std::optional<Out4<T>>& by_images) {
            const ConvPool c = conv_pool_of<T>(pads, false, images, weights, slopes, places);
            require(static_cast<Index>(by_bias.shape(0)) == c.filters &&
                        has_shape(by_weights, {c.filters, c.channels, c.height, c.width}),
                    "a derivative for each weight");
            require(!by_images ||
                        has_shape(*by_images, {side(images, 0), c.rows, c.cols, c.channels}),
                    "a derivative for each number of the images");
            const GilRelease release;
            std::uint8_t most = 0;
            for (std::size_t i = 0; i < places.size(); ++i) {
                most = std::max(most, places.data()[i]);
            }
            require(most <= network::kNoPlace, "places of a block");
            network::conv_pool_back<T>(c, side(images, 0), images.data(), weights.data(),
                                       slopes.data(), places.data(), by_weights.data(),
                                       by_bias.data(), by_images ? by_images->data() : nullptr);
        },
        "pads"_a, "images"_a.noconvert(), "weights"_a.noconvert(), "slopes"_a.noconvert(),
        "places"_a.noconvert(), "by_weights"_a.noconvert(), "by_bias"_a.noconvert(),
        "by_images"_a.noconvert().none(),
        "The derivatives by weights, biases and images, from those by the maxima.");
}

} // namespace

void bind_conv_pool(nb::module_& m) {
    bind_type<float>(m);
    bind_type<double>(m);
}

} // namespace gramian::bind
