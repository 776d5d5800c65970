// Sums of kernel weights over the rows of a k-d tree.
#include "bind/neighbors/kdtree.hpp"
#include "core/kernel_sums/sums.hpp"

#include <nanobind/stl/string_view.h>

#include <string_view>

namespace gramian::bind {
namespace {

kernel_sums::Shape shape_of(std::string_view name) {
    if (name == "exponential") return kernel_sums::Shape::exponential;
    if (name == "box") return kernel_sums::Shape::box;
    if (name == "slope") return kernel_sums::Shape::slope;
    require(name == "cosine", "kernel sums: unknown shape");
    return kernel_sums::Shape::cosine;
}

// points, weights and values of the leaves
using Packed = std::tuple<In3<double>, In2<double>, In3<double>>;

kernel_sums::Rows rows_view(const InTree<double>& tree, const Packed& packed) {
    const kdtree::Tree<const double> of_tree = tree_view<const double>(tree);
    const auto& [points, weights, values] = packed;
    const std::size_t leaves = std::size_t{1} << of_tree.levels;
    const std::size_t capacity = static_cast<std::size_t>(of_tree.capacity);
    require(points.shape(0) == leaves && points.shape(2) == capacity &&
                static_cast<Index>(points.shape(1)) == of_tree.dims && weights.shape(0) == leaves &&
                weights.shape(1) == capacity && values.shape(0) == leaves &&
                values.shape(2) == capacity,
            "kernel sums: points, weights and values as wide as the leaves");
    return {of_tree, points.data(), weights.data(), values.data(),
            static_cast<Index>(values.shape(1))};
}

} // namespace

void bind_kernel_sums(nb::module_& m) {
    m.def(
        "kernel_sums",
        [](const InTree<double>& tree, const Packed& packed, const In2<double>& queries,
           std::tuple<std::string_view, bool, double, bool> kernel, const In2<double>& scales,
           std::tuple<bool, bool> task, const Out2<double>& sums, const Out1<double>& references) {
            const kernel_sums::Rows rows = rows_view(tree, packed);
            const auto& [shape, squared, p, each] = kernel;
            const auto& [own, local_linear] = task;
            require(p >= 1, "kernel sums: p >= 1");
            require(!squared || shape == "exponential" || shape == "slope",
                    "kernel sums: box and cosine are shapes of the distance");
            require(static_cast<Index>(queries.shape(1)) == rows.tree.dims &&
                        queries.shape(0) <= kMostRows,
                    "kernel sums: at most 2^31 - 1 queries, as wide as the rows");
            require(!own || static_cast<Index>(queries.shape(0)) == rows.tree.n,
                    "kernel sums: own needs the rows as queries");
            require(scales.shape(0) == 2, "kernel sums: scales and reaches");
            const Index count = static_cast<Index>(scales.shape(1));
            require(!each || scales.shape(1) == queries.shape(0),
                    "kernel sums: a scale for each query");
            const kernel_sums::Task of{own, local_linear};
            require(sums.shape(0) == queries.shape(0) && references.shape(0) == queries.shape(0) &&
                        static_cast<Index>(sums.shape(1)) ==
                            (each ? 1 : count) * left_size(rows, of) * right_size(rows, of),
                    "kernel sums: a row of sums and a reference for each query");
            const kernel_sums::Kernel with{shape_of(shape),
                                           squared,
                                           p,
                                           each,
                                           {scales.data(), count},
                                           {scales.data() + count, count}};
            const GilRelease release;
            kernel_sums::kernel_sums(rows, view<double>(queries), with, of, view<double>(sums),
                                     view<double>(references));
        },
        "tree"_a.noconvert(), "packed"_a.noconvert(), "queries"_a.noconvert(), "kernel"_a,
        "scales"_a.noconvert(), "task"_a, "sums"_a.noconvert(), "references"_a.noconvert(),
        "Write the sums of kernel weights for each query, as core/kernel_sums/sums.hpp defines "
        "them: "
        "the\nkernel is (shape, squared, p, each), the rows of scales are scales and reaches, the "
        "task "
        "is "
        "(own,\nstraight).");
}

} // namespace gramian::bind
