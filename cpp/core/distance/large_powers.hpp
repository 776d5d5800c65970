// Minkowski distances of large powers, whose sums of powers would leave the range of numbers: with
// p = 100 a difference of 1e-4 has the power 0, one of 1e4 is infinite.
#pragma once

#include <float.h>
#include <math.h>

namespace gramian::distance {
// Kernels of every instruction set have their own copy.
namespace {

// Up to it differences between 1e-19 and 1e19 have powers that are numbers.
constexpr double kLargestPower = 16;

// (a^p + b^p)^(1/p) of numbers that are not negative: the larger one times a factor near 1.
inline double joined_length(double a, double b, double p) {
    const double large = a < b ? b : a, small = a < b ? a : b;
    if (!(small > 0) || large > DBL_MAX) return large;
    const double ratio = pow(small / large, p);
    return ratio < 0x1p-53 ? large : large * exp(log1p(ratio) / p);
}

} // namespace
} // namespace gramian::distance
