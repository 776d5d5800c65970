#include "core/distance/shortest_paths.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace gramian::distance {
namespace {

constexpr Index kSources = 8; // vertices of a block
using Visit = std::pair<double, std::int32_t>;

// Distances of all vertices from one. A vertex may be in the heap several times. Only its first
// visit counts, which is at its shortest distance.
void paths_from(const Edges& edges, std::int32_t source, double* distances,
                std::vector<Visit>& heap) {
    const std::greater<Visit> later;
    distances[source] = 0.0;
    heap.assign(1, {0.0, source});
    while (!heap.empty()) {
        const auto [distance, at] = heap.front();
        std::pop_heap(heap.begin(), heap.end(), later);
        heap.pop_back();
        if (distance > distances[at]) continue;
        for (std::int64_t e = edges.offsets[at]; e < edges.offsets[at + 1]; ++e) {
            const std::int32_t to = edges.targets[e];
            const double detour = distance + edges.lengths[e];
            if (detour >= distances[to]) continue;
            distances[to] = detour;
            heap.emplace_back(detour, to);
            std::push_heap(heap.begin(), heap.end(), later);
        }
    }
}

} // namespace

void shortest_paths(Edges edges, Matrix<double> out) {
    const Index n = out.rows;
    const runtime::Blocks blocks{n, kSources};
    runtime::parallel_for(blocks.count(), [&](Index block) {
        std::vector<Visit> heap;
        for (Index i = blocks.begin(block); i < blocks.end(block); ++i) {
            runtime::poll_interrupt();
            double* row = &out(i, 0);
            std::fill(row, row + n, std::numeric_limits<double>::infinity());
            paths_from(edges, static_cast<std::int32_t>(i), row, heap);
        }
    });
}

} // namespace gramian::distance
