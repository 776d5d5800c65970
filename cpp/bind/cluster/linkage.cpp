// Trees of clusters.
#include "core/linkage/linkage.hpp"
#include "bind/neighbors/kdtree.hpp"

#include <nanobind/stl/string_view.h>

#include <string_view>

namespace gramian::bind {
namespace {

linkage::Method method_of(std::string_view name) {
    using linkage::Method;
    if (name == "single") return Method::single;
    if (name == "complete") return Method::complete;
    if (name == "average") return Method::average;
    if (name == "weighted") return Method::weighted;
    if (name == "ward") return Method::ward;
    if (name == "centroid") return Method::centroid;
    require(name == "median", "unknown linkage");
    return Method::median;
}

void fits(const Out2<double>& Z, std::size_t rows, std::size_t width) {
    require(rows > 0 && rows < (std::size_t{1} << 30), "linkage: 1 to 2^30 - 1 rows");
    require(Z.shape(0) == rows - 1 && Z.shape(1) == width, "linkage: a row for each merge");
}

template <typename Array>
void is_square(const Array& D) {
    require(D.shape(0) == D.shape(1), "linkage: a square matrix");
}

template <typename T>
void bind_rows_linkage(nb::module_& m) {
    m.def(
        "ward_linkage",
        [](const In2<T>& X, const In1<Index>& nearest, const Out2<double>& Z) {
            fits(Z, X.shape(0), 4);
            require(nearest.shape(0) == X.shape(0), "linkage: a nearest row for each row");
            linkage::ward_linkage<T>(view<T>(X), view<Index>(nearest), view<double>(Z));
        },
        "X"_a.noconvert(), "nearest"_a.noconvert(), "Z"_a.noconvert(), Release(),
        "Write Ward's tree, from the nearest other row of each row.");
    m.def(
        "rows_linkage",
        [](const In2<T>& X, const In1<Index>& nearest, std::string_view method,
           const Out2<double>& Z) {
            fits(Z, X.shape(0), 4);
            require(nearest.shape(0) == X.shape(0), "linkage: a nearest row for each row");
            require(method == "complete" || method == "average" || method == "weighted",
                    "linkage: complete, average or weighted");
            linkage::rows_linkage<T>(view<T>(X), view<Index>(nearest), method_of(method),
                                     view<double>(Z));
        },
        "X"_a.noconvert(), "nearest"_a.noconvert(), "method"_a, "Z"_a.noconvert(), Release(),
        "Write the tree under the Euclidean distance, from the nearest other row of each row.");
    m.def(
        "center_linkage",
        [](const In2<T>& X, std::string_view method, const Out2<double>& Z) {
            fits(Z, X.shape(0), 4);
            require(method == "centroid" || method == "median", "linkage: centroid or median");
            linkage::center_linkage<T>(view<T>(X), method_of(method), view<double>(Z));
        },
        "X"_a.noconvert(), "method"_a, "Z"_a.noconvert(), Release(),
        "Write the tree of centroids or medians.");
    m.def(
        "rows_spanning_tree",
        [](const In2<T>& X, const In1<double>& core, const Out2<double>& edges) {
            fits(edges, X.shape(0), 3);
            require(core.shape(0) == 0 || core.shape(0) == X.shape(0),
                    "linkage: a core distance for each row");
            linkage::rows_spanning_tree<T>(view<T>(X), view<double>(core), view<double>(edges));
        },
        "X"_a.noconvert(), "core"_a.noconvert(), "edges"_a.noconvert(), Release(),
        "Write the edges of a minimum spanning tree under the Euclidean or the mutual "
        "reachability\ndistance.");
    m.def(
        "kdtree_spanning_tree",
        [](const InTree<T>& tree, const In1<double>& core, const Out2<double>& edges) {
            const kdtree::Tree<const T> view_of_tree = tree_view<const T>(tree);
            const std::size_t n = static_cast<std::size_t>(view_of_tree.n);
            fits(edges, n, 3);
            require(core.shape(0) == 0 || core.shape(0) == n,
                    "linkage: a core distance for each row");
            linkage::kdtree_spanning_tree<T>(view_of_tree, view<double>(core), view<double>(edges));
        },
        "tree"_a.noconvert(), "core"_a.noconvert(), "edges"_a.noconvert(), Release(),
        "Write the edges of a minimum spanning tree, found on a k-d tree.");
    m.def(
        "all_distances",
        [](const In2<T>& X, const Out2<double>& D) {
            is_square(D);
            require(D.shape(0) == X.shape(0), "all distances: a row for each row");
            linkage::all_distances<T>(view<T>(X), view<double>(D));
        },
        "X"_a.noconvert(), "D"_a.noconvert(), Release(),
        "Write the Euclidean distances of all pairs of rows.");
}

} // namespace

void bind_linkage(nb::module_& m) {
    bind_rows_linkage<float>(m);
    bind_rows_linkage<double>(m);
    m.def(
        "matrix_linkage",
        [](const Out2<double>& D, std::string_view method, const Out2<double>& Z) {
            is_square(D);
            fits(Z, D.shape(0), 4);
            linkage::matrix_linkage(view<double>(D), method_of(method), view<double>(Z));
        },
        "D"_a.noconvert(), "method"_a, "Z"_a.noconvert(), Release(),
        "Write the tree under the dissimilarities above the diagonal of D, which is overwritten.");
    m.def(
        "medoid_linkage",
        [](const In2<double>& D, const Out2<double>& Z, const Out1<std::int32_t>& medoids) {
            is_square(D);
            fits(Z, D.shape(0), 4);
            require(medoids.shape(0) == Z.shape(0), "linkage: a medoid for each merge");
            linkage::medoid_linkage(view<double>(D), view<double>(Z), view<std::int32_t>(medoids));
        },
        "D"_a.noconvert(), "Z"_a.noconvert(), "medoids"_a.noconvert(), Release(),
        "Write the tree of medoids, and the medoid of each merge.");
    m.def(
        "matrix_spanning_tree",
        [](const In2<double>& D, const Out2<double>& edges) {
            is_square(D);
            fits(edges, D.shape(0), 3);
            linkage::matrix_spanning_tree(view<double>(D), view<double>(edges));
        },
        "D"_a.noconvert(), "edges"_a.noconvert(), Release(),
        "Write the edges of a minimum spanning tree under the values above the diagonal.");
    m.def(
        "tree_of_edges",
        [](const In2<double>& edges, const Out2<double>& Z) {
            require(edges.shape(1) == 3, "linkage: edges are two rows and a weight");
            fits(Z, edges.shape(0) + 1, 4);
            const double n = static_cast<double>(edges.shape(0) + 1);
            for (std::size_t i = 0; i < edges.shape(0); ++i) {
                const double* const edge = edges.data() + 3 * i;
                require(edge[0] >= 0 && edge[0] < n && edge[1] >= 0 && edge[1] < n,
                        "linkage: edges between rows");
            }
            linkage::tree_of_edges(view<double>(edges), view<double>(Z));
        },
        "edges"_a.noconvert(), "Z"_a.noconvert(), Release(),
        "Write the tree of single linkage from a spanning tree.");
}

} // namespace gramian::bind
