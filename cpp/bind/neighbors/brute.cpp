// Exhaustive nearest-neighbour search.
#include "core/distance/brute.hpp"
#include "bind/arrays.hpp"

#include <nanobind/stl/string_view.h>

#include <algorithm>
#include <limits>
#include <string_view>

namespace gramian::bind {
namespace {

distance::MetricSpec metric_of(std::string_view name, double p) {
    if (name == "euclidean") return {distance::Metric::euclidean};
    if (name == "sqeuclidean") return {distance::Metric::squared_euclidean};
    if (name == "manhattan") return {distance::Metric::manhattan};
    if (name == "chebyshev") return {distance::Metric::chebyshev};
    require(name == "minkowski", "unknown metric");
    require(p >= 1, "minkowski needs p >= 1");
    if (p == 1) return {distance::Metric::manhattan};
    if (p == 2) return {distance::Metric::euclidean};
    if (p > std::numeric_limits<double>::max()) return {distance::Metric::chebyshev};
    return {distance::Metric::minkowski, p};
}

template <typename T>
void fit_together(const In2<T>& database, const In2<T>& queries, bool self) {
    require(database.shape(0) > 0 && database.shape(1) > 0, "at least one row and one column");
    require(database.shape(0) < (std::size_t{1} << 31), "at most 2^31 rows");
    require(queries.shape(1) == database.shape(1), "queries as wide as the rows");
    require(!self || queries.shape(0) == database.shape(0), "self needs the rows as queries");
}

template <typename T>
void bind_brute_of(nb::module_& m, const char* hits_name) {
    m.def(
        "brute_neighbors",
        [](const In2<T>& database, const In2<T>& queries, std::string_view metric, double p,
           bool self, const Out2<T>& distances, const Out2<Index>& indices) {
            fit_together<T>(database, queries, self);
            require(distances.shape(0) == queries.shape(0) &&
                        indices.shape(0) == queries.shape(0) &&
                        distances.shape(1) == indices.shape(1),
                    "a row of distances and of indices per query");
            require(distances.shape(1) > 0 && distances.shape(1) + self <= database.shape(0),
                    "as many rows as neighbours asked for");
            distance::brute_neighbors<T>(view<T>(database), view<T>(queries), metric_of(metric, p),
                                         self, view<T>(distances), view<Index>(indices));
        },
        "database"_a.noconvert(), "queries"_a.noconvert(), "metric"_a, "p"_a, "exclude_self"_a,
        "distances"_a.noconvert(), "indices"_a.noconvert(), Release(),
        "Write the nearest rows of the database to each query, by (distance, index). The metric "
        "is\n"
        "euclidean, sqeuclidean, manhattan, chebyshev or minkowski (with p). With exclude_self "
        "the\n"
        "queries are the database and no row is its own neighbour.");

    using Hits = distance::RadiusNeighbors<T>;
    nb::class_<Hits>(m, hits_name, "The neighbours of each query within a radius.")
        .def_prop_ro("size", [](const Hits& hits) { return hits.offsets.back(); })
        .def(
            "write",
            [](const Hits& hits, const Out1<Index>& offsets, const Out1<Index>& indices,
               const Out1<T>& distances) {
                require(offsets.shape(0) == hits.offsets.size() &&
                            static_cast<Index>(indices.shape(0)) == hits.offsets.back() &&
                            indices.shape(0) == distances.shape(0),
                        "offsets of all queries, indices and distances of all neighbours");
                std::copy(hits.offsets.begin(), hits.offsets.end(), offsets.data());
                Index* index = indices.data();
                T* distance = distances.data();
                for (const auto& of_block : hits.indices) {
                    index = std::copy(of_block.begin(), of_block.end(), index);
                }
                for (const auto& of_block : hits.distances) {
                    distance = std::copy(of_block.begin(), of_block.end(), distance);
                }
            },
            "offsets"_a.noconvert(), "indices"_a.noconvert(), "distances"_a.noconvert(), Release(),
            "Write the neighbours of query i to [offsets[i], offsets[i + 1]).");
    m.def(
        "brute_radius_neighbors",
        [](const In2<T>& database, const In2<T>& queries, std::string_view metric, double p,
           bool self, double radius) {
            fit_together<T>(database, queries, self);
            return distance::brute_radius_neighbors<T>(view<T>(database), view<T>(queries),
                                                       metric_of(metric, p), self, radius);
        },
        "database"_a.noconvert(), "queries"_a.noconvert(), "metric"_a, "p"_a, "exclude_self"_a,
        "radius"_a, Release(),
        "Find all rows of the database within the radius of each query, in the order of index.");
}

} // namespace

void bind_brute(nb::module_& m) {
    bind_brute_of<float>(m, "RadiusHits32");
    bind_brute_of<double>(m, "RadiusHits64");
}

} // namespace gramian::bind
