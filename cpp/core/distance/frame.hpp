// The coordinates that float32 computations use: x' = (x - shift) * scale.
//
// The shift lies among the data, so that data far from the origin lose no digits to cancellation.
// The scale is a power of two, so that the multiplication is exact. It keeps squares from
// overflow and underflow. Both depend only on a pilot sample of the rows.
#pragma once

#include "core/runtime/views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gramian::distance {

template <typename T>
struct Frame {
    std::vector<T> shift;
    T scale = 1;
};

template <typename T>
Frame<T> frame_of(Matrix<const T> rows);

// gamma of tile.hpp for d coordinates.
float tile_gamma(Index d);

// A float near a value x >= 0 that is not smaller (round_up) or not larger (round_down).
inline float round_up(double x) {
    return static_cast<float>(x) * (1 + 0x1p-22f) + std::numeric_limits<float>::denorm_min();
}
inline float round_down(double x) {
    const float near = std::min(static_cast<float>(x), std::numeric_limits<float>::max());
    return std::max(0.0f, near * (1 - 0x1p-22f) - std::numeric_limits<float>::denorm_min());
}

} // namespace gramian::distance
