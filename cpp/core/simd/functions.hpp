// exp and log(1 + x) of a register of doubles, to within two units in the last place.
#pragma once

#include "core/simd/register.hpp"

namespace gramian::simd {
namespace {

using Double = Vec<double>;
using Bits = Vec<std::int64_t>;

// c[0] + c[1] x + ... + c[N - 1] x^(N - 1), by Horner's rule.
template <int N>
inline Double polynomial(Double x, const double (&c)[N]) {
    Double p = broadcast(c[N - 1]);
    for (int i = N - 2; i >= 0; --i) p = p * x + c[i];
    return p;
}

// e^x = 2^k e^r with k the integer nearest to x / ln 2, so that |r| <= ln(2) / 2, where the
// Taylor polynomial of degree 13 is right to 4e-18. Below -708 the result is 0 (a result that
// is subnormal is flushed), above 709.78 it is infinity.
inline Double exp(Double x) {
    constexpr double inverse_factorials[] = {1.0,
                                             1.0,
                                             1.0 / 2,
                                             1.0 / 6,
                                             1.0 / 24,
                                             1.0 / 120,
                                             1.0 / 720,
                                             1.0 / 5040,
                                             1.0 / 40320,
                                             1.0 / 362880,
                                             1.0 / 3628800,
                                             1.0 / 39916800,
                                             1.0 / 479001600,
                                             1.0 / 6227020800.0};
    constexpr double shift = 0x1.8p52; // adding it rounds to an integer, kept in the low bits
    constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    const Double inside = min(max(x, broadcast(-708.0)), broadcast(710.0));
    const Double shifted = inside * 0x1.71547652b82fep0 + shift;
    const Double k = shifted - shift;
    const Double r = (inside - k * ln2_high) - k * ln2_low;
    // 2^k as 2 * 2^(k - 1), because k may be 1024 just below the largest result
    const Bits half_power = ((Bits)shifted << 52) + (std::int64_t(1022) << 52);
    const Double result = polynomial(r, inverse_factorials) * (Double)half_power * 2.0;
    const Double infinity = broadcast(__builtin_inf());
    const Double bounded = x > 709.782712893384 ? infinity : x < -708.0 ? Double{} : result;
    return x == x ? bounded : x; // NaN stays NaN
}

// e^x for x <= 700, as above but for fewer instructions: below -708 the result is about 3e-308,
// NaN is not looked for, and e^r = 1 + r + r^2 q(r) with the q of degree 9 that is right to 2e-17.
// Of several registers at once, so that one waits while another is computed.
template <int U>
inline void exp_to_700(Double (&x)[U]) {
    constexpr double q[] = {0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d63p-5,
                            0x1.11111111109b3p-7,  0x1.6c16c1788bd90p-10, 0x1.a01a01a7c41d5p-13,
                            0x1.a019b90d2ae7ap-16, 0x1.71de0dae63bb3p-19, 0x1.289185613a3d6p-22,
                            0x1.af38a9b0ec855p-26};
    constexpr double shift = 0x1.8p52;
    constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
    Double power[U], e[U];
    for (int i = 0; i < U; ++i) {
        const Double inside = max(x[i], broadcast(-708.0));
        const Double shifted = inside * 0x1.71547652b82fep0 + shift;
        const Double k = shifted - shift;
        x[i] = (inside - k * ln2_high) - k * ln2_low;
        power[i] = (Double)(((Bits)shifted << 52) + (std::int64_t(1023) << 52));
        e[i] = broadcast(q[9]);
    }
    for (int j = 8; j >= 0; --j) {
        for (int i = 0; i < U; ++i) e[i] = e[i] * x[i] + q[j];
    }
    for (int i = 0; i < U; ++i) x[i] = ((e[i] * x[i] + 1.0) * x[i] + 1.0) * power[i];
}

// 2^x for x <= 1000, of several registers at once; below -1020 the result is about 1e-307, NaN is
// not looked for. 2^x = 2^k 2^f with k the integer nearest to x, f = x - k without rounding, and
// 2^f = 1 + f c(f) with the c of degree 10 that is right to 2e-17; k is added to the exponent.
template <int U>
inline void exp2_to_1000(Double (&x)[U]) {
    constexpr double c[] = {0x1.62e42fefa39efp-1,  0x1.ebfbdff82c598p-3,  0x1.c6b08d704a0c2p-5,
                            0x1.3b2ab6fba1ddap-7,  0x1.5d87fe78a5276p-10, 0x1.430913096fd9fp-13,
                            0x1.ffcbfc670dcd4p-17, 0x1.62bfd47773353p-20, 0x1.b524fae627834p-24,
                            0x1.e6063f7217bc6p-28, 0x1.e9d3fe3952179p-32};
    constexpr double shift = 0x1.8p52;
    Bits power[U];
    Double p[U];
    for (int i = 0; i < U; ++i) {
        const Double inside = max(x[i], broadcast(-1020.0));
        const Double shifted = inside + shift;
        x[i] = inside - (shifted - shift);
        power[i] = (Bits)shifted << 52;
        p[i] = broadcast(c[10]);
    }
    for (int j = 9; j >= 0; --j) {
        for (int i = 0; i < U; ++i) p[i] = p[i] * x[i] + c[j];
    }
    for (int i = 0; i < U; ++i) {
        p[i] = p[i] * x[i] + 1.0;
        x[i] = (Double)((Bits)p[i] + power[i]);
    }
}

// cos(pi t / 2) for t in [0, 1], to about 1e-16: the Taylor polynomial of degree 22.
inline Double quarter_cosine(Double t) {
    constexpr double c[] = {1.0,
                            -1.0 / 2,
                            1.0 / 24,
                            -1.0 / 720,
                            1.0 / 40320,
                            -1.0 / 3628800,
                            1.0 / 479001600,
                            -1.0 / 87178291200.0,
                            1.0 / 20922789888000.0,
                            -1.0 / 6402373705728000.0,
                            1.0 / 2432902008176640000.0,
                            -1.0 / 1.1240007277776077e21};
    const Double x = t * 1.5707963267948966;
    return polynomial(x * x, c);
}

// log(1 + u) for u in [0, 1]: with s = u / (2 + u) it is 2 artanh(s) = 2 (s + s^3/3 + ...).
// Above sqrt(2) - 1 it is log 2 + log((1 + u) / 2) instead, so that s^2 <= 0.0295 throughout.
inline Double log1p(Double u) {
    constexpr double odd[] = {1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11,
                              1.0 / 13, 1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21};
    const auto large = u > 0.41421356237309503;
    const Double s = 2.0 * (large ? u - 1.0 : u) / (large ? u + 3.0 : u + 2.0); // twice the s above
    const Double square = 0.25 * s * s;
    const Double log_of_rest = s + s * (square * polynomial(square, odd));
    // log 2 in two parts: its rounding would cost the last digit
    return large ? (log_of_rest + 2.3190468138462996e-17) + 0.6931471805599453 : log_of_rest;
}

} // namespace
} // namespace gramian::simd
