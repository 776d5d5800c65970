// Shared by the searches of the k-d tree: norms, and distances to boxes and leaves.
//
// Sums are evaluated as written, without fused multiply-adds (CMakeLists.txt turns them off for
// these files). A box then never measures more than a point inside it, and every instruction set
// gives the same bits.
#pragma once

#include "core/distance/minkowski.hpp"
#include "core/kdtree/search.hpp"
#include "core/simd/register.hpp"

#include <float.h>
#include <math.h>

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

using Floats = Vec<float>;
constexpr int kFloats = kLanes<float>;
static_assert(kLeafPad % kFloats == 0);

typedef double Pair __attribute__((vector_size(16)));

template <typename V>
inline V magnitude(V v) {
    return v < 0 ? -v : v;
}

template <typename V>
inline V larger(V a, V b) {
    return a > b ? a : b;
}

template <typename V>
inline V smaller(V a, V b) {
    return a < b ? a : b;
}

// A norm adds the term of one feature to the measure of the features before it. The measure is
// |x|^p, so that the search takes no roots. If the arithmetic of the norm may not be monotone in
// the last bit, `slack` is the relative error that pruning must allow for.
//
// `Coarse` is the norm in which single precision rules out points; coarse(measure, error) is at
// least the coarse measure of any t + e with |t| of that measure and |e| at most `error`.
struct Manhattan {
    static constexpr double slack = 0;
    using Coarse = Manhattan;
    template <typename V>
    V add(V measure, V gap) const {
        return measure + magnitude(gap);
    }
    double power(double distance) const { return distance; }
    double root(double measure) const { return measure; }
    double coarse(double measure, double error, Index) const { return measure + error; }
};

struct Euclid {
    static constexpr double slack = 0;
    using Coarse = Euclid;
    template <typename V>
    V add(V measure, V gap) const {
        return measure + gap * gap;
    }
    double power(double distance) const { return distance * distance; }
    double root(double measure) const { return ::sqrt(measure); }
    // (r + e)^2 <= r^2 (1 + c) + e^2 (1 + 1 / c), which takes no root.
    double coarse(double measure, double error, Index) const {
        constexpr double c = 1.0 / (1 << 20);
        return measure * (1 + c) + error * error * (1 + 1 / c);
    }
};

struct Chebyshev {
    static constexpr double slack = 0;
    using Coarse = Chebyshev;
    template <typename V>
    V add(V measure, V gap) const {
        return larger(measure, magnitude(gap));
    }
    double power(double distance) const { return distance; }
    double root(double measure) const { return measure; }
    double coarse(double measure, double error, Index) const { return measure + error; }
};

// For large p the measure is the distance itself, because its powers overflow or underflow.
struct Minkowski {
    static constexpr double slack = 1e-13;
    using Coarse = Euclid;
    double p;
    bool is_large() const { return p > distance::kLargestPower; }
    double add(double measure, double gap) const {
        if (is_large()) return distance::p_norm_of_pair(measure, fabs(gap), p);
        return measure + pow(fabs(gap), p);
    }
    Pair add(Pair measure, Pair gap) const {
        return Pair{add(measure[0], gap[0]), add(measure[1], gap[1])};
    }
    double power(double distance) const { return is_large() ? distance : pow(distance, p); }
    double root(double measure) const { return is_large() ? measure : pow(measure, 1 / p); }
    // Hoelder: |x|_2 <= d^(1/2 - 1/p) |x|_p for p > 2, and |x|_2 <= |x|_p below.
    double coarse(double measure, double error, Index dims) const {
        const double widen = p > 2 ? pow(static_cast<double>(dims), 0.5 - 1 / p) : 1;
        const double distance = root(measure) * widen * (1 + slack);
        return Euclid{}.coarse(distance * distance, error, dims);
    }
};

