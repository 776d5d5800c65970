// Density-based clustering: joining dense neighbours, and condensing a tree of clusters.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::density_clusters {

// Joins each listed row with its dense neighbours. `parent` is a disjoint-set forest: parent[i] <=
// i leads to the lowest row of the cluster of row i. The neighbours of rows[r] are [offsets[r],
// offsets[r + 1]).
void join_dense(Vector<const std::int64_t> rows, Vector<const std::int64_t> offsets,
                Vector<const std::int64_t> neighbors, Vector<const std::uint8_t> dense,
                Vector<std::int32_t> parent);

// parent[i] = the lowest row of the cluster of row i.
void flatten_sets(Vector<std::int32_t> parent);

// A condensed tree: `child` leaves cluster `parent` at density lambda = 1 / height. Children below
// n are rows; clusters are numbered from n, the root, on, parents before their children.
struct Condensed {
    Vector<std::int32_t> parent, child;
    Vector<double> lambda;
    Vector<std::int32_t> size;
};

// Splits off only clusters of at least min_size rows; smaller parts leave as single rows (Campello,
// Moulavi and Sander 2013). Merges of equal height split at once, into two or more parts. Z is a
// tree in SciPy's format. Returns the number of rows written, at most 3 n.
Index condense(Matrix<const double> Z, Index min_size, const Condensed& out);

} // namespace gramian::density_clusters
