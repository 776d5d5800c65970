// Distances along the edges of a graph.
#include "core/distance/shortest_paths.hpp"
#include "bind/arrays.hpp"

namespace gramian::bind {
namespace {

void shortest_paths(const In1<std::int64_t>& offsets, const In1<std::int32_t>& targets,
                    const In1<double>& lengths, const Out2<double>& out) {
    const auto n = out.shape(0);
    require(out.shape(1) == n && offsets.shape(0) == n + 1, "a row and a column for each vertex");
    require(targets.shape(0) == lengths.shape(0), "a length for each edge");
    distance::shortest_paths({offsets.data(), targets.data(), lengths.data()}, view<double>(out));
}

} // namespace

void bind_shortest_paths(nb::module_& m) {
    m.def("shortest_paths", shortest_paths, "offsets"_a.noconvert(), "targets"_a.noconvert(),
          "lengths"_a.noconvert(), "out"_a.noconvert(), Release(),
          "out[i, j] = the length of the shortest path from vertex i to vertex j.");
}

} // namespace gramian::bind
