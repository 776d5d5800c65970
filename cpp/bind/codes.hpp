// What the bindings of methods over 8-bit codes share: bins, gradient boosting, AdaBoost.
#pragma once

#include "bind/arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

namespace gramian::bind {

using Weights = std::optional<In1<double>>;
template <typename T>
using In3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out3 = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <typename Array>
Index length(const Array& a) {
    return static_cast<Index>(a.shape(0));
}

} // namespace gramian::bind
