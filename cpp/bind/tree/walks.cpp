// Walking rows down trees.
#include "bind/arrays.hpp"
#include "bind/table.hpp"
#include "bind/tree/node_arrays.hpp"
#include "core/tree/walk.hpp"
#include "core/tree/walk_sparse.hpp"

#include <type_traits>

namespace gramian::bind {
namespace {

template <typename T>
void bind_walk(nb::class_<tree::Walk>& walk) {
    walk.def(
        "leaves",
        [](const tree::Walk& self, const In2<T>& X, const Out2<std::int32_t>& out) {
            require(static_cast<Index>(X.shape(1)) == self.n_features() &&
                        out.shape(0) == X.shape(0) &&
                        static_cast<Index>(out.shape(1)) == self.n_trees(),
                    "X as wide as in fit, out with a row per row and a column per tree");
            self.leaves<T>(view<T>(X), view<std::int32_t>(out));
        },
        "X"_a.noconvert(), "out"_a.noconvert(), Release(),
        "out[i, t] = the leaf of tree t that row i ends in.");
    walk.def(
        "sums_out_of_bag",
        [](const tree::Walk& self, const In2<T>& X, const In2<double>& values, Index first,
           const In2<std::uint8_t>& in_bag, const Out2<double>& out,
           const Out1<std::int64_t>& trees) {
            require(static_cast<Index>(X.shape(1)) == self.n_features() &&
                        out.shape(0) == X.shape(0) && out.shape(1) == values.shape(1) &&
                        static_cast<Index>(values.shape(0)) == self.n_nodes() &&
                        in_bag.shape(1) == X.shape(0) && trees.shape(0) == X.shape(0) &&
                        first >= 0 && first + static_cast<Index>(in_bag.shape(0)) <= self.n_trees(),
                    "X as wide as in fit, values for every node, a mark for every tree and row");
            self.sums_out_of_bag<T>(view<T>(X), view<double>(values), first,
                                    view<std::uint8_t>(in_bag), view<double>(out),
                                    view<std::int64_t>(trees));
        },
        "X"_a.noconvert(), "values"_a.noconvert(), "first"_a, "in_bag"_a.noconvert(),
        "out"_a.noconvert(), "trees"_a.noconvert(), Release(),
        "Add the values of row i in the trees first + t with in_bag[t, i] = 0 to out[i], and\n"
        "their number to trees[i].");
    const auto check = [](const tree::Walk& self, const In2<T>& X, const In2<double>& values,
                          const Out2<double>& out) {
        require(static_cast<Index>(X.shape(1)) == self.n_features() && out.shape(0) == X.shape(0) &&
                    out.shape(1) == values.shape(1) &&
                    static_cast<Index>(values.shape(0)) == self.n_nodes(),
                "X as wide as in fit, values for every node, out of the shape (rows, values)");
    };
    walk.def(
        "sums",
        [check](const tree::Walk& self, const In2<T>& X, const In2<double>& values, double scale,
                const Out2<double>& out) {
            check(self, X, values, out);
            self.sums<T>(view<T>(X), view<double>(values), scale, view<double>(out));
        },
        "X"_a.noconvert(), "values"_a.noconvert(), "scale"_a, "out"_a.noconvert(), Release(),
        "out[i] += scale * sum over the trees of values[leaf of row i].");
    walk.def(
        "fractions",
        [check](const tree::Walk& self, const In2<T>& X, const In2<double>& values, double scale,
                const Out2<double>& out) {
            check(self, X, values, out);
            self.fractions<T>(view<T>(X), view<double>(values), scale, view<double>(out));
        },
        "X"_a.noconvert(), "values"_a.noconvert(), "scale"_a, "out"_a.noconvert(), Release(),
        "As sums, but a missing value whose child is -1 goes down all children in proportion.");
}

// body(dense rows, number of the first) for the rows of a CSR table, a few at a time.
template <typename Body>
void for_rows_of(const Table& table, const Body& body) {
    table.visit([&](const auto& X) {
        if constexpr (requires { X.offsets; })
            tree::for_dense_rows(X, body);
        else
            runtime::require(false, "a CSR table; rows of others are walked as they are");
    });
}

template <typename T>
Matrix<T> rows_from(const Out2<T>& out, Index first, Index n) {
    return {out.data() + first * static_cast<Index>(out.shape(1)), n,
            static_cast<Index>(out.shape(1))};
}

void bind_sparse_walk(nb::class_<tree::Walk>& walk) {
    walk.def(
        "leaves",
        [](const tree::Walk& self, const Table& X, const Out2<std::int32_t>& out) {
            require(X.cols() == self.n_features() && static_cast<Index>(out.shape(0)) == X.rows() &&
                        static_cast<Index>(out.shape(1)) == self.n_trees(),
                    "X as wide as in fit, out with a row per row and a column per tree");
            for_rows_of(X, [&](auto rows, Index first) {
                self.leaves(rows, rows_from<std::int32_t>(out, first, rows.rows));
            });
        },
        "X"_a, "out"_a.noconvert(), "The same for a CSR table.");
    walk.def(
        "sums",
        [](const tree::Walk& self, const Table& X, const In2<double>& values, double scale,
           const Out2<double>& out) {
            require(X.cols() == self.n_features() && static_cast<Index>(out.shape(0)) == X.rows() &&
                        out.shape(1) == values.shape(1) &&
                        static_cast<Index>(values.shape(0)) == self.n_nodes(),
                    "X as wide as in fit, values for every node, out of the shape (rows, values)");
            for_rows_of(X, [&](auto rows, Index first) {
                self.sums(rows, view<double>(values), scale,
                          rows_from<double>(out, first, rows.rows));
            });
        },
        "X"_a, "values"_a.noconvert(), "scale"_a, "out"_a.noconvert(), "The same for a CSR table.");
}

void make_walk(tree::Walk* self, const Arrays& arrays, const In1<std::int64_t>& roots,
               const In1<std::int64_t>& words) {
    const auto first_child = array_named<const std::int32_t>(arrays, "first_child");
    const auto nodes = [&]<typename T>(const char* name) {
        const auto array = array_named<const T>(arrays, name);
        require(array.size() == first_child.size(), "one entry per node in every array");
        return array.data();
    };
    const auto ints = [&](const char* name) { return nodes.operator()<std::int32_t>(name); };
    const auto bits = array_named<const std::uint64_t>(arrays, "bits");
    const auto levels = array_named<const std::int32_t>(arrays, "levels");
    const tree::NodeArrays all{.n_nodes = static_cast<Index>(first_child.size()),
                               .first_child = first_child.data(),
                               .n_children = ints("n_children"),
                               .kind = nodes.operator()<std::uint8_t>("kind"),
                               .feature = ints("feature"),
                               .threshold = nodes.operator()<double>("threshold"),
                               .bit_start = ints("bit_start"),
                               .missing = ints("missing"),
                               .weight = nodes.operator()<double>("weight"),
                               .bits = {bits.data(), static_cast<Index>(bits.size())}};
    const GilRelease release;
    new (self) tree::Walk(all, view<std::int64_t>(roots), view<std::int64_t>(words),
                          {levels.data(), static_cast<Index>(levels.size())});
}

} // namespace

void bind_walks(nb::module_& m) {
    nb::class_<tree::Walk> walk(m, "TreeWalk", "Trees, checked and packed for walking rows down.");
    walk.def("__init__", make_walk, "arrays"_a, "roots"_a.noconvert(), "words"_a.noconvert());
    bind_walk<float>(walk);
    bind_walk<double>(walk);
    bind_sparse_walk(walk);
}

} // namespace gramian::bind
