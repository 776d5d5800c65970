// Shared by the bindings of networks: targets and optional arrays.
#pragma once

#include "bind/arrays.hpp"
#include "core/network/network.hpp"

#include <optional>

namespace gramian::bind {

using Weights = std::optional<In1<double>>;
using Codes = std::optional<In1<std::int32_t>>;
template <typename T>
using Values = std::optional<In2<T>>;
template <typename T>
using Held = std::optional<Out1<T>>;

template <typename T>
network::Targets<T> targets_of(const network::Settings& s, Index rows, const Codes& codes,
                               const Values<T>& values, double high, double low) {
    const Index outputs = s.shape.widths.back();
    require(codes.has_value() != values.has_value(), "either codes or values");
    if (values) {
        require(static_cast<Index>(values->shape(0)) == rows &&
                    static_cast<Index>(values->shape(1)) == outputs,
                "one target per row and output");
        return {nullptr, values->data(), T(1), T(0)};
    }
    const Vector<const std::int32_t> class_codes = view<std::int32_t>(*codes);
    require(class_codes.size == rows, "one code per row");
    const Index classes = outputs == 1 ? 2 : outputs;
    for (const std::int32_t code : class_codes)
        require(0 <= code && code < classes, "codes of classes");
    return {class_codes.data, nullptr, static_cast<T>(high), static_cast<T>(low)};
}

} // namespace gramian::bind
