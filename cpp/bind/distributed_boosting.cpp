// Gradient boosting of rows distributed over workers.
#include "core/boost/distributed.hpp"

#include "bind/boosting.hpp"

#include <algorithm>

namespace gramian::bind {
namespace {

// A layout as five numbers, in the order of its fields.
boost::CellLayout layout_of(const In1<double>& numbers) {
    require(length(numbers) == 5, "a layout of five numbers");
    const double* at = numbers.data();
    return {static_cast<int>(at[0]), static_cast<int>(at[1]), static_cast<Index>(at[2]), at[3],
            at[4]};
}

boost::SumDigits digits_of(const In1<double>& largest) {
    require(length(largest) == 2, "the largest gradient and curvature");
    return boost::SumDigits(largest.data()[0], largest.data()[1]);
}

using Hessian = std::optional<In1<float>>;

const float* hessian_data(const Hessian& hessian, Index rows) {
    require(!hessian || length(*hessian) == rows, "a curvature per row");
    return hessian ? hessian->data() : nullptr;
}

constexpr Index kDivision = 8; // numbers: leaf, children, counted, feature, four words

void bind_worker_rows(nb::module_& m) {
    nb::class_<boost::WorkerRows>(m, "WorkerRows",
                                  "The rows of one worker, sorted by the leaf of a growing tree.")
        .def(
            "__init__",
            [](boost::WorkerRows* self, const BinnedColumns& table) {
                new (self) boost::WorkerRows(table.codes(), table.rows(), table.columns());
            },
            "columns"_a, nb::keep_alive<1, 2>(), Release())
        .def_prop_ro("hist_size", &boost::WorkerRows::hist_size)
        .def_prop_ro("n_keys", &boost::WorkerRows::n_keys)
        .def(
            "begin",
            [](boost::WorkerRows& self, const In1<float>& gradient, const Hessian& hessian,
               const In1<double>& layout, const Out1<double>& hist) {
                require(length(gradient) == self.rows() && length(hist) == self.hist_size(),
                        "a gradient per row, a histogram");
                const float* h = hessian_data(hessian, self.rows());
                const boost::CellLayout units = layout_of(layout);
                const GilRelease release;
                self.begin(gradient.data(), h, units);
                self.histogram(0, hist.data());
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "layout"_a.noconvert(),
            "hist"_a.noconvert(), "Start a tree and write the histogram of all rows.")
        .def(
            "divide",
            [](boost::WorkerRows& self, const In2<std::int64_t>& divisions,
               const Out2<double>& hists) {
                require(divisions.shape(1) == kDivision &&
                            static_cast<Index>(hists.shape(1)) == self.hist_size(),
                        "divisions of eight numbers, histograms");
                const GilRelease release;
                Index next = 0;
                for (Index k = 0; k < length(divisions); ++k) {
                    const std::int64_t* row = divisions.data() + kDivision * k;
                    boost::Division division{row[0], row[1], row[2], row[3], {}};
                    for (int w = 0; w < 4; ++w) {
                        division.left[w] = static_cast<std::uint64_t>(row[4 + w]);
                    }
                    self.divide(division);
                    if (division.counted < 0) continue;
                    require(next < length(hists) && division.counted <= 1, "a histogram for each");
                    self.histogram(division.children + division.counted,
                                   hists.data() + self.hist_size() * next++);
                }
            },
            "divisions"_a.noconvert(), "hists"_a.noconvert(),
            "Split leaves and write the requested histograms of children.")
        .def(
            "sums",
            [](const boost::WorkerRows& self, const In1<float>& gradient, const Hessian& hessian,
               const In1<double>& largest, const Out2<double>& sums) {
                require(length(gradient) == self.rows() && length(sums) == self.n_keys() &&
                            sums.shape(1) == 6,
                        "a gradient per row, six sums per key");
                const float* h = hessian_data(hessian, self.rows());
                const boost::SumDigits digits = digits_of(largest);
                const GilRelease release;
                double* at = sums.data();
                for (const boost::LeafSums& s : self.sums(gradient.data(), h, digits)) {
                    for (const boost::ReproducibleSum& part : {s.gradient, s.hessian, s.squares}) {
                        *at++ = part.first;
                        *at++ = part.second;
                    }
                }
            },
            "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "largest"_a.noconvert(),
            "sums"_a.noconvert(),
            "Write each key's sums of gradients, curvatures and squared gradients, two digits "
            "each.")
        .def(
            "add",
            [](const boost::WorkerRows& self, const In1<double>& values,
               const Out1<double>& score) {
                require(length(values) == self.n_keys() && length(score) == self.rows(),
                        "a value per key, a score per row");
                const GilRelease release;
                self.add(values.data(), score.data());
            },
            "values"_a.noconvert(), "score"_a.noconvert(),
            "Add to each row's score the value of its key.");
    m.def(
        "boost_largest",
        [](const In1<float>& gradient, const Hessian& hessian) {
            const float* h = hessian_data(hessian, length(gradient));
            const GilRelease release;
            const boost::SampleSizes sizes =
                boost::LeafRows::largest(gradient.data(), h, length(gradient));
            return std::make_tuple(sizes.largest_gradient, sizes.largest_hessian);
        },
        "gradient"_a.noconvert(), "hessian"_a.noconvert().none(),
        "Return the largest gradient, in absolute value, and curvature.");
    m.def(
        "boost_size_sums",
        [](const In1<float>& gradient, const Hessian& hessian, const In1<double>& largest) {
            const float* h = hessian_data(hessian, length(gradient));
            const boost::SumDigits digits = digits_of(largest);
            const GilRelease release;
            const boost::SizeSums s =
                boost::LeafRows::size_sums(gradient.data(), h, length(gradient), digits);
            return std::make_tuple(s.gradients.first, s.gradients.second, s.hessians.first,
                                   s.hessians.second);
        },
        "gradient"_a.noconvert(), "hessian"_a.noconvert().none(), "largest"_a.noconvert(),
        "Return the sums of absolute gradients and of curvatures, two digits each.");
}

// Copies what Python returned, which must have this shape.
void copy_rows(const nb::object& from, double* to, Index rows, Index columns) {
    const auto array = nb::cast<In2<double>>(from, false);
    require(length(array) == rows && static_cast<Index>(array.shape(1)) == columns,
            "an array of the requested shape");
    std::copy_n(array.data(), rows * columns, to);
}

void grow_distributed(boost::DistributedGrower& self, const In1<double>& layout, bool damped,
                      std::uint64_t seed, std::uint64_t tree, const nb::object& divide,
                      const nb::object& sums) {
    const auto request_divisions = [&](const std::vector<boost::Division>& divisions, double* hists,
                                       Index n_hists) {
        const GilAcquire gil;
        nb::list rows;
        for (const boost::Division& d : divisions) {
            const auto word = [&](int w) { return static_cast<std::int64_t>(d.left[w]); };
            rows.append(nb::make_tuple(d.leaf, d.children, d.counted, d.feature, word(0), word(1),
                                       word(2), word(3)));
        }
        copy_rows(divide(rows, n_hists), hists, n_hists, self.hist_size());
    };
    const auto request_sums = [&](Index n_keys) {
        std::vector<double> numbers(static_cast<std::size_t>(6 * n_keys));
        {
            const GilAcquire gil;
            copy_rows(sums(n_keys), numbers.data(), n_keys, 6);
        }
        std::vector<boost::LeafSums> of_key;
        for (const double* at = numbers.data(); at < numbers.data() + numbers.size(); at += 6) {
            of_key.push_back({{at[0], at[1]}, {at[2], at[3]}, {at[4], at[5]}});
        }
        return of_key;
    };
    const boost::CellLayout units = layout_of(layout);
    const GilRelease release;
    self.grow(units, damped, seed, tree, request_divisions, request_sums);
}

void bind_distributed_grower(nb::module_& m) {
    nb::class_<boost::DistributedGrower>(m, "DistributedGrower",
                                         "Grows trees over rows distributed over workers.")
        .def(
            "__init__",
            [](boost::DistributedGrower* self, const BinnedColumns& table, Index rows,
               const boost::Options& options, double lookahead) {
                new (self) boost::DistributedGrower(rows, table.columns(), options, lookahead);
            },
            "columns"_a, "rows"_a, "options"_a, "lookahead"_a = 1.0, nb::keep_alive<1, 2>(),
            Release(), "One message requests the fraction `lookahead` of the remaining splits.")
        .def_prop_ro("hist_size", &boost::DistributedGrower::hist_size)
        .def(
            "grow",
            [](boost::DistributedGrower& self, const In1<double>& layout, bool damped,
               std::uint64_t seed, std::uint64_t tree, const nb::object& divide,
               const nb::object& sums) {
                grow_distributed(self, layout, damped, seed, tree, divide, sums);
                return self.nodes().size();
            },
            "layout"_a.noconvert(), "damped"_a, "seed"_a, "tree"_a, "divide"_a, "sums"_a,
            "Grow a tree and return its number of nodes. divide(divisions, n) carries out the "
            "divisions\neverywhere and returns the n histograms, without divisions that of all "
            "rows; sums(n) returns\nthe sums of n keys.")
        .def(
            "nodes",
            [](const boost::DistributedGrower& self, const Out2<std::int32_t>& structure,
               const Out2<double>& sums, const Out2<std::uint64_t>& left) {
                write_nodes(self.nodes(), structure, sums, left);
            },
            "structure"_a.noconvert(), "sums"_a.noconvert(), "left"_a.noconvert(), kNodesDoc)
        .def("node_of_key", &boost::DistributedGrower::node_of_key,
             "Return the leaf of the tree to which the rows of each key belong.");
    m.def(
        "cell_layout",
        [](const std::tuple<double, double, double, double>& sizes, Index rows, bool has_hessian) {
            const auto [largest_gradient, gradients, largest_hessian, hessians] = sizes;
            const boost::CellLayout layout = boost::choose_layout(
                {largest_gradient, gradients, largest_hessian, hessians}, rows, has_hessian);
            return std::vector<double>{
                static_cast<double>(layout.count_bits), static_cast<double>(layout.hessian_bits),
                static_cast<double>(layout.rows), layout.gradient_scale, layout.hessian_scale};
        },
        "sizes"_a, "rows"_a, "has_hessian"_a,
        "Return how gradients and curvatures share a cell: bits of counts, bits of curvatures, "
        "rows "
        "of a\nblock, units of gradients and of curvatures.");
}

} // namespace

void bind_distributed_boosting(nb::module_& m) {
    bind_worker_rows(m);
    bind_distributed_grower(m);
}

} // namespace gramian::bind
