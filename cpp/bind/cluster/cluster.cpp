// The steps of k-means.
#include "bind/arrays.hpp"
#include "bind/blas.hpp"
#include "core/cluster/kmeans.hpp"
#include "core/distance/matrix.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <optional>
#include <tuple>

namespace gramian::bind {
namespace {

using Labels = Out1<std::int32_t>;
using Centers = In2<double>;
using Weights = std::optional<In1<double>>;

const double* weights_of(const Weights& weights, Index n) {
    if (!weights) return nullptr;
    require(static_cast<Index>(weights->shape(0)) == n, "one weight per row");
    return weights->data();
}

// The rows, and the arrays they live in.
struct Rows {
    nb::list arrays;
    std::unique_ptr<cluster::Points> points;

    void fits(const Labels& labels) const {
        require(static_cast<Index>(labels.shape(0)) == points->rows(), "one label per row");
    }
    void fits(const Centers& centers) const {
        require(centers.shape(0) > 0 && static_cast<Index>(centers.shape(1)) == points->cols(),
                "centers as wide as the rows, at least one");
    }
};

template <typename T>
void bind_dense(nb::class_<Rows>& rows) {
    rows.def(
        "__init__",
        [](Rows* self, const In2<T>& X) {
            require(X.shape(0) > 0 && X.shape(1) > 0, "at least one row and one column");
            new (self) Rows{};
            self->arrays.append(nb::cast(X));
            const GilRelease release;
            self->points = cluster::dense_points<T>(view<T>(X));
        },
        "X"_a.noconvert());
}

template <typename T, typename I>
void bind_csr(nb::class_<Rows>& rows) {
    rows.def(
        "__init__",
        [](Rows* self, const In1<T>& values, const In1<I>& columns, const In1<I>& offsets,
           Index n_columns) {
            require(values.shape(0) == columns.shape(0) && offsets.shape(0) > 1 && n_columns > 0,
                    "a value per column index, at least one row and one column");
            new (self) Rows{};
            self->arrays.append(nb::cast(values));
            self->arrays.append(nb::cast(columns));
            self->arrays.append(nb::cast(offsets));
            const GilRelease release;
            self->points =
                cluster::csr_points<T, I>({values.data(), columns.data(), offsets.data(),
                                           static_cast<Index>(offsets.shape(0)) - 1, n_columns});
        },
        "values"_a.noconvert(), "columns"_a.noconvert(), "offsets"_a.noconvert(), "n_columns"_a);
}

template <typename T>
void bind_transform(nb::module_& m) {
    m.def(
        "kmeans_transform",
        [](Rows& rows, const Centers& centers, const Out2<T>& out) {
            rows.fits(centers);
            require(static_cast<Index>(out.shape(0)) == rows.points->rows() &&
                        out.shape(1) == centers.shape(0),
                    "out with a row per row and a column per centre");
            cluster::kmeans_transform<T>(*rows.points, view<double>(centers), view<T>(out));
        },
        "rows"_a, "centers"_a.noconvert(), "out"_a.noconvert(), Release(),
        "out[i, j] = |x_i - c_j|.");
    m.def(
        "distance_matrix",
        [](const In2<T>& X, const Centers& centers, const Out2<T>& out) {
            require(X.shape(1) == centers.shape(1) && out.shape(0) == X.shape(0) &&
                        out.shape(1) == centers.shape(0),
                    "centers as wide as X, out with a row per row and a column per centre");
            find_blas();
            const GilRelease release;
            distance::distance_matrix<T>(view<T>(X), view<double>(centers), view<T>(out));
        },
        "X"_a.noconvert(), "centers"_a.noconvert(), "out"_a.noconvert(),
        "out[i, j] = |x_i - c_j|, by one large product.");
}

// Lloyd's algorithm with the arrays it writes to.
struct LloydOfRows {
    nb::list arrays;
    Rows& rows;
    std::unique_ptr<cluster::Lloyd> lloyd;
};

} // namespace

void bind_cluster(nb::module_& m) {
    nb::class_<Rows> rows(m, "Rows", "Dense or CSR rows, ready for the steps of k-means.");
    bind_dense<float>(rows);
    bind_dense<double>(rows);
    bind_csr<float, std::int32_t>(rows);
    bind_csr<float, std::int64_t>(rows);
    bind_csr<double, std::int32_t>(rows);
    bind_csr<double, std::int64_t>(rows);

    m.def(
        "kmeans_assign",
        [](Rows& rows, const Centers& centers, const Weights& weights, const Labels& labels,
           const std::optional<Out1<double>>& squares, const std::optional<Out1<float>>& gaps) {
            rows.fits(centers);
            rows.fits(labels);
            const Index n = rows.points->rows();
            require(!squares || static_cast<Index>(squares->shape(0)) == n, "a square per row");
            require(!gaps || static_cast<Index>(gaps->shape(0)) == n, "a gap per row");
            return cluster::kmeans_assign(
                *rows.points, view<double>(centers), weights_of(weights, n), labels.data(),
                squares ? squares->data() : nullptr, gaps ? gaps->data() : nullptr);
        },
        "rows"_a, "centers"_a.noconvert(), "weights"_a.noconvert().none(), "labels"_a.noconvert(),
        "squares"_a.noconvert().none() = nb::none(), "gaps"_a.noconvert().none() = nb::none(),
        Release(),
        "Write the nearest centre of each row (the lowest among equals) and, if asked, the "
        "squared\n"
        "distance to it, and a lower bound on how much farther any other is; return the weighted "
        "sum of\nthe squares.");
    bind_transform<float>(m);
    bind_transform<double>(m);
    m.def(
        "kmeans_sums",
        [](Rows& rows, const Weights& weights, const Labels& labels, const Out2<double>& sums,
           const Out1<double>& totals) {
            rows.fits(labels);
            require(static_cast<Index>(sums.shape(1)) == rows.points->cols() &&
                        sums.shape(0) == totals.shape(0),
                    "sums as wide as the rows, a total for each");
            cluster::kmeans_sums(*rows.points, weights_of(weights, rows.points->rows()),
                                 labels.data(), view<double>(sums), totals.data());
        },
        "rows"_a, "weights"_a.noconvert().none(), "labels"_a.noconvert(), "sums"_a.noconvert(),
        "totals"_a.noconvert(), Release(),
        "Add the weighted sum of the rows of each cluster to sums, and their weights to totals.");

    m.def(
        "kmeans_plusplus",
        [](Rows& rows, const Weights& weights, int trials, std::uint64_t seed,
           const Out1<Index>& chosen) {
            require(trials > 0, "at least one trial");
            cluster::kmeans_plusplus(*rows.points, weights_of(weights, rows.points->rows()), trials,
                                     seed, view<Index>(chosen));
        },
        "rows"_a, "weights"_a.noconvert().none(), "trials"_a, "seed"_a, "chosen"_a.noconvert(),
        Release(), "Write the rows that greedy k-means++ takes as centres.");

    nb::class_<LloydOfRows>(m, "Lloyd", "Lloyd's algorithm, an iteration at a time, with bounds.")
        .def(
            "__init__",
            [](LloydOfRows* self, Rows& rows, const Weights& weights, const Labels& labels,
               const Out2<double>& sums, const Out1<double>& totals) {
                rows.fits(labels);
                require(static_cast<Index>(sums.shape(1)) == rows.points->cols() &&
                            sums.shape(0) > 0 && sums.shape(0) == totals.shape(0),
                        "sums as wide as the rows, a total for each");
                nb::list arrays;
                arrays.append(nb::cast(labels));
                arrays.append(nb::cast(sums));
                arrays.append(nb::cast(totals));
                if (weights) arrays.append(nb::cast(*weights));
                const double* w = weights_of(weights, rows.points->rows());
                // Made apart: an interrupt thrown from here must not drop Python's objects
                // while the GIL is released.
                std::unique_ptr<cluster::Lloyd> lloyd;
                {
                    const GilRelease release;
                    lloyd = std::make_unique<cluster::Lloyd>(*rows.points, w, labels.data(),
                                                             view<double>(sums), totals.data());
                }
                new (self) LloydOfRows{std::move(arrays), rows, std::move(lloyd)};
            },
            "rows"_a, "weights"_a.noconvert().none(), "labels"_a.noconvert(), "sums"_a.noconvert(),
            "totals"_a.noconvert(), nb::keep_alive<1, 2>())
        .def_prop_ro(
            "mean_variance", [](const LloydOfRows& self) { return self.lloyd->mean_variance(); },
            "The mean over the columns of their variance.")
        .def(
            "finish",
            [](LloydOfRows& self, const Centers& centers) {
                self.rows.fits(centers);
                return self.lloyd->finish(view<double>(centers));
            },
            "centers"_a.noconvert(), Release(),
            "After the last turn: give each row to its nearest centre, the lowest among equals, "
            "and\n"
            "return the weighted sum of the squared distances.")
        .def(
            "iterate",
            [](LloydOfRows& self, const Centers& centers, const Out2<double>& means) {
                self.rows.fits(centers);
                require(means.shape(0) == centers.shape(0) && means.shape(1) == centers.shape(1),
                        "means of the shape of centers");
                const cluster::Lloyd::Iteration iteration =
                    self.lloyd->iterate(view<double>(centers), view<double>(means));
                return std::tuple(iteration.moved, iteration.empty, iteration.shift,
                                  iteration.objective, iteration.computed);
            },
            "centers"_a.noconvert(), "means"_a.noconvert(), Release(),
            "Give each row to its nearest centre and write the means of the clusters. Returns the\n"
            "number of rows that moved, the number of clusters without weight (whose means are\n"
            "their centres), the sum of the squared moves of the centres, the sum of squares "
            "about\n"
            "the means, and the number of rows whose distances had to be computed.");
}

} // namespace gramian::bind
