// Radix sorts, least significant digit first: linear in the number of values.
#pragma once

#include "core/runtime/views.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

namespace gramian::runtime {

// Sorts n integers by kPasses digits of kBits bits each, starting at bit kFrom. The sort is stable.
// `spare` is a buffer of n integers. A digit that all integers share is skipped. Returns the sorted
// array: `a` or `spare`.
template <int kFrom, int kBits, int kPasses, typename E>
E* sort_by_digits(E* a, E* spare, Index n) {
    constexpr int kBuckets = 1 << kBits;
    std::uint32_t count[kPasses][kBuckets] = {};
    const auto digit = [](E x, int pass) {
        return static_cast<std::uint32_t>(x >> (kFrom + kBits * pass)) & (kBuckets - 1);
    };
    for (Index i = 0; i < n; ++i) {
        for (int p = 0; p < kPasses; ++p) ++count[p][digit(a[i], p)];
    }
    E* from = a;
    E* to = spare;
    for (int p = 0; p < kPasses; ++p) {
        std::uint32_t* starts = count[p];
        if (n == 0 || static_cast<Index>(starts[digit(a[0], p)]) == n) continue;
        std::uint32_t total = 0;
        for (int b = 0; b < kBuckets; ++b) {
            const std::uint32_t c = starts[b];
            starts[b] = total;
            total += c;
        }
        for (Index i = 0; i < n; ++i) to[starts[digit(from[i], p)]++] = from[i];
        std::swap(from, to);
    }
    return from;
}

// Order-preserving map from floats without NaN to unsigned integers, and back.
template <typename T>
struct SortKey {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    static constexpr int kBits = 8 * sizeof(T);
    static constexpr Bits kSign = Bits(1) << (kBits - 1);

    static Bits of(T x) {
        const Bits b = std::bit_cast<Bits>(x);
        return b & kSign ? ~b : b | kSign;
    }
    static T back(Bits b) { return std::bit_cast<T>(b & kSign ? b & ~kSign : ~b); }
};

template <typename T>
void radix_sort(std::vector<T>& values) {
    using Key = SortKey<T>;
    using Bits = typename Key::Bits;
    if (values.size() < 512) {
        std::sort(values.begin(), values.end());
        return;
    }
    std::vector<Bits> from(values.size()), to(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) from[i] = Key::of(values[i]);
    constexpr int width = 11;
    for (int shift = 0; shift < Key::kBits; shift += width) {
        std::array<std::size_t, (1 << width) + 1> start{};
        for (const Bits b : from) ++start[((b >> shift) & ((1 << width) - 1)) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        for (const Bits b : from) to[start[(b >> shift) & ((1 << width) - 1)]++] = b;
        from.swap(to);
    }
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = Key::back(from[i]);
}

// The indices that sort the values (argsort), stable.
template <typename T>
std::vector<std::uint32_t> radix_order(const std::vector<T>& values) {
    using Key = SortKey<T>;
    using Bits = typename Key::Bits;
    struct Pair {
        Bits key;
        std::uint32_t index;
    };
    const std::size_t n = values.size();
    std::vector<Pair> from(n), to(n);
    for (std::size_t i = 0; i < n; ++i) {
        from[i] = {Key::of(values[i]), static_cast<std::uint32_t>(i)};
    }
    constexpr int width = 11;
    for (int shift = 0; shift < Key::kBits; shift += width) {
        const auto digit = [&](const Pair& p) { return (p.key >> shift) & ((1 << width) - 1); };
        std::array<std::size_t, (1 << width) + 1> start{};
        for (const Pair& p : from) ++start[digit(p) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        for (const Pair& p : from) to[start[digit(p)]++] = p;
        from.swap(to);
    }
    std::vector<std::uint32_t> order(n);
    for (std::size_t i = 0; i < n; ++i) order[i] = from[i].index;
    return order;
}

// Sorts the values and reorders the weights alike; stable.
template <typename T>
void sort_with(std::vector<T>& values, std::vector<double>& weights) {
    const std::vector<std::uint32_t> order = radix_order(values);
    std::vector<T> sorted(values.size());
    std::vector<double> carried(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        sorted[i] = values[order[i]];
        carried[i] = weights[order[i]];
    }
    values.swap(sorted);
    weights.swap(carried);
}

} // namespace gramian::runtime
