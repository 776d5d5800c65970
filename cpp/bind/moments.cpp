// Moments of classes, scores under classes, steps of expectation maximisation.
#include "bind/table.hpp"
#include "core/moments/class_gram.hpp"
#include "core/moments/expectation.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace gramian::bind {
namespace {

using Codes = In1<std::int32_t>;
using Weights = std::optional<In1<double>>;

template <typename Array>
bool has_shape(const Array& a, Index rows, Index cols) {
    return static_cast<Index>(a.shape(0)) == rows && static_cast<Index>(a.shape(1)) == cols;
}
template <typename Array>
bool has_length(const Array& a, Index length) {
    return static_cast<Index>(a.shape(0)) == length;
}

const double* weights_of(const Weights& weights, Index n) {
    require(!weights || has_length(*weights, n), "one weight per row");
    return weights ? weights->data() : nullptr;
}

moments::ClassRows rows_of(const Table& X, const Codes& codes, const Weights& weights, Index K) {
    require(has_length(codes, X.rows()), "one code per row");
    for (Index i = 0; i < X.rows(); ++i) {
        require(0 <= codes.data()[i] && codes.data()[i] < K,
                "codes from 0 to the number of classes");
    }
    return {codes.data(), weights_of(weights, X.rows())};
}

template <typename Body>
auto visit_dense(const Table& X, const Body& body) {
    using Result = decltype(body(passes::F64{}));
    return X.visit([&]<typename View>(const View& rows) -> Result {
        if constexpr (requires { rows.data; }) {
            return body(rows);
        } else {
            throw std::invalid_argument("dense rows");
        }
    });
}

void class_sums(const Table& X, const Codes& codes, const Weights& weights,
                const std::optional<In2<double>>& shifts, const Out1<double>& class_weights,
                const Out2<double>& sums, const std::optional<Out2<double>>& squares) {
    const Index K = static_cast<Index>(sums.shape(0)), d = X.cols();
    require(has_shape(sums, K, d) && has_length(class_weights, K), "sums of each class");
    require(!squares || has_shape(*squares, K, d), "squares of each class");
    require(!shifts || has_shape(*shifts, K, d), "a shift for each class");
    const auto rows = rows_of(X, codes, weights, K);
    const moments::ClassSums out{class_weights.data(), view<double>(sums),
                                 squares ? view<double>(*squares) : Matrix<double>{nullptr, 0, 0}};
    X.visit([&]<typename View>(const View& table) {
        if constexpr (requires { table.data; }) {
            require(shifts && squares, "shifts and squares for dense rows");
            moments::class_sums(table, rows, view<double>(*shifts), out);
        } else {
            moments::class_sums(table, rows, out);
        }
    });
}

void class_gram(const Table& X, const Codes& codes, const Weights& weights,
                const In2<double>& shifts, const Out3<double>& grams) {
    const Index K = static_cast<Index>(shifts.shape(0)), d = X.cols();
    require(has_shape(shifts, K, d), "a shift for each class");
    require(has_shape(grams, K, d + 1) && static_cast<Index>(grams.shape(2)) == d + 1,
            "a matrix for each class");
    const auto rows = rows_of(X, codes, weights, K);
    visit_dense(X, [&](const auto& table) {
        moments::class_gram(table, rows, view<double>(shifts), grams.data());
    });
}

void within_gram(const Table& X, const Codes& codes, const Weights& weights,
                 const In2<double>& shifts, const Out2<double>& gram) {
    const Index K = static_cast<Index>(shifts.shape(0)), d = X.cols();
    require(has_shape(shifts, K, d), "a shift for each class");
    require(has_shape(gram, d + 1, d + 1), "a square matrix of one more than the columns");
    const auto rows = rows_of(X, codes, weights, K);
    visit_dense(X, [&](const auto& table) {
        moments::within_gram(table, rows, view<double>(shifts), view<double>(gram));
    });
}

// Scores of classes. Python keeps the arrays alive (keep_alive); nothing is copied.
struct Scores {
    moments::ScoreModel model;
    Index cols;
    bool by_column; // factors (d, K), for sparse rows

