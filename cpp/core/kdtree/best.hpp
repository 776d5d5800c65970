// The k best neighbours so far.
#pragma once

#include "core/runtime/views.hpp"
#include "core/simd/register.hpp"

#include <math.h>

namespace gramian::kdtree::GRAMIAN_ISA {
namespace {

using namespace simd;

using Wide = Vec<double>;
using Long = Vec<std::int64_t>;
constexpr int kWide = kLanes<double>;

// Each lane moves up by one; the last lane of `below` comes in.
template <typename V>
inline V shift_in(V below, V v) {
    if constexpr (kWide == 4) {
        return __builtin_shufflevector(below, v, 3, 4, 5, 6);
    } else {
        return __builtin_shufflevector(below, v, 1, 2);
    }
}

// The k best so far by (measure, index): sorted while k is small, else a max-heap. The arrays
// have a register of room before them and are filled up to whole registers.
struct Best {
    static constexpr Index kSorted = 64;
    double* measure;
    std::int64_t* index;
    Index k;
    Index size; // k, rounded up while sorted
    double worst;
    std::int64_t worst_index;

    Best() = default;
    Best(double* measures, std::int64_t* indices, Index wanted)
        : measure(measures + kWide), index(indices + kWide), k(wanted),
          size(wanted <= kSorted ? (wanted + kWide - 1) / kWide * kWide : wanted) {
        for (int i = 1; i <= kWide; ++i) set(-i, -HUGE_VAL, -1);
    }

    void clear() {
        for (Index i = 0; i < size; ++i) set(i, HUGE_VAL, INT64_MAX);
        worst = HUGE_VAL;
        worst_index = INT64_MAX;
    }

    void set(Index at, double m, std::int64_t i) {
        measure[at] = m;
        index[at] = i;
    }

    void consider(double m, std::int64_t i) {
        if (k <= kSorted) {
            insert(m, i);
            worst = measure[k - 1];
            worst_index = index[k - 1];
        } else if (before(m, i, worst, worst_index)) {
            sift(k, m, i);
            worst = measure[0];
            worst_index = index[0];
        }
    }

    // Entries after the new one move up by one, and the last one drops out. There are no branches,
    // because the position of an entry cannot be predicted.
    void insert(double m, std::int64_t i) {
        const auto after = [&](Wide measures, Long indices) {
            return (measures > m) | ((measures == m) & (indices > i));
        };
        Wide measures = load(measure + size - kWide);
        Long indices = load(index + size - kWide);
        for (Index at = size - kWide; at >= 0; at -= kWide) {
            const Wide measures_below = load(measure + at - kWide);
            const Long indices_below = load(index + at - kWide);
            const Wide measures_shifted = shift_in(measures_below, measures);
            const Long indices_shifted = shift_in(indices_below, indices);
            const Long shift = after(measures_shifted, indices_shifted);
            const Long here = after(measures, indices);
            store(measure + at, shift ? measures_shifted : here ? broadcast(m) : measures);
            store(index + at, shift ? indices_shifted : here ? broadcast(i) : indices);
            measures = measures_below;
            indices = indices_below;
        }
    }

    static bool before(double a, std::int64_t i, double b, std::int64_t j) {
        return a < b || (a == b && i < j);
    }

    // Replaces the top of the heap of the first `places` entries and sifts it down.
    void sift(Index places, double m, std::int64_t i) {
        Index at = 0;
        for (Index child; (child = 2 * at + 1) < places; at = child) {
            if (child + 1 < places &&
                before(measure[child], index[child], measure[child + 1], index[child + 1])) {
                ++child;
            }
            if (!before(m, i, measure[child], index[child])) break;
            set(at, measure[child], index[child]);
        }
        set(at, m, i);
    }

    void sort() {
        if (k <= kSorted) return;
        for (Index places = k - 1; places > 0; --places) {
            const double m = measure[places];
            const std::int64_t i = index[places];
            set(places, measure[0], index[0]);
            sift(places, m, i);
        }
    }
};

} // namespace
} // namespace gramian::kdtree::GRAMIAN_ISA
