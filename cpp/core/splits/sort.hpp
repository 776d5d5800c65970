// Sorting the entries of a node by rank; entries of one rank stay in their order.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::splits {

// Sorts `a`, whose ids ascend, with the help of `spare`; returns where the answer is. Both have
// room for kSortPadding entries more than n.
constexpr Index kSortPadding = 256;
std::uint32_t* sort_by_rank(std::uint32_t* a, std::uint32_t* spare, Index n);
std::uint64_t* sort_by_rank(std::uint64_t* a, std::uint64_t* spare, Index n);

// At most `few` entries are sorted without counting; `a` has room up to the next power of two.
struct SortKernels {
    Index few;
    void (*sort_few)(std::uint32_t* a, Index n);
};

} // namespace gramian::splits
