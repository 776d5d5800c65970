// The k-d tree: built into arrays of the caller, asked for neighbours and balls.
#include "bind/arrays.hpp"
#include "core/kdtree.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

namespace gramian::bind {
namespace {

template <typename T>
using In3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out3 = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// X, order, points, spread, boxes, feature, value, first, as core/kdtree.hpp describes them.
template <typename T>
using InTree = std::tuple<In2<T>, In1<std::int32_t>, In3<float>, In1<float>, In3<float>,
                          In1<std::int32_t>, In1<T>, In1<std::int32_t>>;
template <typename T>
using OutTree = std::tuple<In2<T>, Out1<std::int32_t>, Out3<float>, Out1<float>, Out3<float>,
                           Out1<std::int32_t>, Out1<T>, Out1<std::int32_t>>;

template <typename T, typename Tree>
KdTree<T> tree_view(const Tree& arrays) {
    const auto& [X, order, points, spread, boxes, feature, value, first] = arrays;
    Index levels = 0;
    while (Index{1} << levels < static_cast<Index>(points.shape(0))) ++levels;
    return {X.data(),
            order.data(),
            points.data(),
            spread.data(),
            boxes.data(),
            feature.data(),
            value.data(),
            first.data(),
            static_cast<Index>(X.shape(0)),
            static_cast<Index>(X.shape(1)),
            levels,
            static_cast<Index>(points.shape(2))};
}

template <typename T>
void bind_kdtree(nb::module_& m) {
    m.def(
        "kdtree_build",
        [](const OutTree<T>& tree) {
            const KdTree<T> view_of_tree = tree_view<T>(tree);
            const nb::gil_scoped_release release;
            kdtree_build<T>(view_of_tree);
        },
        "tree"_a.noconvert());
    m.def(
        "kdtree_nearest",
        [](const InTree<T>& tree, const In2<T>& queries, double p, double eps, bool best_first,
           const Out2<T>& distances, const Out2<std::int64_t>& indices) {
            const KdTree<const T> view_of_tree = tree_view<const T>(tree);
            const nb::gil_scoped_release release;
            const KdTreeVisits visits =
                kdtree_nearest<T>(view_of_tree, view<T>(queries), p, eps, best_first,
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
            const KdTree<const T> view_of_tree = tree_view<const T>(tree);
            const nb::gil_scoped_release release;
            kdtree_count<T>(view_of_tree, view<T>(queries), p, view<double>(radii),
                            view<std::int64_t>(counts));
        },
        "tree"_a.noconvert(), "queries"_a.noconvert(), "p"_a, "radii"_a.noconvert(),
        "counts"_a.noconvert());
    m.def(
        "kdtree_within",
        [](const InTree<T>& tree, const In2<T>& queries, double p, const In1<double>& radii,
           const In1<std::int64_t>& offsets, bool sorted, const Out1<T>& distances,
           const Out1<std::int64_t>& indices) {
            const KdTree<const T> view_of_tree = tree_view<const T>(tree);
            const nb::gil_scoped_release release;
            kdtree_within<T>(view_of_tree, view<T>(queries), p, view<double>(radii),
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
            const KdTreeShape shape = kdtree_shape(n, leaf_size);
            return std::pair(shape.levels, shape.capacity);
        },
        "n"_a, "leaf_size"_a, "The number of levels and the capacity of a leaf.");
    bind_kdtree<float>(m);
    bind_kdtree<double>(m);
}

} // namespace gramian::bind
