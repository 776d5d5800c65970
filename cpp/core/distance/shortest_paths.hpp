// Distances along the edges of a graph.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::distance {

// A graph. The edges of vertex i lead to targets[offsets[i]] .. targets[offsets[i + 1] - 1] and
// have the matching lengths >= 0. An undirected edge appears twice.
struct Edges {
    const std::int64_t* offsets;
    const std::int32_t* targets;
    const double* lengths;
};

// out(i, j) = the length of the shortest path from vertex i to j, infinity where there is none, by
// Dijkstra's algorithm from each vertex. The vertices are shared among the threads.
void shortest_paths(Edges edges, Matrix<double> out);

} // namespace gramian::distance
