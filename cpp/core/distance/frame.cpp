#include "core/distance/frame.hpp"

#include <algorithm>

namespace gramian::distance {
namespace {

constexpr Index kPilot = 256;
constexpr int kMaxUnscaledExponent = 20; // values between 2^-20 and 2^20 need no scaling

} // namespace

template <typename T>
Frame<T> frame_of(Matrix<const T> rows) {
    const Index d = rows.cols, n = std::min(rows.rows, kPilot);
    const auto pilot = [&](Index i) { return rows.row(i * rows.rows / n); };
    std::vector<double> mean(static_cast<std::size_t>(d), 0.0);
    for (Index i = 0; i < n; ++i) {
        const T* x = pilot(i);
        for (Index t = 0; t < d; ++t) mean[t] += static_cast<double>(x[t]) / n;
    }
    Frame<T> frame;
    frame.shift.assign(mean.begin(), mean.end());
    T largest = 0;
    for (Index i = 0; i < n; ++i) {
        const T* x = pilot(i);
        for (Index t = 0; t < d; ++t) {
            largest = std::max(largest, std::abs(x[t] - frame.shift[t]));
        }
    }
    if (largest > 0 && std::isfinite(largest)) {
        const int exponent = std::ilogb(largest);
        constexpr int limit = sizeof(T) == 4 ? 120 : 1000;
        if (std::abs(exponent) > kMaxUnscaledExponent) {
            frame.scale = std::ldexp(T(1), std::clamp(-exponent, -limit, limit));
        }
    }
    return frame;
}

float tile_gamma(Index d) {
    const double roundings = static_cast<double>(d + 8) * 0x1p-24;
    return roundings < 0.1 ? static_cast<float>(1.01 * roundings / (1 - roundings)) : HUGE_VALF;
}

template Frame<float> frame_of(Matrix<const float>);
template Frame<double> frame_of(Matrix<const double>);

} // namespace gramian::distance
