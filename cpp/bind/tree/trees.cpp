// Growing trees.
#include "bind/arrays.hpp"
#include "bind/table.hpp"
#include "bind/tree/node_arrays.hpp"
#include "core/splits/columns.hpp"
#include "core/tree/forest.hpp"
#include "core/tree/grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace gramian::bind {
namespace {

template <typename T>
void bind_columns(nb::class_<tree::Columns>& columns) {
    columns.def(
        "__init__",
        [](tree::Columns* self, const In2<T>& X, const In1<std::int32_t>& levels, Index max_bins) {
            require(max_bins >= 0 && max_bins != 1, "no bins (0), or at least two");
            const GilRelease release;
            new (self) tree::Columns(view<T>(X), view<std::int32_t>(levels), max_bins);
        },
        "X"_a.noconvert(), "levels"_a.noconvert(), "max_bins"_a = 0, nb::keep_alive<1, 2>());
}

// A function from class weights (m, K) to impurities (m,), called with the GIL.
tree::ImpurityFunction impurity_function(nb::object function) {
    return [function = std::move(function)](Matrix<const double> counts, double* impurity) {
        const GilAcquire gil;
        using Numpy = nb::ndarray<nb::numpy, const double, nb::ndim<2>>;
        const std::size_t shape[2] = {static_cast<std::size_t>(counts.rows),
                                      static_cast<std::size_t>(counts.cols)};
        const auto result = nb::cast<In1<double>>(
            function(nb::cast(Numpy(counts.data, 2, shape), nb::rv_policy::copy)));
        require(static_cast<Index>(result.shape(0)) == counts.rows,
                "an impurity function returns a float64 array with one impurity per row");
        std::copy_n(result.data(), counts.rows, impurity);
    };
}

void bind_options(nb::module_& m) {
    nb::enum_<tree::Criterion>(m, "TreeCriterion")
        .value("gini", tree::Criterion::gini)
        .value("entropy", tree::Criterion::entropy)
        .value("misclassification", tree::Criterion::misclassification)
        .value("gain_ratio", tree::Criterion::gain_ratio)
        .value("function", tree::Criterion::function)
        .value("squared_error", tree::Criterion::squared_error)
        .value("deviation", tree::Criterion::deviation)
        .value("absolute_error", tree::Criterion::absolute_error)
        .value("worst_error", tree::Criterion::worst_error)
        .value("poisson", tree::Criterion::poisson);
    nb::enum_<tree::CategorySplits>(m, "CategorySplits")
        .value("group", tree::CategorySplits::group)
        .value("each", tree::CategorySplits::each)
        .value("one", tree::CategorySplits::one);
    nb::class_<tree::GrowOptions>(m, "GrowOptions",
                                  "The criterion and the stopping rules of a tree.")
        .def(nb::init<>())
        .def_rw("criterion", &tree::GrowOptions::criterion)
        .def_rw("category_splits", &tree::GrowOptions::category_splits)
        .def_rw("plain_sum", &tree::GrowOptions::plain_sum)
        .def_rw("random_split", &tree::GrowOptions::random_split)
        .def_rw("max_depth", &tree::GrowOptions::max_depth)
        .def_rw("max_leaf_nodes", &tree::GrowOptions::max_leaf_nodes)
        .def_rw("min_samples_split", &tree::GrowOptions::min_samples_split)
        .def_rw("min_samples_leaf", &tree::GrowOptions::min_samples_leaf)
        .def_rw("max_features", &tree::GrowOptions::max_features)
        .def_rw("min_weight_leaf", &tree::GrowOptions::min_weight_leaf)
        .def_rw("min_impurity_decrease", &tree::GrowOptions::min_impurity_decrease)
        .def_rw("max_purity", &tree::GrowOptions::max_purity)
        .def_rw("monotone", &tree::GrowOptions::monotone)
        .def_rw("seed", &tree::GrowOptions::seed)
        .def(
            "set_function",
            [](tree::GrowOptions& self, nb::object function) {
                self.function = impurity_function(std::move(function));
            },
            "function"_a);
}

// The length of some array of a tree, over all trees.
template <typename Size>
std::size_t total(const std::vector<const tree::GrownTree*>& trees, const Size& size) {
    std::size_t sum = 0;
    for (const tree::GrownTree* tree : trees) sum += static_cast<std::size_t>(size(*tree));
    return sum;
}

void write_trees(const std::vector<const tree::GrownTree*>& trees, const Arrays& arrays,
                 const std::optional<In1<double>>& center, double scale, bool squared) {
    require(std::find(trees.begin(), trees.end(), nullptr) == trees.end(), "trees");
    const std::size_t nodes = total(trees, [](const tree::GrownTree& t) { return t.size(); });
    const auto room = [&]<typename T>(const char* name, std::size_t size) {
        const Flat<T> array = array_named<T>(arrays, name);
        require(array.size() == size, "room for the nodes, bits and values of the trees");
        return array.data();
    };
    const auto ints = [&](const char* name) { return room.operator()<std::int32_t>(name, nodes); };
    const auto doubles = [&](const char* name) { return room.operator()<double>(name, nodes); };
    const std::size_t values =
        total(trees, [](const tree::GrownTree& t) { return t.value.size(); });
    const std::size_t words = total(trees, [](const tree::GrownTree& t) { return t.bits.size(); });
    const tree::Output out{.first_child = ints("first_child"),
                           .n_children = ints("n_children"),
                           .feature = ints("feature"),
                           .bit_start = ints("bit_start"),
                           .missing = ints("missing"),
                           .kind = room.operator()<std::uint8_t>("kind", nodes),
                           .threshold = doubles("threshold"),
                           .weight = doubles("weight"),
                           .impurity = doubles("impurity"),
                           .value = room.operator()<double>("value", values),
                           .samples = room.operator()<std::int64_t>("samples", nodes),
                           .bits = room.operator()<std::uint64_t>("bits", words)};
    const Vector<const double> centers =
        center ? view<double>(*center) : Vector<const double>{nullptr, 0};
    const GilRelease release;
    tree::write_trees(trees, out, {centers, scale, squared});
}

void bind_grown(nb::module_& m) {
    nb::class_<tree::GrownTree>(m, "GrownTree", "A grown tree, to be copied into arrays.")
        .def_prop_ro("n_nodes", &tree::GrownTree::size)
        .def_prop_ro("n_words", [](const tree::GrownTree& self) { return self.bits.size(); });
    m.def("write_trees", write_trees, "trees"_a, "arrays"_a, "center"_a.noconvert().none(),
          "scale"_a, "squared"_a,
          "Copy trees into arrays, one after the other, in the units of the targets.");
}

using Codes = std::optional<In2<std::uint16_t>>;
using Values = std::optional<In2<double>>;
using RowWeights = std::optional<In1<double>>;

// The targets of trees, with the arrays that they refer to.
class Targets {
public:
    Targets(const Codes& codes, const Values& values, const RowWeights& weights, Index n_classes)
        : codes_(codes), values_(values), weights_(weights) {
        require(codes.has_value() != values.has_value(), "either codes or values");
        rows_ = static_cast<Index>(codes ? codes->shape(0) : values->shape(0));
        targets_.n_outputs = static_cast<Index>(codes ? codes->shape(1) : values->shape(1));
        targets_.n_classes = n_classes;
        targets_.codes = codes ? codes->data() : nullptr;
        targets_.values = values ? values->data() : nullptr;
        targets_.weights = weights ? weights->data() : nullptr;
        require(!weights || static_cast<Index>(weights->shape(0)) == rows_, "a weight per row");
        require(n_classes >= 1 && targets_.n_outputs >= 1, "at least one class and output");
        require(!codes || std::all_of(codes->data(), codes->data() + codes->size(),
                                      [&](std::uint16_t c) { return c < n_classes; }),
                "codes below n_classes");
    }

