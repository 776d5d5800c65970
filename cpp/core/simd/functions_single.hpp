// exp of a register of floats.
#pragma once

#include "core/simd/register.hpp"

namespace gramian::simd {
namespace {

using Float = Vec<float>;

// e^x for x <= 0, to about 1e-7 of the result: 2^k e^r as for doubles (functions.hpp), with the
// Taylor polynomial of degree 7. Below -87 the result is 0; NaN stays NaN.
inline Float exp_of_negative(Float x) {
    constexpr float shift = 0x1.8p23F;
    constexpr float ln2_high = 0x1.62e4p-1F, ln2_low = 0x1.7f7d1cp-20F;
    constexpr float inverse_factorials[] = {1.0F,      1.0F,       1.0F / 2,   1.0F / 6,
                                            1.0F / 24, 1.0F / 120, 1.0F / 720, 1.0F / 5040};
    const Float inside = max(x, broadcast(-87.0F));
    const Float shifted = inside * 0x1.715476p0F + shift;
    const Float k = shifted - shift;
    const Float r = (inside - k * ln2_high) - k * ln2_low;
    Float p = broadcast(inverse_factorials[7]);
    for (int i = 6; i >= 0; --i) p = p * r + inverse_factorials[i];
    const Vec<std::int32_t> power = ((Vec<std::int32_t>)shifted << 23) + (127 << 23);
    const Float result = x < -87.0F ? Float{} : p * (Float)power;
    return x == x ? result : x;
}

} // namespace
} // namespace gramian::simd
