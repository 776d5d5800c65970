#include "core/density_clusters/density_clusters.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace gramian::density_clusters {
namespace {

std::int32_t find_root(Vector<std::int32_t> parent, std::int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

} // namespace

void join_dense(Vector<const std::int64_t> rows, Vector<const std::int64_t> offsets,
                Vector<const std::int64_t> neighbors, Vector<const std::uint8_t> dense,
                Vector<std::int32_t> parent) {
    for (Index r = 0; r < rows.size; ++r) {
        if (r % 4096 == 0) runtime::poll_interrupt();
        std::int32_t own = find_root(parent, static_cast<std::int32_t>(rows[r]));
        for (Index i = offsets[r]; i < offsets[r + 1]; ++i) {
            const auto other = static_cast<std::int32_t>(neighbors[i]);
            if (!dense[other] || parent[other] == own) continue;
            const std::int32_t other_root = find_root(parent, other);
            if (other_root == own) continue;
            const std::int32_t both = std::min(own, other_root);
            parent[std::max(own, other_root)] = both;
            own = both;
        }
    }
}

void flatten_sets(Vector<std::int32_t> parent) {
    // A parent is never the higher row, so its own parent is final.
    for (Index i = 0; i < parent.size; ++i) parent[i] = parent[parent[i]];
}

Index condense(Matrix<const double> Z, Index min_size, const Condensed& out) {
    const Index n = Z.rows + 1;
    Index count = 0;
    const auto write = [&](std::int32_t parent, std::int32_t child, double lambda, Index size) {
        out.parent[count] = parent;
        out.child[count] = child;
        out.lambda[count] = lambda;
        out.size[count] = static_cast<std::int32_t>(size);
        ++count;
    };
    const auto size_of = [&](Index node) {
        return node < n ? Index{1} : static_cast<Index>(Z(node - n, 3));
    };
    std::vector<Index> below;
    const auto write_rows = [&](std::int32_t parent, Index node, double lambda) {
        below.assign(1, node);
        while (!below.empty()) {
            const Index here = below.back();
            below.pop_back();
            if (here < n) {
                write(parent, static_cast<std::int32_t>(here), lambda, 1);
                continue;
            }
            below.push_back(static_cast<Index>(Z(here - n, 1)));
            below.push_back(static_cast<Index>(Z(here - n, 0)));
        }
    };

    // Merges of equal height count as one: all their parts split at once. The result then does not
    // depend on the order of equal edges in the tree.
    std::vector<Index> parts;
    const auto find_parts = [&](Index node) {
        const double height = Z(node - n, 2);
        parts.clear();
        below.assign(1, node);
        while (!below.empty()) {
            const Index here = below.back();
            below.pop_back();
            if (here < n || Z(here - n, 2) != height) {
                parts.push_back(here);
                continue;
            }
            below.push_back(static_cast<Index>(Z(here - n, 1)));
            below.push_back(static_cast<Index>(Z(here - n, 0)));
        }
    };

    std::int32_t next = static_cast<std::int32_t>(n + 1);
    std::vector<std::pair<Index, std::int32_t>> queue; // nodes, and the clusters they belong to
    if (n > 1) queue.push_back({2 * n - 2, static_cast<std::int32_t>(n)});
    for (std::size_t at = 0; at < queue.size(); ++at) {
        if (at % 4096 == 0) runtime::poll_interrupt();
        const auto [node, cluster] = queue[at];
        const double height = Z(node - n, 2);
        const double lambda = height > 0 ? 1 / height : std::numeric_limits<double>::infinity();
        find_parts(node);
        Index large = 0;
        for (const Index part : parts) large += size_of(part) >= min_size;
        for (const Index part : parts) {
            if (size_of(part) < min_size) {
                write_rows(cluster, part, lambda);
                continue;
            }
            std::int32_t own = cluster;
            if (large > 1) {
                own = next++;
                write(cluster, own, lambda, size_of(part));
            }
            queue.push_back({part, own}); // two rows or more
        }
    }
    return count;
}

} // namespace gramian::density_clusters
