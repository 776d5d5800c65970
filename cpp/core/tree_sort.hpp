// Sorting the entries of a node by rank; entries of one rank stay in their order.
#pragma once

#include "core/tree_search.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gramian {

template <typename E>
void insertion_sort(E* a, Index n) {
    for (Index i = 1; i < n; ++i) {
        const E x = a[i];
        Index j = i;
        for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
        a[j] = x;
    }
}

// Sorts `a`, whose ids ascend, with the help of `spare`; returns where the answer is.
template <typename E>
E* sort_by_rank(E* a, E* spare, Index n) {
    if (n <= 40) {
        insertion_sort(a, n);
        return a;
    }
    constexpr int kBits = 8, kBuckets = 1 << kBits;
    constexpr int kPasses = EntryOf<E>::kIdBits / kBits;
    std::uint32_t count[kPasses][kBuckets] = {};
    const auto digit = [](E x, int pass) {
        return static_cast<std::uint32_t>(x >> (EntryOf<E>::kIdBits + kBits * pass)) &
               (kBuckets - 1);
    };
    for (Index i = 0; i < n; ++i) {
        for (int p = 0; p < kPasses; ++p) ++count[p][digit(a[i], p)];
    }
    E* from = a;
    E* to = spare;
    for (int p = 0; p < kPasses; ++p) {
        std::uint32_t* starts = count[p];
        if (static_cast<Index>(starts[digit(a[0], p)]) == n) continue;
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

} // namespace gramian
