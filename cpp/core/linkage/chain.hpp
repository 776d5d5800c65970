// The nearest-neighbour chain algorithm, for reducible linkages.
#pragma once

#include "core/linkage/linkage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::linkage {

struct Neighbor {
    std::int32_t id; // -1: unknown
    double value;
};

// Clusters are numbered in order of creation, rows first. `clusters` has the functions
//   alive(id), dissimilarity(id, id), nearest(id): the nearest other cluster that is alive,
//   join(a, b, made): merges a and b into cluster `made`, and height(value).
// nearest[i] is the nearest neighbour of row i at the start, or unknown.
template <typename Clusters>
std::vector<Merge> merges_by_chains(Clusters& clusters, Index n, std::vector<Neighbor> nearest) {
    const std::size_t most = static_cast<std::size_t>(2 * n - 1);
    nearest.resize(most, {-1, 0.0});
    std::vector<std::int32_t> row(most); // of each cluster
    std::vector<double> floor(most); // no merge is lower than those of its parts, but for rounding
    for (Index i = 0; i < n; ++i) row[i] = static_cast<std::int32_t>(i);

    std::vector<Merge> merges;
    merges.reserve(static_cast<std::size_t>(n - 1));
    std::vector<std::int32_t> chain;
    std::int32_t lowest = 0;
    for (std::int32_t made = static_cast<std::int32_t>(n); static_cast<std::size_t>(made) < most;) {
        if (chain.empty()) {
            while (!clusters.alive(lowest)) ++lowest;
            chain.push_back(lowest);
        }
        const std::int32_t top = chain.back();
        Neighbor& next = nearest[top];
        if (next.id < 0 || !clusters.alive(next.id)) {
            runtime::poll_interrupt();
            next = clusters.nearest(top);
        }
        if (chain.size() < 2 || clusters.dissimilarity(top, chain[chain.size() - 2]) > next.value) {
            chain.push_back(next.id);
            continue;
        }
        const std::int32_t other = chain[chain.size() - 2];
        chain.resize(chain.size() - 2);
        const double height = std::max(
            {clusters.height(clusters.dissimilarity(top, other)), floor[top], floor[other]});
        merges.push_back({row[top], row[other], height});
        row[made] = row[top];
        floor[made] = height;
        nearest[made] = clusters.join(top, other, made);
        ++made;
    }
    return merges;
}

} // namespace gramian::linkage
