// The lasso and the elastic net.
#include "core/lasso/logistic.hpp"

#include "bind/arrays.hpp"
#include "bind/blas.hpp"

#include <memory>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <tuple>

namespace gramian::bind {
namespace {

using ResultTuple = std::tuple<double, Index, bool>;
using Problems = std::tuple<In1<double>, In2<double>, In1<double>>;
using Penalties = std::tuple<In1<double>, In1<double>>;

ResultTuple as_tuple(const lasso::Result& result) {
    return {result.gap, result.sweeps, result.converged};
}

// Holds the columns and the arrays that they refer to.
class Table {
public:
    template <typename T>
    Table(const In2<T>& X, const In1<double>& weights, bool centre) : weights_(weights) {
        require(X.shape(1) == weights.shape(0), "one weight per row");
        find_blas();
        arrays_[0] = nb::cast(X);
        const GilRelease release;
        columns_ = lasso::dense_columns<T>(view<T>(X), view<double>(weights), centre);
    }
    template <typename T, typename I>
    Table(const In1<T>& values, const In1<I>& rows, const In1<I>& offsets,
          const In1<double>& weights, bool centre)
        : weights_(weights) {
        require(values.shape(0) == rows.shape(0) && offsets.shape(0) > 0, "CSC arrays");
        arrays_[0] = nb::cast(values);
        arrays_[1] = nb::cast(rows);
        arrays_[2] = nb::cast(offsets);
        const Csr<const T, I> X{values.data(), rows.data(), offsets.data(),
                                static_cast<Index>(offsets.shape(0)) - 1,
                                static_cast<Index>(weights.shape(0))};
        const GilRelease release;
        columns_ = lasso::sparse_columns<T, I>(X, view<double>(weights), centre);
    }

    lasso::Columns& columns() { return *columns_; }

private:
    nb::object arrays_[3];
    In1<double> weights_;
    std::unique_ptr<lasso::Columns> columns_;
};

// A path over the columns of a table.
class Path {
public:
    Path(Table& table, const In1<double>& y)
        : columns_(table.columns().count()), path_(checked(table, y), view<double>(y)) {}

    void start(const Out1<double>& out) {
        require(out.shape(0) == static_cast<std::size_t>(columns_), "one number per column");
        std::copy(path_.start().begin(), path_.start().end(), out.data());
    }
    void restart(const In1<double>& coef) {
        require(coef.shape(0) == static_cast<std::size_t>(columns_), "one number per column");
        const GilRelease release;
        path_.restart(view<double>(coef));
    }
    ResultTuple solve(double l1, double l2, bool positive, double tol, Index max_sweeps,
                      const Out1<double>& coef) {
        require(coef.shape(0) == static_cast<std::size_t>(columns_), "one number per column");
        const GilRelease release;
        return as_tuple(path_.solve({l1, l2, positive}, tol, max_sweeps, view<double>(coef)));
    }

private:
    static lasso::Columns& checked(Table& table, const In1<double>& y) {
        require(y.shape(0) == static_cast<std::size_t>(table.columns().rows()), "one y per row");
        table.columns().clear();
        return table.columns();
    }

    Index columns_;
    lasso::Path path_;
};

// The same for logistic regression.
class Logistic {
public:
    Logistic(Table& table, const In1<double>& y, const In1<double>& weights, bool intercept)
        : columns_(table.columns().count()),
          path_(checked(table, y, weights), view<double>(y), view<double>(weights), intercept) {}

    double start(const Out1<double>& out) {
        require(out.shape(0) == static_cast<std::size_t>(columns_), "one number per column");
        std::copy(path_.start().begin(), path_.start().end(), out.data());
        return path_.null_value();
    }
    std::tuple<double, Index, bool, double> solve(double l1, double l2, double tol, Index max_steps,
                                                  const Out1<double>& coef) {
        require(coef.shape(0) == static_cast<std::size_t>(columns_), "one number per column");
        const GilRelease release;
        double intercept = 0;
        const lasso::Result found =
            path_.solve(l1, l2, tol, max_steps, view<double>(coef), &intercept);
        return {found.gap, found.sweeps, found.converged, intercept};
    }

private:
    static lasso::Columns& checked(Table& table, const In1<double>& y, const In1<double>& weights) {
        const auto rows = static_cast<std::size_t>(table.columns().rows());
        require(y.shape(0) == rows && weights.shape(0) == rows, "one y and weight per row");
        table.columns().clear();
        return table.columns();
    }

