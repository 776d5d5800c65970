// Trees: walking rows down them.
#include "bind/arrays.hpp"
#include "core/tree_walk.hpp"

#include <stdexcept>

namespace gramian::bind {
namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::invalid_argument(what);
}

template <typename T>
void bind_walk(nb::class_<TreeWalk>& walk) {
    walk.def(
        "leaves",
        [](const TreeWalk& self, const In2<T>& X, const Out2<std::int32_t>& out) {
            require(static_cast<Index>(X.shape(1)) == self.n_features() &&
                        out.shape(0) == X.shape(0) &&
                        static_cast<Index>(out.shape(1)) == self.n_trees(),
                    "X as wide as in fit, out with a row per row and a column per tree");
            self.leaves<T>(view<T>(X), view<std::int32_t>(out));
        },
        "X"_a.noconvert(), "out"_a.noconvert(), Release(),
        "out[i, t] = the leaf of tree t that row i ends in.");
    const auto check = [](const TreeWalk& self, const In2<T>& X, const In2<double>& values,
                          const Out2<double>& out) {
        require(static_cast<Index>(X.shape(1)) == self.n_features() && out.shape(0) == X.shape(0) &&
                    out.shape(1) == values.shape(1) &&
                    static_cast<Index>(values.shape(0)) == self.n_nodes(),
                "X as wide as in fit, values for every node, out of the shape (rows, values)");
    };
    walk.def(
        "sums",
        [check](const TreeWalk& self, const In2<T>& X, const In2<double>& values, double scale,
                const Out2<double>& out) {
            check(self, X, values, out);
            self.sums<T>(view<T>(X), view<double>(values), scale, view<double>(out));
        },
        "X"_a.noconvert(), "values"_a.noconvert(), "scale"_a, "out"_a.noconvert(), Release(),
        "out[i] += scale * sum over the trees of values[leaf of row i].");
    walk.def(
        "fractions",
        [check](const TreeWalk& self, const In2<T>& X, const In2<double>& values, double scale,
                const Out2<double>& out) {
            check(self, X, values, out);
            self.fractions<T>(view<T>(X), view<double>(values), scale, view<double>(out));
        },
        "X"_a.noconvert(), "values"_a.noconvert(), "scale"_a, "out"_a.noconvert(), Release(),
        "As sums, but a missing value whose child is -1 goes down all children in proportion.");
}

} // namespace

void bind_trees(nb::module_& m) {
    nb::class_<TreeWalk> walk(m, "TreeWalk", "Trees, checked and packed for walking rows down.");
    walk.def(
        "__init__",
        [](TreeWalk* self, const In1<std::int32_t>& first_child,
           const In1<std::int32_t>& n_children, const In1<std::uint8_t>& kind,
           const In1<std::int32_t>& feature, const In1<double>& threshold,
           const In1<std::int32_t>& bit_start, const In1<std::int32_t>& missing,
           const In1<double>& weight, const In1<std::uint64_t>& bits,
           const In1<std::int64_t>& roots, const In1<std::int32_t>& levels) {
            const auto n = first_child.shape(0);
            require(n_children.shape(0) == n && kind.shape(0) == n && feature.shape(0) == n &&
                        threshold.shape(0) == n && bit_start.shape(0) == n &&
                        missing.shape(0) == n && weight.shape(0) == n,
                    "one entry per node in every array");
            new (self) TreeWalk({static_cast<Index>(n), first_child.data(), n_children.data(),
                                 kind.data(), feature.data(), threshold.data(), bit_start.data(),
                                 missing.data(), weight.data(), view<std::uint64_t>(bits)},
                                view<std::int64_t>(roots), view<std::int32_t>(levels));
        },
        "first_child"_a.noconvert(), "n_children"_a.noconvert(), "kind"_a.noconvert(),
        "feature"_a.noconvert(), "threshold"_a.noconvert(), "bit_start"_a.noconvert(),
        "missing"_a.noconvert(), "weight"_a.noconvert(), "bits"_a.noconvert(),
        "roots"_a.noconvert(), "levels"_a.noconvert());
    bind_walk<float>(walk);
    bind_walk<double>(walk);
}

} // namespace gramian::bind