// The tree without the rows. Only exact measures depend on the type of the rows (float or double),
// so the search code is compiled once for both.
struct Boxes {
    const std::int32_t* order;
    const float* points;
    const float* spread;
    const float* boxes;
    const std::int32_t* first;
    Index n, dims, levels, capacity;

    template <typename T>
    explicit Boxes(const Tree<const T>& tree)
        : order(tree.order), points(tree.points), spread(tree.spread), boxes(tree.boxes),
          first(tree.first), n(tree.n), dims(tree.dims), levels(tree.levels),
          capacity(tree.capacity) {}

    Index leaf_count() const { return Index{1} << levels; }
    Index leaf_begin(Index leaf) const { return (leaf * n) >> levels; }
    const float* children(Index node) const { return boxes + node * dims * 4; }
};

inline Pair load_pair(const double* x) {
    Pair pair;
    std::memcpy(&pair, x, sizeof pair);
    return pair;
}

inline Pair load_pair(const float* x) {
#if defined(GRAMIAN_ISA_IS_v2) || defined(GRAMIAN_ISA_IS_v3)
    double both;
    std::memcpy(&both, x, sizeof both);
    return (Pair)_mm_cvtps_pd(_mm_castpd_ps(_mm_set_sd(both)));
#else
    return Pair{x[0], x[1]};
#endif
}

// How far the query lies below and above two sibling boxes in feature j; negative inside. The
// query is kept as q, q, -q, -q for each feature, as the boxes keep their highs negated.
inline Pair below(const float* boxes, const double* query, Index j) {
    return load_pair(boxes + 4 * j) - load_pair(query + 4 * j);
}

inline Pair above(const float* boxes, const double* query, Index j) {
    return load_pair(boxes + 4 * j + 2) - load_pair(query + 4 * j + 2);
}

// The measures of the nearest points of two sibling boxes.
template <int D, typename Norm>
inline Pair nearest_of_boxes(const float* boxes, const double* query, Index dims,
                             const Norm& norm) {
    Pair measure{};
    for (Index j = 0; j < (D ? D : dims); ++j) {
        const Pair gap = larger(below(boxes, query, j), above(boxes, query, j));
        measure = norm.add(measure, larger(gap, Pair{}));
    }
    return measure;
}

// The measures of the farthest points of two sibling boxes.
template <int D, typename Norm>
inline Pair farthest_of_boxes(const float* boxes, const double* query, Index dims,
                              const Norm& norm) {
    Pair measure{};
    for (Index j = 0; j < (D ? D : dims); ++j) {
        measure = norm.add(measure, smaller(below(boxes, query, j), above(boxes, query, j)));
    }
    return measure;
}

template <typename T>
inline void read_query(const T* row, Index dims, double* query) {
    for (Index j = 0; j < dims; ++j) {
        query[4 * j] = query[4 * j + 1] = row[j];
        query[4 * j + 2] = query[4 * j + 3] = -static_cast<double>(row[j]);
    }
}

template <int D, typename T, typename Norm>
inline double measure_row(const T* x, const double* query, Index dims, const Norm& norm) {
    double measure = 0;
    for (Index j = 0; j < (D ? D : dims); ++j) {
        measure = norm.add(measure, static_cast<double>(x[j]) - query[4 * j]);
    }
    return measure;
}

// The coarse measure that no point within `limit` exceeds. With u = 2^-24, x - low and q - low
// are each off by u times themselves, so their difference t = x - q is off by at most
// u (|t| + 2 spread) in any norm; the sum of `dims` rounded terms adds a factor of at most
// 1 + (dims + 3) u, and what underflows adds less than FLT_MIN.
template <typename Norm>
inline float coarse_limit(const Norm& norm, double limit, float spread, Index dims) {
    constexpr double u = 1.0 / (1 << 24);
    const double n = static_cast<double>(dims);
    const double measure = norm.coarse(limit, 2.01 * u * spread, dims);
    return static_cast<float>(measure * (1 + (n + 8) * u) + (n + 1) * FLT_MIN);
}

