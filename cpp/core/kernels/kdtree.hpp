// What the searches of the k-d tree share: norms, distances of boxes and of leaves.
//
// Sums are evaluated as written, without fused multiply-adds (CMakeLists.txt says so for these
// files): a box then never measures more than a point inside it, and every instruction set
// gives the same bits.
#pragma once

#include "core/kdtree.hpp"
#include "core/kernels/simd.hpp"

#include <math.h>

namespace gramian::GRAMIAN_ISA {
namespace {

using Wide = Vec<double>;
constexpr int kWide = kLanes<double>;
static_assert(kLeafPad % kWide == 0);

typedef double Pair __attribute__((vector_size(16)));
typedef float HalfRegister __attribute__((vector_size(kRegisterBytes / 2)));

template <typename V>
inline V absolute(V v) {
    return v < 0 ? -v : v;
}

// A norm adds the term of one feature to the measure of the features before it. The measure is
// |x|^p, so that no root is taken during the search. Where the norm's own arithmetic may not be
// monotone in the last bit, `slack` is the relative error that pruning has to allow for.
struct Manhattan {
    static constexpr double slack = 0;
    template <typename V>
    V add(V measure, V gap) const {
        return measure + absolute(gap);
    }
    double power(double distance) const { return distance; }
    double root(double measure) const { return measure; }
};

struct Euclid {
    static constexpr double slack = 0;
    template <typename V>
    V add(V measure, V gap) const {
        return measure + gap * gap;
    }
    double power(double distance) const { return distance * distance; }
    double root(double measure) const { return sqrt(measure); }
};

struct Chebyshev {
    static constexpr double slack = 0;
    template <typename V>
    V add(V measure, V gap) const {
        return max(measure, absolute(gap));
    }
    double power(double distance) const { return distance; }
    double root(double measure) const { return measure; }
};

struct Minkowski {
    static constexpr double slack = 1e-14;
    double p;
    template <typename V>
    V add(V measure, V gap) const {
        constexpr int lanes = sizeof(V) / sizeof(double);
        for (int i = 0; i < lanes; ++i) measure[i] += pow(fabs(gap[i]), p);
        return measure;
    }
    double power(double distance) const { return pow(distance, p); }
    double root(double measure) const { return pow(measure, 1 / p); }
};

template <typename T>
inline Index leaf_count(const KdTree<const T>& tree) {
    return Index{1} << tree.levels;
}

template <typename T>
inline Index leaf_begin(const KdTree<const T>& tree, Index leaf) {
    return (leaf * tree.n) >> tree.levels;
}

template <typename T>
inline const T* leaf_points(const KdTree<const T>& tree, Index leaf) {
    return tree.points + leaf * tree.dims * tree.capacity;
}

template <typename T>
inline const T* child_boxes(const KdTree<const T>& tree, Index node) {
    return tree.boxes + (node - 1) * tree.dims * 4;
}

inline Wide load_wide(const double* x) {
    return load(x);
}

inline Wide load_wide(const float* x) {
    HalfRegister half;
    std::memcpy(&half, x, sizeof half);
    return __builtin_convertvector(half, Wide);
}

template <typename T>
inline Pair load_pair(const T* x) {
    return Pair{static_cast<double>(x[0]), static_cast<double>(x[1])};
}

// The measures of the nearest points of two sibling boxes.
template <int D, typename T, typename Norm>
inline Pair nearest_of_boxes(const T* boxes, const double* query, Index dims, const Norm& norm) {
    Pair measure{};
    for (Index j = 0; j < (D ? D : dims); ++j) {
        const Pair q = {query[j], query[j]};
        const Pair low = load_pair(boxes + 4 * j), high = load_pair(boxes + 4 * j + 2);
        measure = norm.add(measure, max(max(low - q, q - high), Pair{}));
    }
    return measure;
}

// The measures of the farthest points of two sibling boxes.
template <int D, typename T, typename Norm>
inline Pair farthest_of_boxes(const T* boxes, const double* query, Index dims, const Norm& norm) {
    Pair measure{};
    for (Index j = 0; j < (D ? D : dims); ++j) {
        const Pair q = {query[j], query[j]};
        const Pair low = load_pair(boxes + 4 * j), high = load_pair(boxes + 4 * j + 2);
        measure = norm.add(measure, max(q - low, high - q));
    }
    return measure;
}

constexpr Index kAbandon = 16; // features between looks at whether any point is left

// Measures U registers of points; bit i of the result says that point i is within `limit`.
// Padding measures NaN, which is within nothing.
template <int D, int U, typename T, typename Norm>
inline unsigned measure_points(const T* points, Index capacity, const double* query, Index dims,
                               const Norm& norm, double limit, double* measures) {
    Wide measure[U];
    for (int u = 0; u < U; ++u) measure[u] = Wide{};
    unsigned bits = 0;
    for (Index from = 0; from < (D ? D : dims); from += kAbandon) {
        const Index to = D ? D : from + kAbandon < dims ? from + kAbandon : dims;
        for (Index j = from; j < to; ++j) {
            const T* x = points + j * capacity;
            for (int u = 0; u < U; ++u) {
                measure[u] = norm.add(measure[u], load_wide(x + u * kWide) - query[j]);
            }
        }
        bits = 0;
        for (int u = 0; u < U; ++u) bits |= mask_bits(measure[u] <= limit) << (u * kWide);
        if (bits == 0) return 0;
    }
    for (int u = 0; u < U; ++u) store(measures + u * kWide, measure[u]);
    return bits;
}

// Measures a leaf; take(i, measure) for each point i that was within limit() when its group of
// registers was measured.
template <int D, int Group, typename T, typename Norm, typename Limit, typename Take>
inline void measure_leaf(const T* points, Index capacity, const double* query, Index dims,
                         const Norm& norm, const Limit& limit, const Take& take) {
    double measures[Group * kWide];
    const auto group = [&]<int U>(Index at) {
        unsigned bits =
            measure_points<D, U>(points + at, capacity, query, dims, norm, limit(), measures);
        for (; bits; bits &= bits - 1) {
            const int i = __builtin_ctz(bits);
            take(at + i, measures[i]);
        }
    };
    Index at = 0;
    for (; at + Group * kWide <= capacity; at += Group * kWide) {
        group.template operator()<Group>(at);
    }
    for (; at + 2 * kWide <= capacity; at += 2 * kWide) group.template operator()<2>(at);
    for (; at < capacity; at += kWide) group.template operator()<1>(at);
}

// run.template operator()<D>(norm) for the norm of order p and the number of features, which
// is compiled in where it pays: the Euclidean norm in 2, 3 and 4 dimensions.
template <typename Run>
inline void with_norm(double p, Index dims, const Run& run) {
    if (p == 2) {
        switch (dims) {
        case 2:
            return run.template operator()<2>(Euclid{});
        case 3:
            return run.template operator()<3>(Euclid{});
        case 4:
            return run.template operator()<4>(Euclid{});
        default:
            return run.template operator()<0>(Euclid{});
        }
    }
    if (p == 1) return run.template operator()<0>(Manhattan{});
    if (p == HUGE_VAL) return run.template operator()<0>(Chebyshev{});
    return run.template operator()<0>(Minkowski{p});
}

} // namespace
} // namespace gramian::GRAMIAN_ISA
