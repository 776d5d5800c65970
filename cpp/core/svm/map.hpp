// The kernel of products, a register at a time; for the kernel files.
#pragma once

#include "core/simd/functions.hpp"
#include "core/simd/functions_single.hpp"
#include "core/svm/kernel.hpp"

namespace gramian::svm {
namespace {

using simd::narrow;
using simd::Vec;

template <Form form>
inline Vec<double> map_wide(const Kernel& k, Vec<double> product) {
    if constexpr (form == Form::linear) return product;
    const Vec<double> z = k.gamma * product + k.coef0;
    if constexpr (form == Form::sigmoid) {
        return 1.0 - 2.0 / (simd::exp(2.0 * z) + 1.0);
    }
    Vec<double> power = simd::broadcast(1.0), base = z;
    for (int left = k.degree; left > 0; left >>= 1) {
        if (left & 1) power *= base;
        base *= base;
    }
    return power;
}

// product + norms -> kernel values, in double precision.
template <Form form>
inline Vec<double> map_exact(const Kernel& k, Vec<double> product, Vec<double> norms) {
    if constexpr (form == Form::rbf) {
        return simd::exp(simd::max(norms - 2.0 * product, Vec<double>{}) * -k.gamma);
    } else {
        return map_wide<form>(k, product);
    }
}

// product + norms -> kernel values; of two registers of doubles, which make one of floats.
template <Form form>
inline Vec<float> map_pair(const Kernel& k, Vec<double> low, Vec<double> high, Vec<double> norm_low,
                           Vec<double> norm_high) {
    if constexpr (form == Form::rbf) {
        const Vec<double> zero = {};
        const Vec<double> a = simd::max(norm_low - 2.0 * low, zero) * -k.gamma;
        const Vec<double> b = simd::max(norm_high - 2.0 * high, zero) * -k.gamma;
        const Vec<double> least = simd::broadcast(-1000.0); // of which exp is 0 in float32
        return simd::exp_of_negative(narrow(simd::max(a, least), simd::max(b, least)));
    } else {
        return narrow(map_wide<form>(k, low), map_wide<form>(k, high));
    }
}

} // namespace
} // namespace gramian::svm
