// The k-d tree: built into arrays of the caller, asked for neighbours and balls.
#include "bind/arrays.hpp"
#include "core/gate/finite.hpp"
#include "core/kdtree/search.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <bit>

namespace gramian::bind {
namespace {

template <typename T>
using In3 = nb::ndarray<const T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Out3 = nb::ndarray<T, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// X, order, points, spread, boxes, feature, value, first, as core/kdtree/search.hpp describes them.
template <typename T>
using InTree = std::tuple<In2<T>, In1<std::int32_t>, In3<float>, In1<float>, In3<float>,
                          In1<std::int32_t>, In1<T>, In1<std::int32_t>>;
template <typename T>
using OutTree = std::tuple<In2<T>, Out1<std::int32_t>, Out3<float>, Out1<float>, Out3<float>,
                           Out1<std::int32_t>, Out1<T>, Out1<std::int32_t>>;

constexpr std::size_t kMostRows = (std::size_t{1} << 31) - 1; // numbered by 32 bits

// The arrays as one tree. What they hold is written by kdtree_build alone; the rows come from
// whoever calls.
template <typename T, typename Tree>
kdtree::Tree<T> tree_view(const Tree& arrays) {
    const auto& [X, order, points, spread, boxes, feature, value, first] = arrays;
    const std::size_t n = X.shape(0), dims = X.shape(1), leaves = points.shape(0);
    require(n > 0 && n <= kMostRows && dims > 0, "k-d tree: 1 to 2^31 - 1 rows, and a column");
    require(std::has_single_bit(leaves) && leaves <= n && order.shape(0) == n &&
                points.shape(1) == dims && spread.shape(0) == leaves && boxes.shape(0) == leaves &&
                boxes.shape(1) == dims && boxes.shape(2) == 4 && feature.shape(0) == leaves &&
                value.shape(0) == leaves && first.shape(0) == 2 * leaves,
            "k-d tree: the arrays do not fit together or to the rows");
    const std::size_t in_leaf = (n + leaves - 1) / leaves;
    require(points.shape(2) >= in_leaf && points.shape(2) % kdtree::kLeafPad == 0,
            "k-d tree: the leaves do not hold the rows");
    const int levels = std::countr_zero(leaves);
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
