// Conjugates of the losses of margin.hpp, and their minima over one dual variable, for coordinate
// descent on the dual.
// With beta_i the dual variable of row i, w = sum_i beta_i x_i, the dual of
// min |w|^2 / 2 + sum_i c_i l(x_i . w + b, y_i) adds to |w|^2 / 2, for each row, c_i l*(-beta_i /
// c_i):
//
//   box       min over beta in [lower, upper] of  ridge beta^2 / 2 - target beta + epsilon |beta|
//             plus the square |w|^2 / 2.  Hinge: target y, [0, c] or [-c, 0] by the sign of y;
//             squared hinge: no bound there, ridge 1 / (2 c); epsilon-insensitive: [-c, c].
//   logistic  target y = -1 or 1, c = upper: beta = y alpha with 0 <= alpha <= c and the entropy
//             of alpha / c in place of the line.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <cstring>

namespace gramian::losses {

enum class Dual : int { box, logistic };

// The data of a row that a coordinate step reads and writes, in one cache line.
struct Coordinate {
    double norm; // |x_i|^2, with the column of ones
    double target;
    double lower, upper;
    double ridge;
    double beta;
};
constexpr Index kCoordinateFields = 6;

namespace {

// The conjugate of the logistic loss of a target 0 or 1 at a probability q.
inline double logistic_conjugate(double q) {
    if (q <= 0 || q >= 1) return 0;
    return q * __builtin_log(q) + (1 - q) * __builtin_log1p(-q);
}

constexpr double kEnough = 0.2; // the error after a Newton step of this size is about its square
// Part of a step taken beyond it (successive over-relaxation: Young 1954).
constexpr double kBeyondBox = 0.3; // saves about one sweep in five
constexpr double kFlat = 1e-300;   // curvature of a row of zeros, whose step ends at a bound

inline double least(double a, double b) {
    return a < b ? a : b;
}
inline double most(double a, double b) {
    return a > b ? a : b;
}
inline double between(double low, double x, double high) {
    return least(most(x, low), high);
}

// The processor computes the margin of the next row while it waits for this one, unless a branch is
// mispredicted. So the code below has few branches, and nearly all of them are predictable.

// beta <- the minimiser of (norm + ridge) b^2 / 2 + ... in its interval, a clipped and, with a
// tube, soft-thresholded Newton step, with over-relaxation.
// `slope` is the derivative without the tube.
struct BoxDual {
    static double step(const Coordinate& c, double slope, double epsilon) {
        const double curvature = most(c.norm + c.ridge, kFlat);
        const double pull = curvature * c.beta - slope; // minus the derivative at beta = 0
        const double thresholded = most(pull - epsilon, 0.0) + least(pull + epsilon, 0.0);
        const double next = between(c.lower, thresholded / curvature, c.upper);
        double beyond = between(c.lower, next + kBeyondBox * (next - c.beta), c.upper);
        if (epsilon > 0 && next * beyond <= 0) beyond = next; // the kink at 0 ends a step
        return beyond - c.beta;
    }

    // The violation of the optimality conditions by a row that moves.
    static double violation(const Coordinate& c, double slope, double epsilon, double change) {
        return __builtin_fabs(slope + __builtin_copysign(epsilon, c.beta != 0 ? c.beta : change));
    }

    // By how much a row at a bound, or at the kink at 0, satisfies them strictly.
    static double slack(const Coordinate& c, double slope, double epsilon) {
        const double infinity = __builtin_inf();
        const double up = c.beta < c.upper ? slope + (c.beta < 0 ? -epsilon : epsilon) : infinity;
        const double down = c.beta > c.lower ? (c.beta > 0 ? -epsilon : epsilon) - slope : infinity;
        return least(up, down);
    }
};

// For alpha = y beta the optimum of the coordinate is the margin m' (of y z) that solves
//     m' = m + a (c s(-m') - alpha),   a = |x|^2,  s(t) = 1 / (1 + e^-t),
// after which alpha' = c s(-m'). The function h(m') = m' - m - a (c s(-m') - alpha) increases, is
// convex below 0 and concave above. Newton's method, restricted to the side of 0 where the root
// lies, converges monotonically after the first step.
struct LogisticDual {
    // e^x for x <= 0, with relative error 1e-14. Estrin's scheme shortens the chain of dependent
    // operations, of which this is the longest part. Below -700 the result is e^-700.
    static double exp_of_negative(double x) {
        constexpr double shift = 0x1.8p52; // adding it rounds to an integer, kept in the low bits
        const double inside = most(x, -700.0);
        const double shifted = inside * 0x1.71547652b82fep0 + shift;
        const double k = shifted - shift;
        const double r = (inside - k * 0x1.62e42fefa38p-1) - k * 0x1.ef35793c7673p-45;
        const double r2 = r * r, r4 = r2 * r2;
        const double low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6));
        const double middle = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720 + r * (1.0 / 5040));
        const double high =
            (1.0 / 40320 + r * (1.0 / 362880)) + r2 * (1.0 / 3628800 + r * (1.0 / 39916800));
        std::int64_t bits;
        std::memcpy(&bits, &shifted, sizeof bits);
        bits = (bits << 52) + (std::int64_t(1023) << 52);
        double power;
        std::memcpy(&power, &bits, sizeof power);
        return (low + r4 * (middle + r4 * high)) * power;
    }

    static double sigmoid(double t) {
        const double u = exp_of_negative(-__builtin_fabs(t)); // at most 1
        return most(u, t > 0 ? 1.0 : 0.0) / (1.0 + u);
    }

    // Returns the new alpha; `off` is the distance of the old one from c s(-m).
    static double solve(double m, double a, double c, double alpha, double& off) {
        double share = sigmoid(-m);
        off = c * share - alpha;
        const bool positive = m + a * (0.5 * c - alpha) > 0;
        double x = m;
        if ((m > 0) != positive) {
            x = 0;
            share = 0.5;
        }
        for (int iteration = 0; iteration < 20; ++iteration) {
            const double h = x - m - a * (c * share - alpha);
            double next = x - h / (1.0 + a * c * share * (1.0 - share));
            if ((next > 0) != positive) next = 0;
            const double change = next - x;
            x = next;
            if (change < kEnough && change > -kEnough) {
                const double linear = alpha + (x - m) / a;
                if (a > 0 && linear > 0 && linear < c) return linear;
                break;
            }
            share = sigmoid(-x);
        }
        return c * sigmoid(-x);
    }
};

} // namespace
} // namespace gramian::losses
