#include "core/splits/sort.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/sort.hpp"
#include "core/splits/search.hpp"

GRAMIAN_DISPATCH(splits, SortKernels, tree_sort_kernels, tree_sort_table)

namespace gramian::splits {
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

template <typename E>
E* sort_many(E* a, E* spare, Index n) {
    constexpr int bits = EntryOf<E>::kIdBits; // those of the rank are as many
    return runtime::sort_by_digits<bits, 8, bits / 8>(a, spare, n);
}

} // namespace

std::uint32_t* sort_by_rank(std::uint32_t* a, std::uint32_t* spare, Index n) {
    const SortKernels& kernels = tree_sort_table();
    if (n > kernels.few) return sort_many(a, spare, n);
    kernels.sort_few(a, n);
    return a;
}

std::uint64_t* sort_by_rank(std::uint64_t* a, std::uint64_t* spare, Index n) {
    if (n > 40) return sort_many(a, spare, n);
    insertion_sort(a, n);
    return a;
}

} // namespace gramian::splits
