// Bindings of methods over 8-bit codes: bins, gradient boosting, AdaBoost.
#pragma once

#include "bind/arrays.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

namespace gramian::bind {

using Weights = std::optional<In1<double>>;

template <typename Array>
Index length(const Array& a) {
    return static_cast<Index>(a.shape(0));
}

} // namespace gramian::bind
