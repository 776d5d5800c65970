// Muellner's generic algorithm, for linkages whose heights may decrease.
#pragma once

#include "core/linkage/linkage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>

namespace gramian::linkage {

// Clusters are stored in n slots. `clusters` has the functions row(i, out): the dissimilarities of
// slot i from all slots, padded; join(a, b): merges the cluster of slot a into slot b;
// height(value).
template <typename Clusters>
std::vector<Merge> merges_by_bounds(Clusters& clusters, Index n) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const LinkageKernels& kernels = linkage_kernels();
    const std::size_t room = static_cast<std::size_t>(padded_size(n));
    std::vector<double> dead(room), values(room);
    std::vector<double> bound(static_cast<std::size_t>(n), kNone); // to the places after it
    std::vector<Index> nearest(static_cast<std::size_t>(n), -1);   // -1: the bound is not exact
    const auto search = [&](Index i, const double* row) {
        if (i == n - 1) {
            bound[i] = kNone;
            return;
        }
        kernels.least(row + i + 1, dead.data() + i + 1, n - i - 1, &bound[i], &nearest[i]);
        nearest[i] += i + 1;
    };
    const runtime::Blocks blocks{n, 64};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> own(room);
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                clusters.row(i, own.data());
                search(i, own.data());
            }
        },
        n < 200 ? 1 : 0);

    std::vector<double> none(room);
    std::vector<Merge> merges;
    merges.reserve(static_cast<std::size_t>(n - 1));
    for (Index count = 1; count < n; ++count) {
        runtime::poll_interrupt();
        double value;
        Index a;
        kernels.least(bound.data(), none.data(), n, &value, &a);
        while (nearest[a] < 0) {
            clusters.row(a, values.data());
            search(a, values.data());
            kernels.least(bound.data(), none.data(), n, &value, &a);
        }
        const Index b = nearest[a];
        merges.push_back(
            {static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), clusters.height(value)});
        clusters.join(a, b);
        dead[a] = kNone;
        bound[a] = kNone;
        clusters.row(b, values.data());
        search(b, values.data());
        for (Index i = 0; i < b; ++i) {
            if (dead[i] > 0) continue;
            if (values[i] < bound[i]) {
                bound[i] = values[i];
                nearest[i] = b;
            } else if (nearest[i] == a || nearest[i] == b) {
                nearest[i] = -1;
            }
        }
    }
    return merges;
}

} // namespace gramian::linkage