    template <typename AnyColumns>
    const tree::Targets& checked(const AnyColumns& columns,
                                 const tree::GrowOptions& options) const {
        require(rows_ == columns.rows(), "a target per row");
        require(options.monotone.empty() ||
                    static_cast<Index>(options.monotone.size()) == columns.cols(),
                "a monotonic constraint per column");
        require(options.max_features >= 1 && options.max_features <= columns.cols() &&
                    options.min_samples_leaf >= 1,
                "at least one column and one row");
        return targets_;
    }

private:
    Codes codes_;
    Values values_;
    RowWeights weights_;
    Index rows_;
    tree::Targets targets_;
};

tree::Draws draws_of(Index rows, Index count, const RowWeights& cumulative, std::uint64_t seed) {
    require(rows > 0 && count >= 0, "at least one row, no negative number of draws");
    require(!cumulative || (static_cast<Index>(cumulative->shape(0)) == rows &&
                            cumulative->data()[rows - 1] > 0),
            "a cumulative weight per row");
    return {rows, count, cumulative ? cumulative->data() : nullptr, seed};
}

using TakesTrees = nb::typed<nb::callable, void(std::vector<tree::GrownTree>)>;

template <typename AnyColumns>
void bind_grow(nb::module_& m) {
    m.def(
        "grow_tree",
        [](AnyColumns& columns, const Targets& targets, const tree::GrowOptions& options,
           std::uint64_t tree, bool alone) {
            return tree::grow_tree(columns, targets.checked(columns, options), options, tree,
                                   alone ? tree::Lists::own : tree::Lists::shared);
        },
        "columns"_a, "targets"_a, "options"_a, "tree"_a, "alone"_a = false, Release(),
        "Grow a tree. `alone`: no other tree is grown on the columns, which needs less memory.");
    m.def(
        "grow_forest",
        [](AnyColumns& columns, const Targets& targets, const tree::GrowOptions& options,
           Index draws, const RowWeights& cumulative, bool balanced, std::uint64_t first,
           Index n_trees, const TakesTrees& take) {
            const tree::Targets& checked = targets.checked(columns, options);
            require(n_trees >= 0 && (!balanced || checked.classification()), "classes to balance");
            const tree::Draws how = draws_of(columns.rows(), draws, cumulative, options.seed);
            const GilRelease release;
            tree::grow_forest(columns, checked, options, how, balanced, first, n_trees,
                              [&](std::vector<tree::GrownTree> trees) {
                                  const GilAcquire gil;
                                  take(std::move(trees));
                              });
        },
        "columns"_a, "targets"_a, "options"_a, "draws"_a, "cumulative"_a.noconvert().none(),
        "balanced"_a, "first"_a, "n_trees"_a, "take"_a,
        "Grow trees number first, first + 1, ..., each on `draws` rows drawn with replacement, or\n"
        "on all rows where that is 0. `take` gets lists of them, in order, from any thread.");
}

void bind_growth(nb::module_& m) {
    nb::class_<Targets>(m, "TreeTargets",
                        "Class codes or numbers of shape (rows, outputs), and weights of the rows.")
        .def(nb::init<const Codes&, const Values&, const RowWeights&, Index>(),
             "codes"_a.noconvert().none(), "values"_a.noconvert().none(),
             "weights"_a.noconvert().none(), "n_classes"_a);
    bind_grow<tree::Columns>(m);
    bind_grow<tree::SparseColumns>(m);
    m.def(
        "count_draws",
        [](std::uint64_t seed, std::uint64_t tree, Index draws, const RowWeights& cumulative,
           const Out1<double>& counts) {
            tree::count_draws(
                draws_of(static_cast<Index>(counts.shape(0)), draws, cumulative, seed), tree,
                counts.data());
        },
        "seed"_a, "tree"_a, "draws"_a, "cumulative"_a.noconvert().none(), "counts"_a.noconvert(),
        Release(), "Write how often each row was drawn for a tree of `grow_forest`.");
}

} // namespace

void bind_trees(nb::module_& m) {
    nb::class_<tree::Columns> columns(m, "TreeColumns",
                                      "The columns of a table, prepared for all its trees.");
    bind_columns<float>(columns);
    bind_columns<double>(columns);
    nb::class_<tree::SparseColumns>(m, "SparseTreeColumns",
                                    "The columns of a CSR table, prepared for all its trees.")
        .def(
            "__init__",
            [](tree::SparseColumns* self, const Table& X) {
                X.visit([&](const auto& rows) {
                    if constexpr (requires { rows.offsets; })
                        new (self) tree::SparseColumns(rows);
                    else
                        runtime::require(false, "a CSR table");
                });
            },
            "X"_a, nb::keep_alive<1, 2>());
    bind_options(m);
    bind_grown(m);
    bind_growth(m);
}

} // namespace gramian::bind
