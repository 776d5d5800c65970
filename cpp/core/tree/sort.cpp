#include "core/tree/sort.hpp"

#include "core/runtime/isa.hpp"
#include "core/tree/search.hpp"

#include <utility>

GRAMIAN_DISPATCH(tree, SortKernels, tree_sort_kernels, tree_sort_table)

namespace gramian::tree {
namespace {

template <typename E>
void insertion_sort(E* a, Index n) {
    for (Index i = 1; i < n; ++i) {
        const E x = a[i];
        Index j = i;
        for (; j > 0 && a[j - 1] > x; --j) a[j] = a[j - 1];
        a[j] = x;
    }
}

// Counts the digits of the ranks, lowest first; a digit that all have is passed over.
template <typename E>
E* radix_sort(E* a, E* spare, Index n) {
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

} // namespace

std::uint32_t* sort_by_rank(std::uint32_t* a, std::uint32_t* spare, Index n) {
    const SortKernels& kernels = tree_sort_table();
    if (n > kernels.few) return radix_sort(a, spare, n);
    kernels.sort_few(a, n);
    return a;
}

std::uint64_t* sort_by_rank(std::uint64_t* a, std::uint64_t* spare, Index n) {
    if (n > 40) return radix_sort(a, spare, n);
    insertion_sort(a, n);
    return a;
}

} // namespace gramian::tree