    Index columns_;
    lasso::LogisticPath path_;
};

template <typename T>
void bind_dense(nb::class_<Table>& cls) {
    cls.def(nb::init<const In2<T>&, const In1<double>&, bool>(), "columns"_a.noconvert(),
            "weights"_a.noconvert(), "centre"_a);
}

template <typename T, typename I>
void bind_sparse(nb::class_<Table>& cls) {
    cls.def(nb::init<const In1<T>&, const In1<I>&, const In1<I>&, const In1<double>&, bool>(),
            "values"_a.noconvert(), "rows"_a.noconvert(), "offsets"_a.noconvert(),
            "weights"_a.noconvert(), "centre"_a);
}

} // namespace

void bind_lasso(nb::module_& m) {
    nb::class_<Table> table(m, "LassoTable",
                            "Columns root(weights) o (x_j - mean_j) of a dense table, given as "
                            "(columns, rows), or of CSC arrays.");
    bind_dense<float>(table);
    bind_dense<double>(table);
    bind_sparse<float, std::int32_t>(table);
    bind_sparse<float, std::int64_t>(table);
    bind_sparse<double, std::int32_t>(table);
    bind_sparse<double, std::int64_t>(table);
    const auto copy = [](const std::vector<double>& from, const Out1<double>& out) {
        require(out.shape(0) == from.size(), "one number per column");
        std::copy(from.begin(), from.end(), out.data());
    };
    table.def(
        "means", [copy](Table& self, const Out1<double>& out) { copy(self.columns().mean(), out); },
        "out"_a.noconvert(), "The weighted means of the columns, 0 where they are not centred.");
    table.def(
        "squares",
        [copy](Table& self, const Out1<double>& out) { copy(self.columns().squares(), out); },
        "out"_a.noconvert(), "The squared norms of the columns, 0 where they are constant.");

    nb::class_<Path>(m, "LassoPath",
                     "The lasso for a sequence of penalties, each warm-started from the last.")
        .def(nb::init<Table&, const In1<double>&>(), "table"_a, "y"_a.noconvert(),
             nb::keep_alive<1, 2>(), Release())
        .def("start", &Path::start, "out"_a.noconvert(), "z_j . y of every column.")
        .def("restart", &Path::restart, "coef"_a.noconvert(), "Move to these coefficients.")
        .def("solve", &Path::solve, "l1"_a, "l2"_a, "positive"_a, "tol"_a, "max_sweeps"_a,
             "coef"_a.noconvert(), "Write the coefficients; return (gap, sweeps, converged).");

    nb::class_<Logistic>(m, "LogisticPath", "Logistic regression for any l1 and l2 penalties.")
        .def(nb::init<Table&, const In1<double>&, const In1<double>&, bool>(), "table"_a,
             "y"_a.noconvert(), "weights"_a.noconvert(), "intercept"_a, nb::keep_alive<1, 2>(),
             Release())
        .def("start", &Logistic::start, "out"_a.noconvert(),
             "Write the derivative of the loss by each coefficient at 0; return the loss there.")
        .def("solve", &Logistic::solve, "l1"_a, "l2"_a, "tol"_a, "max_steps"_a,
             "coef"_a.noconvert(),
             "Write the coefficients; return (gap, steps, converged, intercept).");

    m.def(
        "lasso_gram_paths",
        [](const Problems& problems, const Penalties& penalties, bool positive,
           const In1<double>& tol, Index max_sweeps, const Out2<double>& coef,
           const Out2<double>& gaps, const Out2<std::int64_t>& sweeps) {
            const auto& [grams, q, yy] = problems;
            const auto& [l1, l2] = penalties;
            const std::size_t n = q.shape(0), p = q.shape(1), grid = l1.shape(0);
            require(grams.shape(0) == n * p * p && yy.shape(0) == n && tol.shape(0) == n,
                    "a Gram matrix, yy and tol for each row of q");
            require(l2.shape(0) == grid && coef.shape(0) == n * grid && coef.shape(1) == p,
                    "coefficients for each problem and penalty");
            require(gaps.shape(0) == n && gaps.shape(1) == grid && sweeps.shape(0) == n &&
                        sweeps.shape(1) == grid,
                    "a gap and a count for each problem and penalty");
            const GilRelease release;
            lasso::solve_gram_paths(
                {view<double>(grams), view<double>(q), view<double>(yy)},
                {view<double>(l1), view<double>(l2), positive}, view<double>(tol), max_sweeps,
                {view<double>(coef), view<double>(gaps), view<std::int64_t>(sweeps)});
        },
        "problems"_a.noconvert(), "penalties"_a.noconvert(), "positive"_a, "tol"_a.noconvert(),
        "max_sweeps"_a, "coef"_a.noconvert(), "gaps"_a.noconvert(), "sweeps"_a.noconvert(),
        "Paths of b'Gb/2 - q'b + yy/2 + l1 |b|_1 + l2 |b|^2/2 over one grid, for several G:\n"
        "problems = (G, q, yy), penalties = (l1, l2).");
}

} // namespace gramian::bind
