// The k-d tree: built into arrays of the caller, asked for neighbours and balls.
#include "bind/neighbors/kdtree.hpp"
#include "core/gate/finite.hpp"

#include <nanobind/stl/pair.h>

namespace gramian::bind {
namespace {

template <typename T>
void fit_together(const kdtree::Tree<const T>& tree, const In2<T>& queries, double p) {
    require(static_cast<Index>(queries.shape(1)) == tree.dims && queries.shape(0) <= kMostRows,
            "k-d tree: at most 2^31 - 1 queries, as wide as the rows");
    require(p >= 1, "k-d tree: p >= 1");
}

template <typename T>
void bind_kdtree(nb::module_& m) {
    m.def(
        "kdtree_build",
        [](const OutTree<T>& tree) {
            const kdtree::Tree<T> view_of_tree = tree_view<T>(tree);
            const GilRelease release;
            require(gate::all_finite<T>({view_of_tree.X, view_of_tree.n * view_of_tree.dims}),
                    "k-d tree: rows of finite numbers");
            kdtree::build<T>(view_of_tree);
        },
        "tree"_a.noconvert());
    m.def(
        "kdtree_nearest",
        [](const InTree<T>& tree, const In2<T>& queries, double p, double eps, bool best_first,
           const Out2<T>& distances, const Out2<std::int64_t>& indices) {
            const kdtree::Tree<const T> view_of_tree = tree_view<const T>(tree);
            fit_together(view_of_tree, queries, p);
            require(distances.shape(0) == queries.shape(0) &&
                        indices.shape(0) == queries.shape(0) &&
                        distances.shape(1) == indices.shape(1) && distances.shape(1) > 0 &&
                        static_cast<Index>(distances.shape(1)) <= view_of_tree.n,
                    "k-d tree: a row of 1 to n distances and indices per query");
            const GilRelease release;
            const kdtree::Visits visits =
                kdtree::nearest<T>(view_of_tree, view<T>(queries), p, eps, best_first,
                                   view<T>(distances), view<std::int64_t>(indices));
            return std::pair(visits.boxes, visits.points);
        },
        "tree"_a.noconvert(), "queries"_a.noconvert(), "p"_a, "eps"_a, "best_first"_a,
        "distances"_a.noconvert(), "indices"_a.noconvert(),
        "Returns the number of boxes and of points measured.");
    m.def(
        "kdtree_count",
        [](const InTree<T>& tree, const In2<T>& queries, double p, const In1<double>& radii,
           const Out1<std::int64_t>& counts) {
            const kdtree::Tree<const T> view_of_tree = tree_view<const T>(tree);
            fit_together(view_of_tree, queries, p);
            require(radii.shape(0) == queries.shape(0) && counts.shape(0) == queries.shape(0),
                    "k-d tree: a radius and a count per query");
            const GilRelease release;
            kdtree::count_within<T>(view_of_tree, view<T>(queries), p, view<double>(radii),
                                    view<std::int64_t>(counts));
        },
        "tree"_a.noconvert(), "queries"_a.noconvert(), "p"_a, "radii"_a.noconvert(),
        "counts"_a.noconvert());
    m.def(
        "kdtree_within",
        [](const InTree<T>& tree, const In2<T>& queries, double p, const In1<double>& radii,
           const In1<std::int64_t>& offsets, bool sorted, const Out1<T>& distances,
           const Out1<std::int64_t>& indices) {
            const kdtree::Tree<const T> view_of_tree = tree_view<const T>(tree);
            fit_together(view_of_tree, queries, p);
            require(radii.shape(0) == queries.shape(0) &&
                        offsets.shape(0) == queries.shape(0) + 1 &&
                        static_cast<Index>(indices.shape(0)) == offsets.data()[queries.shape(0)] &&
                        (distances.shape(0) == 0 || distances.shape(0) == indices.shape(0)),
                    "k-d tree: a radius per query, and room for all that lie within");
            const GilRelease release;
            kdtree::within<T>(view_of_tree, view<T>(queries), p, view<double>(radii),
                              view<std::int64_t>(offsets), sorted, view<T>(distances),
                              view<std::int64_t>(indices));
        },
        "tree"_a.noconvert(), "queries"_a.noconvert(), "p"_a, "radii"_a.noconvert(),
        "offsets"_a.noconvert(), "sorted"_a, "distances"_a.noconvert(), "indices"_a.noconvert());
}

} // namespace

void bind_neighbors(nb::module_& m) {
    m.def(
        "kdtree_shape",
        [](Index n, Index leaf_size) {
            const kdtree::Shape shape = kdtree::shape_of(n, leaf_size);
            return std::pair(shape.levels, shape.capacity);
        },
        "n"_a, "leaf_size"_a, "The number of levels and the capacity of a leaf.");
    bind_kdtree<float>(m);
    bind_kdtree<double>(m);
}

} // namespace gramian::bind
