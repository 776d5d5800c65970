#include "core/medoids/medoids.hpp"
#include "core/simd/register.hpp"

namespace gramian::medoids::GRAMIAN_ISA {
namespace {

using namespace simd;

using Double = Vec<double>;
using Float = Vec<float>;
constexpr int kStep = kLanes<double>;
constexpr int kFloats = kLanes<float>;

// What one object at distance d from the candidate changes; returns the candidate's gain. Which of
// the medoids is nearer cannot be guessed, so there is no branch.
inline double look(const TrialCall& call, Index o, double d) {
    const double first = call.first[o];
    const double w = call.weights ? call.weights[o] : 1.0;
    const double change = (d > first ? d : first) - call.second[o];
    const double gain = d - first;
    call.changes[call.nearest[o]] += w * (change < 0 ? change : 0.0);
    return w * (gain < 0 ? gain : 0.0);
}

double trial(const TrialCall& call, const double* row) {
    double gained = 0;
    Index o = 0;
    for (; o + 4 * kStep <= call.n; o += 4 * kStep) {
        unsigned bits = 0;
        for (int u = 0; u < 4; ++u) {
            const Index at = o + u * kStep;
            bits |= mask_bits(load(row + at) < load(call.second + at)) << (u * kStep);
        }
        for (; bits; bits &= bits - 1) {
            const Index at = o + __builtin_ctz(bits);
            gained += look(call, at, row[at]);
        }
    }
    for (; o < call.n; ++o) gained += look(call, o, row[o]);
    return gained;
}

double measured_trial(const TrialCall& call, const MeasuredCandidate& candidate) {
    constexpr int kChains = 4;
    constexpr Index kWide = kChains * kFloats;
    double gained = 0;
    for (Index o = 0; o < call.n; o += kWide) {
        Float total[kChains] = {};
        for (Index t = 0; t < candidate.d; ++t) {
            const float* x = candidate.coarse + t * candidate.stride + o;
            for (int u = 0; u < kChains; ++u) {
                const Float gap = candidate.coarse_query[t] - load(x + u * kFloats);
                total[u] = gap * gap + total[u];
            }
        }
        // Written so that NaN, from a difference of infinities, rules nothing out.
        unsigned far = 0;
        for (int u = 0; u < kChains; ++u) {
            const Float limit = load(candidate.limits + o + u * kFloats);
            far |= mask_bits(total[u] - candidate.doubt > limit) << (u * kFloats);
        }
        const Index here = call.n - o < kWide ? call.n - o : kWide;
        for (unsigned bits = ~far & (~0u >> (32 - here)); bits; bits &= bits - 1) {
            const Index at = o + __builtin_ctz(bits);
            const double* const x = candidate.rows + at * candidate.d;
            double square = 0;
            for (Index t = 0; t < candidate.d; ++t) {
                const double gap = x[t] - candidate.query[t];
                square = gap * gap + square;
            }
            gained += look(call, at, __builtin_sqrt(square));
        }
    }
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
const MedoidKernels medoid_kernel_table = {trial, measured_trial, gain, sum};

} // namespace gramian::medoids::GRAMIAN_ISA
