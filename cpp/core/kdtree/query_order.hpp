// The order in which the queries of a k-d tree are answered.
#pragma once

#include "core/kdtree/search.hpp"
#include "core/runtime/check.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gramian::kdtree {

// The leaf that a descent through the splitting planes ends in.
template <typename T>
Index descend(const Tree<const T>& tree, const T* query) {
    Index node = 1;
    for (Index level = 0; level < tree.levels; ++level) {
        node = 2 * node + (query[tree.feature[node]] > tree.value[node]);
    }
    return node - (Index{1} << tree.levels);
}

// The queries sorted by leaf, so that consecutive queries find their boxes and leaves in the cache.
// The results do not depend on the order.
struct QueryOrder {
    std::vector<std::int32_t> rows;
    std::vector<std::int32_t> leaves; // leaves[i]: the leaf of query rows[i]
};

template <typename T>
QueryOrder sort_by_leaf(const Tree<const T>& tree, Matrix<const T> queries) {
    constexpr Index kDescentBlock = 4096;
    runtime::require_rows_in_32_bits(queries.rows, "k-d tree queries");
    const std::size_t n = static_cast<std::size_t>(queries.rows);
    std::vector<std::int32_t> leaf(n);
    const runtime::Blocks blocks{queries.rows, kDescentBlock};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
            leaf[i] = static_cast<std::int32_t>(descend(tree, queries.row(i)));
        }
    });
    std::vector<std::int32_t> place((std::size_t{1} << tree.levels) + 1);
    for (std::int32_t l : leaf) ++place[l + 1];
    std::partial_sum(place.begin(), place.end(), place.begin());
    QueryOrder order{std::vector<std::int32_t>(n), std::vector<std::int32_t>(n)};
    for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t at = place[leaf[i]]++;
        order.rows[at] = static_cast<std::int32_t>(i);
        order.leaves[at] = leaf[i];
    }
    return order;
}

// Queries per block: enough to share the caches, and below about 50 ms if the tree prunes
// nothing. `work` is the work of a pair in features.
template <typename T>
runtime::Blocks query_blocks(const Tree<const T>& tree, Index queries, Index work) {
    constexpr Index kWorkPerBlock = 100'000'000; // features of points
    const Index size = std::clamp<Index>(kWorkPerBlock / (tree.n * work), 1, 128);
    return {queries, size};
}

template <typename T>
int threads_for(const Tree<const T>& tree, Index queries) {
    return queries * (tree.levels + 4) * tree.dims < 2000 ? 1 : 0;
}

} // namespace gramian::kdtree
