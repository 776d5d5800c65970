#include "core/medoids/medoids.hpp"
#include "core/simd/register.hpp"

namespace gramian::medoids::GRAMIAN_ISA {
namespace {

using namespace simd;

using Double = Vec<double>;
using Float = Vec<float>;
constexpr int kStep = kLanes<double>;
constexpr int kFloats = kLanes<float>;

// Adds the change due to one object at distance d from the candidate; returns the candidate's gain.
// There is no branch, because it would be mispredicted.
inline double swap_gain(const TrialCall& call, Index o, double d) {
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
            gained += swap_gain(call, at, row[at]);
        }
    }
    for (; o < call.n; ++o) gained += swap_gain(call, o, row[o]);
    return gained;
}

// The sum of the lanes of two registers at a time, in float64.
struct WideSum {
    Double low{}, high{};

    void add(Float v) {
        float lanes[kFloats];
        store(lanes, v);
        low += load_wide(lanes);
        high += load_wide(lanes + kStep);
    }
    double total() const { return simd::sum<double>(low + high); }
};

double coarse_trial(const CoarseTrialCall& call) {
    constexpr int kChains = 4;
    constexpr Index kWide = kChains * kFloats;
    static_assert(kGroup % kWide == 0);
    WideSum gained;
    for (Index o = 0; o < call.stride; o += kWide) {
        Float square[kChains] = {};
        for (Index t = 0; t < call.d; ++t) {
            const float* x = call.columns + t * call.stride + o;
            for (int u = 0; u < kChains; ++u) {
                const Float gap = call.query[t] - load(x + u * kFloats);
                square[u] = gap * gap + square[u];
            }
        }
        unsigned near = 0;
        for (int u = 0; u < kChains; ++u) {
            const Float second = load(call.second + o + u * kFloats);
            near |= mask_bits(square[u] < second * second) << (u * kFloats);
        }
        if (!near) continue;
        Float change[kChains], changed{}, gain{};
        for (int u = 0; u < kChains; ++u) {
            const Index at = o + u * kFloats;
            const Float d = sqrt(square[u]), first = load(call.first + at);
            const Float w = call.weights ? load(call.weights + at) : broadcast(1.0f);
            change[u] = w * min(max(d, first) - load(call.second + at), Float{});
            changed += change[u];
            gain += w * min(d - first, Float{});
        }
        gained.add(gain);
        const std::int32_t shared = call.shared[o / kGroup];
        if (shared >= 0) {
            call.changes[shared] += static_cast<double>(simd::sum<float>(changed));
            continue;
        }
        for (; near; near &= near - 1) {
            const int lane = __builtin_ctz(near);
            call.changes[call.nearest[o + lane]] +=
                static_cast<double>(change[lane / kFloats][lane % kFloats]);
        }
    }
    return gained.total();
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
const MedoidKernels medoid_kernel_table = {trial, coarse_trial, gain, sum};

} // namespace gramian::medoids::GRAMIAN_ISA
