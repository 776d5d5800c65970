// Moments of classes, scores and a step of expectation maximisation against loops over the rows.
#include "core/moments/class_gram.hpp"
#include "core/moments/expectation.hpp"

#include "steps.hpp"

namespace steps {
namespace {

using namespace gramian::moments;

constexpr Index kClasses = 3;

std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

// Rows with classes and weights.
template <typename T>
struct Given {
    Table<T> X;
    std::vector<std::int32_t> codes;
    std::vector<double> weights;
    Table<double> shifts;

    Given(Index n, Index d)
        : X(groups<T>(n, d, 5)), codes(at(n)), weights(at(n)), shifts(kClasses, d) {
        for (Index i = 0; i < n; ++i) {
            codes[at(i)] = static_cast<std::int32_t>((i * 7 + i / 11) % kClasses);
            weights[at(i)] = static_cast<double>(i % 5) / 4;
        }
        for (Index k = 0; k < kClasses; ++k) {
            for (Index j = 0; j < d; ++j) shifts(k, j) = static_cast<double>(k - j) / 8;
        }
    }
    ClassRows rows() const { return {codes.data(), weights.data()}; }
    double away(Index i, Index k, Index j) const {
        return j < X.cols ? static_cast<double>(X(i, j)) - shifts(k, j) : 1.0;
    }
};

template <typename T>
void sums(const Given<T>& given) {
    const Index n = given.X.rows, d = given.X.cols;
    std::vector<double> weights(kClasses);
    Table<double> first(kClasses, d), second(kClasses, d);
    class_sums<T>(given.X.in(), given.rows(), given.shifts.in(),
                  {weights.data(), first.out(), second.out()});
    std::vector<double> grams(at(kClasses * (d + 1) * (d + 1)));
    class_gram<T>(given.X.in(), given.rows(), given.shifts.in(), grams.data());
    Table<double> within(d + 1, d + 1);
    within_gram<T>(given.X.in(), given.rows(), given.shifts.in(), within.out());
    Table<double> all(d + 1, d + 1);
    for (Index k = 0; k < kClasses; ++k) {
        for (Index a = 0; a <= d; ++a) {
            for (Index b = 0; b <= d; ++b) {
                double product = 0;
                for (Index i = 0; i < n; ++i) {
                    if (given.codes[at(i)] != k) continue;
                    product += given.weights[at(i)] * given.away(i, k, a) * given.away(i, k, b);
                }
                const double* gram = grams.data() + k * (d + 1) * (d + 1);
                if (b <= a) HOLDS(close(gram[a * (d + 1) + b], product, 1e-10));
                all(a, b) += product;
                if (a == d && b == d) HOLDS(close(weights[at(k)], product, 1e-12));
                if (a == d && b < d) HOLDS(close(first(k, b), product, 1e-10));
                if (a == b && b < d) HOLDS(close(second(k, b), product, 1e-10));
            }
        }
    }
    for (Index a = 0; a <= d; ++a) {
        for (Index b = 0; b <= a; ++b) HOLDS(close(within(a, b), all(a, b), 1e-10));
    }
}

// Sparse rows of many columns are summed class by class, of few in blocks.
template <typename T>
void sparse_sums(Index n, Index d) {
    const Given<T> given(n, 2);
    std::vector<T> values;
    std::vector<std::int32_t> columns, offsets{0};
    std::vector<double> weights(kClasses);
    Table<double> first(kClasses, d), second(kClasses, d), expected(kClasses, d),
        squares(kClasses, d);
    for (Index i = 0; i < n; ++i) {
        for (Index j = i % 3; j < d; j += 1 + d / 4) {
            const double v = static_cast<double>((i + j) % 9) - 4;
            values.push_back(static_cast<T>(v));
            columns.push_back(static_cast<std::int32_t>(j));
            expected(given.codes[at(i)], j) += given.weights[at(i)] * v;
            squares(given.codes[at(i)], j) += given.weights[at(i)] * v * v;
        }
        offsets.push_back(static_cast<std::int32_t>(values.size()));
    }
    const gramian::Csr<const T, std::int32_t> X{values.data(), columns.data(), offsets.data(), n,
                                                d};
    class_sums<T, std::int32_t>(X, given.rows(), {weights.data(), first.out(), second.out()});
    for (Index k = 0; k < kClasses; ++k) {
        for (Index j = 0; j < d; ++j) {
            HOLDS(close(first(k, j), expected(k, j), 1e-12));
            HOLDS(close(second(k, j), squares(k, j), 1e-12));
        }
    }
}

template <typename T>
void scores(const Given<T>& given) {
    const Index n = given.X.rows, d = given.X.cols;
    std::vector<double> offsets{0.5, -1.0, 0.25};
    Table<double> precisions(kClasses, d);
    for (double& p : precisions.values) p = 0.75;
    ScoreModel model{};
    model.kind = ScoreKind::diagonal;
    model.classes = kClasses;
    model.offsets = offsets.data();
    model.means = given.shifts.in();
    model.factors = precisions.values.data();
    Table<double> found(n, kClasses);
    std::vector<std::int32_t> codes(at(n));
    std::vector<double> norms(at(n));
    class_scores<T>(given.X.in(), model,
                    {found.values.data(), codes.data(), norms.data(), nullptr});
    std::vector<double> totals(kClasses);
    Table<double> sums(kClasses, d), squares(kClasses, d);
    const double likelihood =
        expectation_diagonal<T>(given.X.in(), {given.weights.data(), nullptr}, model, totals.data(),
                                sums.values.data(), squares.values.data());
    double expected = 0;
    std::vector<double> shares(kClasses);
    for (Index i = 0; i < n; ++i) {
        double norm = 0, best = -HUGE_VAL;
        for (Index k = 0; k < kClasses; ++k) {
            double score = offsets[at(k)];
            for (Index j = 0; j < d; ++j) {
                score -= 0.75 * given.away(i, k, j) * given.away(i, k, j) / 2;
            }
            HOLDS(close(found(i, k), score, 1e-12));
            best = std::max(best, found(i, k));
            norm += std::exp(score - found(i, 0));
        }
        HOLDS(found(i, codes[at(i)]) == best);
        norm = found(i, 0) + std::log(norm);
        HOLDS(close(norms[at(i)], norm, 1e-11));
        expected += given.weights[at(i)] * norm;
        for (Index k = 0; k < kClasses; ++k) {
            shares[at(k)] += given.weights[at(i)] * std::exp(found(i, k) - norm);
        }
    }
    HOLDS(close(likelihood, expected, 1e-10));
    for (Index k = 0; k < kClasses; ++k) HOLDS(close(totals[at(k)], shares[at(k)], 1e-10));
}

template <typename T>
void all(Index n, Index d) {
    const Given<T> given(n, d);
    sums(given);
    scores(given);
}

} // namespace

void moments() {
    all<double>(701, 5);
    all<float>(900, 3);
    sparse_sums<double>(3000, 4);
    sparse_sums<float>(500, 300);
}

} // namespace steps
