#include "core/medoids/medoids.hpp"
#include "core/simd/register.hpp"

namespace gramian::medoids::GRAMIAN_ISA {
namespace {

using namespace simd;

using Double = Vec<double>;
constexpr int kStep = kLanes<double>;

double trial(const TrialCall& call) {
    double gained = 0;
    const auto look = [&](Index o) {
        const double d = call.row[o];
        if (!(d < call.second[o])) return;
        const double w = call.weights ? call.weights[o] : 1.0;
        double* const change = call.changes + call.nearest[o];
        if (d < call.first[o]) {
            gained += w * (d - call.first[o]);
            *change += w * (call.first[o] - call.second[o]);
        } else {
            *change += w * (d - call.second[o]);
        }
    };
    Index o = 0;
    for (; o + 4 * kStep <= call.n; o += 4 * kStep) {
        unsigned bits = 0;
        for (int u = 0; u < 4; ++u) {
            const Index at = o + u * kStep;
            bits |= mask_bits(load(call.row + at) < load(call.second + at)) << (u * kStep);
        }
        for (; bits; bits &= bits - 1) look(o + __builtin_ctz(bits));
    }
    for (; o < call.n; ++o) look(o);
    return gained;
}

// Four chains, so that the order of the sum is the same for every number of threads.
template <typename Of>
inline double sum_of(const double* weights, Index n, const Of& of) {
    Double total[4] = {};
    Index o = 0;
    for (; o + 4 * kStep <= n; o += 4 * kStep) {
        for (int u = 0; u < 4; ++u) {
            const Index at = o + u * kStep;
            const Double value = of(at, Double{});
            total[u] += weights ? value * load(weights + at) : value;
        }
    }
    double rest = simd::sum<double>((total[0] + total[1]) + (total[2] + total[3]));
    for (; o < n; ++o) rest += of(o, 0.0) * (weights ? weights[o] : 1.0);
    return rest;
}

inline double at(const double* p, Index o, double) {
    return p[o];
}
inline Double at(const double* p, Index o, Double) {
    return load(p + o);
}

double gain(const double* row, const double* weights, const double* first, Index n) {
    return sum_of(weights, n, [&](Index o, auto kind) {
        const auto less = at(first, o, kind) - at(row, o, kind);
        return less > 0 ? less : less * 0;
    });
}

double sum(const double* row, const double* weights, Index n) {
    return sum_of(weights, n, [&](Index o, auto kind) { return at(row, o, kind); });
}

} // namespace

extern const MedoidKernels medoid_kernel_table;
const MedoidKernels medoid_kernel_table = {trial, gain, sum};

} // namespace gramian::medoids::GRAMIAN_ISA
