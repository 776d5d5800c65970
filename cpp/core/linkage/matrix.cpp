#include "core/linkage/generic.hpp"
#include "core/linkage/lazy.hpp"
#include "core/linkage/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace gramian::linkage {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// Copies the upper triangle to the lower one, squaring it first if the method needs squares.
void prepare(Matrix<double> D, bool squared) {
    constexpr Index kTile = 64;
    const runtime::Blocks blocks{D.rows, kTile};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index first = blocks.begin(b), end = blocks.end(b);
            for (Index from = first; from < D.rows; from += kTile) {
                const Index to = std::min(from + kTile, D.rows);
                for (Index i = first; i < end; ++i) {
                    for (Index j = std::max(from, i + 1); j < to; ++j) {
                        if (squared) D(i, j) *= D(i, j);
                        D(j, i) = D(i, j);
                    }
                }
            }
            for (Index i = first; i < end; ++i) D(i, i) = kNone;
        },
        D.rows < 200 ? 1 : 0);
}

// Rows of the matrix, each in its slot.
class MatrixRows {
public:
    explicit MatrixRows(Matrix<double> D) : D_(D.data), slots_(D.rows) {}

    const double* open(Index) const { return nullptr; }
    void measure(const double*, Index, Index, double*) const {}
    double* row(Index slot) const { return D_ + slot * slots_; }
    double dissimilarity(Index a, Index b) const { return row(a)[b]; }
    std::pair<Index, double*> merged_row(Index kept, Index) { return {kept, row(kept)}; }
    // In place: each value moves towards the beginning.
    void compact(const std::vector<std::int32_t>& kept) {
        double* to = D_;
        for (const Index i : kept) {
            const double* const from = row(i);
            for (const std::int32_t j : kept) *to++ = from[j];
        }
        slots_ = static_cast<Index>(kept.size());
    }

private:
    double* D_;
    Index slots_;
};

std::vector<Neighbor> all_nearest(Matrix<double> D) {
    std::vector<Neighbor> found(static_cast<std::size_t>(D.rows));
    const std::vector<double> dead(found.size());
    const runtime::Blocks blocks{D.rows, 64};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                Index place;
                linkage_kernels().least(D.row(i), dead.data(), D.rows, &found[i].value, &place);
                found[i].id = static_cast<std::int32_t>(place);
            }
        },
        D.rows < 200 ? 1 : 0);
    return found;
}

// The clusters of the generic algorithm, with a row of the matrix each.
class MatrixClusters {
public:
    MatrixClusters(Matrix<double> D, Method method)
        : D_(D), method_(method), sizes_(static_cast<std::size_t>(D.rows), 1.0),
          none_(sizes_.size()) {
        prepare(D, uses_squares(method));
    }
    void row(Index i, double* out) const { std::copy(D_.row(i), D_.row(i) + D_.cols, out); }
    double height(double value) const { return std::sqrt(value); }
    void join(Index a, Index b) {
        double* const joined = D_.row(b);
        double value;
        Index place;
        linkage_kernels().join(Rule::of(method_, sizes_[b], sizes_[a], joined[a], sizes_.data()),
                               joined, D_.row(a), none_.data(), D_.cols, joined, &value, &place);
        joined[b] = kNone;
        sizes_[b] += sizes_[a];
        for (Index j = 0; j < D_.rows; ++j) D_(j, b) = joined[j];
    }

private:
    Matrix<double> D_;
    Method method_;
    std::vector<double> sizes_, none_;
};

} // namespace

bool uses_squares(Method method) {
    return method == Method::ward || method == Method::centroid || method == Method::median;
}

Rule Rule::of(Method method, double size_a, double size_b, double dissimilarity,
              const double* sizes) {
    const double size = size_a + size_b;
    switch (method) {
    case Method::single:
        return {Kind::least};
    case Method::complete:
        return {Kind::greatest};
    case Method::average:
        return {Kind::linear, size_a / size, size_b / size};
    case Method::weighted:
        return {Kind::linear, 0.5, 0.5};
    case Method::ward:
        return {Kind::ward, 0, 0, dissimilarity, size_a, size_b, sizes};
    case Method::centroid:
        return {Kind::linear, size_a / size, size_b / size,
                -size_a * size_b / (size * size) * dissimilarity};
    default:
        return {Kind::linear, 0.5, 0.5, -0.25 * dissimilarity};
    }
}

void matrix_linkage(Matrix<double> D, Method method, Matrix<double> Z) {
    const Index n = D.rows;
    if (n < 2) return;
    if (method == Method::centroid || method == Method::median) {
        MatrixClusters clusters(D, method);
        write_tree(merges_by_bounds(clusters, n), false, Z);
        return;
    }
    prepare(D, uses_squares(method));
    MatrixRows rows(D);
    LazyClusters clusters(rows, n, method, uses_squares(method));
    write_tree(merges_by_chains(clusters, n, all_nearest(D)), true, Z);
}

} // namespace gramian::linkage
