// The losses of a margin z with target y: value, derivative and curvature in z, for a number or a
// register of numbers. Passes, epochs and boosting use them. All functions are inlined, so unused
// results cost nothing.
// Targets are numbers or the probability of the second class; for names that end in `Signed` and
// for losses of the product y z (such as hinge) they are -1 or 1.
#pragma once

#include "core/simd/functions.hpp"

namespace gramian::losses {
namespace {

using Register = simd::Double;

template <typename Real>
struct Point {
    Real value, derivative, curvature;
};

// exp, log1p and constants for both kinds of Real. Exponents are limited to 700, so that nothing
// overflows if steps of an epoch are far too long.
inline double exp_of(double x) {
    return __builtin_exp(x < 700 ? x : 700);
}
inline Register exp_of(Register x) {
    return simd::exp(x);
}
inline double log1p_of(double x) {
    return __builtin_log1p(x);
}
inline Register log1p_of(Register x) {
    return simd::log1p(x);
}
template <typename Real>
inline Real constant(double x) {
    return x - Real{};
}

// (z - y)^2 / 2
struct Squared {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real r = z - y;
        return {0.5 * r * r, r, constant<Real>(1)};
    }
};

// |z - y|; its curvature is taken as 1. At the kink: the derivative from the right.
struct Absolute {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real one = constant<Real>(1), r = z - y;
        return {r < 0.0 ? -r : r, z >= y ? one : -one, one};
    }
};

// q (y - z) below y, (1 - q) (z - y) above; curvature and kink as for the absolute loss.
template <typename Real>
struct Quantile {
    Real q;

    Point<Real> at(Real z, Real y) const {
        const Real slope = z >= y ? 1.0 - q : -q;
        return {slope * (z - y), slope, constant<Real>(1)};
    }
};

// e^z - y z: minus the log-likelihood of a count y of mean e^z, up to log y!
struct Poisson {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real mean = exp_of(z);
        return {mean - y * z, mean - y, mean};
    }
};

// z + y e^-z: minus the log-likelihood of y > 0, gamma distributed of mean e^z
struct Gamma {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real ratio = y * exp_of(-z);
        return {z + ratio, 1.0 - ratio, ratio};
    }
};

// -y log p - (1 - y) log(1 - p) = max(z, 0) - y z + log(1 + e^-|z|), p = 1 / (1 + e^-z)
struct Logistic {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real u = exp_of(z > 0.0 ? -z : z); // p and 1 - p without cancellation
        const Real q = 1.0 / (1.0 + u);
        const Real p = z > 0.0 ? q : u * q;
        return {(z > 0.0 ? z : Real{}) - y * z + log1p_of(u), p - y, u * q * q};
    }
};

// log(1 + e^-yz)
struct LogisticSigned {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real m = y * z;
        const Real u = exp_of(m > 0.0 ? -m : m); // in (0, 1]
        const Real value = (m > 0.0 ? Real{} : -m) + log1p_of(u);
        const Real s = 1.0 + u;
        return {value, -y * (m > 0.0 ? u : constant<Real>(1)) / s, u / (s * s)};
    }
};

// (p - y)^2 / 2, p = 1 / (1 + e^-z). Far on the wrong side the curvature is negative.
struct SquaredSigmoid {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real u = exp_of(z > 0.0 ? -z : z);
        const Real q = 1.0 / (1.0 + u);
        const Real p = z > 0.0 ? q : u * q;
        const Real slope = u * q * q;
        const Real r = p - y;
        return {0.5 * r * r, r * slope, slope * (slope + r * (1.0 - 2.0 * p))};
    }
};

// y e^-z + (1 - y) e^z
struct Exponential {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real up = (1.0 - y) * exp_of(z), down = y * exp_of(-z);
        return {up + down, up - down, up + down};
    }
};

// e^-yz
struct ExponentialSigned {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real value = exp_of(-(y * z));
        return {value, -y * value, value};
    }
};

// max(0, 1 - y z)
struct Hinge {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real slack = 1.0 - y * z;
        return {slack > 0.0 ? slack : Real{}, slack > 0.0 ? -y : Real{}, Real{}};
    }
};

// max(0, epsilon - y z); the derivative at the kink is nonzero
struct Perceptron {
    double epsilon;

    template <typename Real>
    Point<Real> at(Real z, Real y) const {
        const Real m = y * z;
        return {m <= epsilon ? epsilon - m : Real{}, m <= epsilon ? -y : Real{}, Real{}};
    }
};

// max(0, 1 - y z)^2
struct SquaredHinge {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real slack = 1.0 - y * z;
        const Real paid = slack > 0.0 ? slack : Real{};
        return {paid * paid, -2.0 * y * paid, slack > 0.0 ? constant<Real>(2) : Real{}};
    }
};

// The squared hinge for y z >= -1, and its tangent beyond: -4 y z
struct ModifiedHuber {
    template <typename Real>
    static Point<Real> at(Real z, Real y) {
        const Real m = y * z;
        const Point<Real> near = SquaredHinge::at(z, y);
        return {m < -1.0 ? -4.0 * m : near.value, m < -1.0 ? -4.0 * y : near.derivative,
                m < -1.0 ? Real{} : near.curvature};
    }
};

// r^2 / 2 up to |r| = epsilon, r = z - y, and its tangent beyond
struct Huber {
    double epsilon;

    template <typename Real>
    Point<Real> at(Real z, Real y) const {
        const Real r = z - y, size = r < 0.0 ? -r : r;
        const auto near = size <= epsilon;
        const Real slope = r < 0.0 ? constant<Real>(-epsilon) : constant<Real>(epsilon);
        return {near ? 0.5 * r * r : epsilon * size - 0.5 * epsilon * epsilon, near ? r : slope,
                near ? constant<Real>(1) : Real{}};
    }
};

// max(0, |z - y| - epsilon)
struct EpsilonInsensitive {
    double epsilon;

    template <typename Real>
    Point<Real> at(Real z, Real y) const {
        const Real r = z - y, outside = (r < 0.0 ? -r : r) - epsilon;
        const Real sign = r < 0.0 ? constant<Real>(-1) : constant<Real>(1);
        return {outside > 0.0 ? outside : Real{}, outside > 0.0 ? sign : Real{}, Real{}};
    }
};

// max(0, |z - y| - epsilon)^2
struct SquaredEpsilonInsensitive {
    double epsilon;

    template <typename Real>
    Point<Real> at(Real z, Real y) const {
        const Point<Real> once = EpsilonInsensitive{epsilon}.at(z, y);
        return {once.value * once.value, 2.0 * once.derivative * once.value,
                once.value > 0.0 ? constant<Real>(2) : Real{}};
    }
};

} // namespace
} // namespace gramian::losses
