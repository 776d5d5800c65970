// Minkowski distances for large p, whose sums of powers would overflow or underflow: with p = 100
// the power of a difference of 1e-4 is 0, that of 1e4 is infinite.
#pragma once

#include <float.h>
#include <math.h>

namespace gramian::distance {
// Kernels of every instruction set have their own copy.
namespace {

// Up to this p the powers of differences between 1e-19 and 1e19 are finite and not 0.
constexpr double kLargestPower = 16;

// (a^p + b^p)^(1/p) for a, b >= 0: the larger one times a factor near 1.
inline double p_norm_of_pair(double a, double b, double p) {
    const double large = a < b ? b : a, small = a < b ? a : b;
    if (!(small > 0) || large > DBL_MAX) return large;
    const double ratio = pow(small / large, p);
    return ratio < 0x1p-53 ? large : large * exp(log1p(ratio) / p);
}

} // namespace
} // namespace gramian::distance
