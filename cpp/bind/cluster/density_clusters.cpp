// Clusters as regions of many rows.
#include "core/density_clusters/density_clusters.hpp"
#include "bind/arrays.hpp"

#include <nanobind/stl/tuple.h>

namespace gramian::bind {

void bind_density_clusters(nb::module_& m) {
    m.def(
        "join_dense",
        [](const In1<std::int64_t>& rows, const In1<std::int64_t>& offsets,
           const In1<std::int64_t>& neighbors, const In1<std::uint8_t>& dense,
           const Out1<std::int32_t>& parent) {
            const std::int64_t n = static_cast<std::int64_t>(parent.shape(0));
            require(offsets.shape(0) == rows.shape(0) + 1 && dense.shape(0) == parent.shape(0),
                    "dense rows: offsets of all rows, and a parent and a mark for each");
            for (std::size_t r = 0; r < rows.shape(0); ++r) {
                require(rows.data()[r] >= 0 && rows.data()[r] < n && offsets.data()[r] >= 0 &&
                            offsets.data()[r] <= offsets.data()[r + 1],
                        "dense rows: numbers of rows, and rising offsets");
            }
            require(offsets.data()[rows.shape(0)] <= static_cast<std::int64_t>(neighbors.shape(0)),
                    "dense rows: as many neighbours as the offsets say");
            density_clusters::join_dense(view<std::int64_t>(rows), view<std::int64_t>(offsets),
                                         view<std::int64_t>(neighbors), view<std::uint8_t>(dense),
                                         view<std::int32_t>(parent));
        },
        "rows"_a.noconvert(), "offsets"_a.noconvert(), "neighbors"_a.noconvert(),
        "dense"_a.noconvert(), "parent"_a.noconvert(), Release(),
        "Join rows with their dense neighbours; parents are row numbers of their own at first.");
    m.def(
        "flatten_sets",
        [](const Out1<std::int32_t>& parent) {
            density_clusters::flatten_sets(view<std::int32_t>(parent));
        },
        "parent"_a.noconvert(), Release(), "Let each row's parent be the lowest of its cluster.");
    m.def(
        "condense_tree",
        [](const In2<double>& Z, Index min_size,
           const std::tuple<Out1<std::int32_t>, Out1<std::int32_t>, Out1<double>,
                            Out1<std::int32_t>>& out) {
            const auto& [parent, child, lambda, size] = out;
            const std::size_t room = 3 * (Z.shape(0) + 1);
            require(Z.shape(1) == 4 && min_size >= 2, "condensed tree: a tree and a size >= 2");
            require(parent.shape(0) >= room && child.shape(0) >= room && lambda.shape(0) >= room &&
                        size.shape(0) >= room,
                    "condensed tree: room for 3 n rows");
            for (std::size_t i = 0; i < Z.shape(0); ++i) {
                const double* const row = Z.data() + 4 * i;
                const double made = static_cast<double>(Z.shape(0) + 1 + i);
                require(row[0] >= 0 && row[0] < made && row[1] >= 0 && row[1] < made,
                        "condensed tree: each merge joins clusters made before");
            }
            const GilRelease release;
            return density_clusters::condense(view<double>(Z), min_size,
                                              {view<std::int32_t>(parent),
                                               view<std::int32_t>(child), view<double>(lambda),
                                               view<std::int32_t>(size)});
        },
        "Z"_a.noconvert(), "min_size"_a, "out"_a.noconvert(),
        "Write the condensed tree of clusters of at least min_size rows: parents, children, "
        "densities\nand sizes; return how many.");
}

} // namespace gramian::bind