    void check(const Table& X) const { require(X.cols() == cols, "as many columns as the model"); }
};

Scores linear_scores(const In1<double>& offsets, const In2<double>& factors, bool by_column) {
    const Index K = static_cast<Index>(offsets.shape(0));
    const Index d = static_cast<Index>(factors.shape(by_column ? 0 : 1));
    require(K >= 1 && has_length(offsets, static_cast<Index>(factors.shape(by_column ? 1 : 0))),
            "an offset for each class");
    const moments::ScoreModel model{moments::ScoreKind::linear,
                                    K,
                                    offsets.data(),
                                    {nullptr, 0, 0},
                                    factors.data(),
                                    0,
                                    false,
                                    false};
    return {model, d, by_column};
}

Scores diagonal_scores(const In1<double>& offsets, const In2<double>& means,
                       const In2<double>& precisions) {
    const Index K = static_cast<Index>(offsets.shape(0)), d = static_cast<Index>(means.shape(1));
    require(K >= 1 && has_shape(means, K, d) && has_shape(precisions, K, d),
            "a mean and precisions for each class");
    const moments::ScoreModel model{moments::ScoreKind::diagonal,
                                    K,
                                    offsets.data(),
                                    view<double>(means),
                                    precisions.data(),
                                    0,
                                    false,
                                    false};
    return {model, d, false};
}

Scores quadratic_scores(const In1<double>& offsets, const In2<double>& means,
                        const In3<double>& roots, bool lower) {
    const Index K = static_cast<Index>(offsets.shape(0)), d = static_cast<Index>(means.shape(1));
    const Index n_roots = static_cast<Index>(roots.shape(0));
    require(K >= 1 && has_shape(means, K, d) && (n_roots == K || n_roots == 1) &&
                static_cast<Index>(roots.shape(2)) == d,
            "a mean for each class, and a root for each class or one");
    const Index height = static_cast<Index>(roots.shape(1));
    const moments::ScoreModel model{moments::ScoreKind::quadratic,
                                    K,
                                    offsets.data(),
                                    view<double>(means),
                                    roots.data(),
                                    height,
                                    n_roots != K,
                                    lower};
    return {model, d, false};
}

void class_scores(const Scores& self, const Table& X, const std::optional<Out2<double>>& scores,
                  const std::optional<Out1<std::int32_t>>& codes,
                  const std::optional<Out1<double>>& log_norm,
                  const std::optional<Out2<double>>& posterior) {
    self.check(X);
    const Index n = X.rows(), K = self.model.classes;
    require(!scores || has_shape(*scores, n, K), "a score for each class and row");
    require(!codes || has_length(*codes, n), "a code for each row");
    require(!log_norm || has_length(*log_norm, n), "a number for each row");
    require(!posterior || has_shape(*posterior, n, K), "a posterior for each class and row");
    const moments::ScoreOutputs out{
        scores ? scores->data() : nullptr, codes ? codes->data() : nullptr,
        log_norm ? log_norm->data() : nullptr, posterior ? posterior->data() : nullptr};
    X.visit([&]<typename View>(const View& table) {
        require(self.by_column == !requires { table.data; }, "factors by column for sparse rows");
        moments::class_scores(table, self.model, out);
    });
}

moments::MixtureRows mixture_rows(const Scores& self, const Table& X, const Weights& weights,
                                  const std::optional<Codes>& known) {
    self.check(X);
    require(self.model.means.data != nullptr, "a model with means");
    require(!known || has_length(*known, X.rows()), "one code per row");
    for (Index i = 0; known && i < X.rows(); ++i) {
        const std::int32_t code = known->data()[i];
        require(-1 <= code && code < self.model.classes, "codes below the number of classes");
    }
    return {weights_of(weights, X.rows()), known ? known->data() : nullptr};
}

double expectation_full(const Scores& self, const Table& X, const Weights& weights,
                        const std::optional<Codes>& known, const Out3<double>& grams) {
    const Index K = self.model.classes, q = X.cols() + 1;
    require(has_shape(grams, K, q) && static_cast<Index>(grams.shape(2)) == q,
            "a matrix for each class");
    const auto rows = mixture_rows(self, X, weights, known);
    return visit_dense(X, [&](const auto& table) {
        return moments::expectation_full(table, rows, self.model, grams.data());
    });
}

double expectation_diagonal(const Scores& self, const Table& X, const Weights& weights,
                            const std::optional<Codes>& known, const Out1<double>& totals,
                            const Out2<double>& sums, const Out2<double>& squares) {
    const Index K = self.model.classes, d = X.cols();
    require(has_length(totals, K) && has_shape(sums, K, d) && has_shape(squares, K, d),
            "sums for each class");
    const auto rows = mixture_rows(self, X, weights, known);
    return visit_dense(X, [&](const auto& table) {
        return moments::expectation_diagonal(table, rows, self.model, totals.data(), sums.data(),
                                             squares.data());
    });
}

} // namespace

void bind_moments(nb::module_& m) {
    m.def("class_sums", class_sums, "X"_a, "codes"_a.noconvert(), "weights"_a.noconvert().none(),
          "shifts"_a.noconvert().none(), "class_weights"_a.noconvert(), "sums"_a.noconvert(),
          "squares"_a.noconvert().none());
    m.def("class_gram", class_gram, "X"_a, "codes"_a.noconvert(), "weights"_a.noconvert().none(),
          "shifts"_a.noconvert(), "grams"_a.noconvert());
    m.def("within_gram", within_gram, "X"_a, "codes"_a.noconvert(), "weights"_a.noconvert().none(),
          "shifts"_a.noconvert(), "gram"_a.noconvert());
    nb::class_<Scores>(m, "ClassScores",
                       "Scores of rows under each class: linear, or of Gaussian classes.")
        .def_static("linear", linear_scores, "offsets"_a.noconvert(), "factors"_a.noconvert(),
                    "by_column"_a, nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>())
        .def_static("diagonal", diagonal_scores, "offsets"_a.noconvert(), "means"_a.noconvert(),
                    "precisions"_a.noconvert(), nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(),
                    nb::keep_alive<0, 3>())
        .def_static("quadratic", quadratic_scores, "offsets"_a.noconvert(), "means"_a.noconvert(),
                    "roots"_a.noconvert(), "lower"_a, nb::keep_alive<0, 1>(),
                    nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>())
        .def("score", class_scores, "X"_a, "scores"_a.noconvert().none() = nb::none(),
             "codes"_a.noconvert().none() = nb::none(),
             "log_norm"_a.noconvert().none() = nb::none(),
             "posterior"_a.noconvert().none() = nb::none())
        .def("expectation_full", expectation_full, "X"_a, "weights"_a.noconvert().none(),
             "known"_a.noconvert().none(), "grams"_a.noconvert())
        .def("expectation_diagonal", expectation_diagonal, "X"_a, "weights"_a.noconvert().none(),
             "known"_a.noconvert().none(), "totals"_a.noconvert(), "sums"_a.noconvert(),
             "squares"_a.noconvert());
}

} // namespace gramian::bind
