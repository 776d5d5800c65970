// The weights of the shapes of sums.hpp, by registers.
#pragma once

#include "core/kdtree/descent.hpp"
#include "core/kernel_sums/sums.hpp"
#include "core/simd/functions.hpp"

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

using namespace simd;
using namespace kdtree::GRAMIAN_ISA;

constexpr int kStep = kLanes<double>;

// Weights of exponential shape are at most e^600 and, for some row, above e^-600.
constexpr double kMaxExponent = 600;
constexpr double kOctaves = 0x1.71547652b82fep0; // 1 / log 2
// Distances to boxes have rounding errors of their own.
constexpr double kSlack = 1e-12;

template <typename Norm>
inline Double add(const Norm& norm, Double measure, Double gap) {
    return norm.add(measure, gap);
}
inline Double add(const Minkowski& norm, Double measure, Double gap) {
    for (int i = 0; i < kStep; ++i) measure[i] = norm.add(measure[i], gap[i]);
    return measure;
}

// u, the distance or its square, of a measure (a power of the distance).
template <bool Squared, typename Norm>
inline double u_of(const Norm& norm, double measure) {
    if constexpr (Squared && std::is_same_v<Norm, Euclid>) return measure;
    const double distance = norm.root(measure);
    return Squared ? distance * distance : distance;
}

// The same for a register.
template <bool Squared, typename Norm>
inline Double u_of(const Norm& norm, Double measure) {
    if constexpr (std::is_same_v<Norm, Euclid>) {
        return Squared ? measure : simd::sqrt(measure);
    } else {
        for (int i = 0; i < kStep; ++i) measure[i] = u_of<Squared>(norm, measure[i]);
        return measure;
    }
}

// An upper bound of the measure of points within u.
template <bool Squared, typename Norm>
inline double measure_of(const Norm& norm, double u) {
    return norm.power(Squared ? ::sqrt(u) : u) * (1 + kSlack);
}

// Turns registers of u into weights.
template <Shape S>
struct Weight {
    double reference, scale, reach;

    template <int U>
    void operator()(Double (&u)[U]) const {
        const Double none{};
        if constexpr (S == Shape::exponential) {
            // Rows of weight 0 may be nearer than the reference.
            for (int i = 0; i < U; ++i) {
                u[i] = min((reference - u[i]) * (scale * kOctaves),
                           broadcast(kMaxExponent * kOctaves));
            }
            exp2_to_1000(u);
        } else {
            for (int i = 0; i < U; ++i) {
                if constexpr (S == Shape::box) {
                    u[i] = u[i] < reach ? none + 1.0 : none;
                } else if constexpr (S == Shape::slope) {
                    u[i] = u[i] < reach ? 1.0 - u[i] * scale : none;
                } else {
                    u[i] = u[i] < reach ? quarter_cosine(u[i] * scale) : none;
                }
            }
        }
    }
};

} // namespace
} // namespace gramian::kernel_sums::GRAMIAN_ISA