constexpr Index kAbandon = 8; // features between checks whether any point is left

// Bit i of the result: point i of U registers may be within the limit.
template <int D, int U, typename Norm>
inline unsigned coarse_bits(const float* points, Index capacity, const float* query, Index dims,
                            const Norm& norm, float limit) {
    Floats measure[U];
    for (int u = 0; u < U; ++u) measure[u] = Floats{};
    unsigned bits = 0;
    for (Index from = 0; from < (D ? D : dims); from += kAbandon) {
        const Index to = D ? D : from + kAbandon < dims ? from + kAbandon : dims;
        for (Index j = from; j < to; ++j) {
            const float* x = points + j * capacity;
            for (int u = 0; u < U; ++u) {
                measure[u] = norm.add(measure[u], load(x + u * kFloats) - query[j]);
            }
        }
        // NaN, from a difference of infinities, must not rule a point out.
        bits = 0;
        for (int u = 0; u < U; ++u) bits |= mask_bits(measure[u] > limit) << (u * kFloats);
        bits = ~bits & (~0u >> (32 - U * kFloats));
        if (bits == 0) return 0;
    }
    return bits;
}

// take(measure, row) for the rows whose bits are set.
template <int D, typename T, typename Norm, typename Take>
inline void measure_rows(Matrix<const T> X, const std::int32_t* rows, unsigned bits,
                         const double* query, const Norm& norm, const Take& take) {
    const Index dims = D ? D : X.cols;
    for (unsigned ahead = bits; ahead; ahead &= ahead - 1) {
        __builtin_prefetch(X.data + rows[__builtin_ctz(ahead)] * dims);
    }
    for (; bits; bits &= bits - 1) {
        const Index row = rows[__builtin_ctz(bits)];
        take(measure_row<D>(X.data + row * dims, query, dims, norm), row);
    }
}

// Calls take(rows, bits) for groups of points of a leaf; a set bit means that the row may be within
// limit(). U is the number of registers between reads of the limit.
template <int D, int U, typename Norm, typename Limit, typename Take>
inline void search_leaf(const Boxes& tree, Index leaf, const double* query, float* shifted,
                        const Norm& norm, const Limit& limit, const Take& take) {
    const Index dims = D ? D : tree.dims, capacity = tree.capacity;
    const Index node = tree.leaf_count() + leaf;
    const float* low = tree.children(node / 2) + node % 2;
    for (Index j = 0; j < dims; ++j) shifted[j] = static_cast<float>(query[4 * j] - low[4 * j]);

    const Index begin = tree.leaf_begin(leaf), size = tree.leaf_begin(leaf + 1) - begin;
    const float* points = tree.points + leaf * dims * capacity;
    const std::int32_t* rows = tree.order + begin;
    const typename Norm::Coarse coarse;
    double bounded = limit();
    float bound = coarse_limit(norm, bounded, tree.spread[leaf], dims);
    const auto group = [&]<int V>(Index at) {
        if (bounded != limit()) {
            bounded = limit();
            bound = coarse_limit(norm, bounded, tree.spread[leaf], dims);
        }
        unsigned bits = coarse_bits<D, V>(points + at, capacity, shifted, dims, coarse, bound);
        if (size - at < V * kFloats) bits &= ~(~0u << (size - at));
        if (bits) take(rows + at, bits);
    };
    Index at = 0;
    if constexpr (U > 2) {
        for (; at + U * kFloats <= size; at += U * kFloats) group.template operator()<U>(at);
        for (; at + 2 * kFloats <= size; at += 2 * kFloats) group.template operator()<2>(at);
    }
    for (; at < size; at += kFloats) group.template operator()<1>(at);
}

// Calls run.template operator()<D>(norm) for the norm of order p. D is the number of features if
// it is compiled in (the Euclidean norm in 2, 3 and 4 dimensions), else 0.
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
} // namespace gramian::kdtree::GRAMIAN_ISA
