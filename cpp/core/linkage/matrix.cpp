#include "core/linkage/chain.hpp"
#include "core/linkage/generic.hpp"
#include "core/linkage/linkage.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::linkage {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

bool of_squares(Method method) {
    return method == Method::ward || method == Method::centroid || method == Method::median;
}

Rule rule_of(Method method, double size_a, double size_b, double between, const double* sizes) {
    const double size = size_a + size_b;
    switch (method) {
    case Method::single:
        return {Rule::Kind::least};
    case Method::complete:
        return {Rule::Kind::greatest};
    case Method::average:
        return {Rule::Kind::linear, size_a / size, size_b / size};
    case Method::weighted:
        return {Rule::Kind::linear, 0.5, 0.5};
    case Method::ward:
        return {Rule::Kind::ward, 0, 0, between, size_a, size_b, sizes};
    case Method::centroid:
        return {Rule::Kind::linear, size_a / size, size_b / size,
                -size_a * size_b / (size * size) * between};
    default:
        return {Rule::Kind::linear, 0.5, 0.5, -0.25 * between};
    }
}

// The half above the diagonal, squared where the rule wants squares, on both sides of it.
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

// Clusters in slots of the matrix, one row and column each; the matrix is made smaller whenever
// half of them are dead.
class MatrixClusters {
public:
    MatrixClusters(Matrix<double> D, Method method)
        : D_(D.data), slots_(D.rows), live_(D.rows), method_(method),
          dead_(static_cast<std::size_t>(D.rows)), sizes_(dead_.size(), 1.0), ids_(dead_.size()),
          slot_of_(2 * dead_.size() - 1, -1) {
        prepare(D, of_squares(method));
        std::iota(ids_.begin(), ids_.end(), 0);
        std::iota(slot_of_.begin(), slot_of_.begin() + slots_, 0);
    }

    bool alive(std::int32_t id) const { return slot_of_[id] >= 0; }
    double between(std::int32_t a, std::int32_t b) const { return row(slot_of_[a])[slot_of_[b]]; }
    double height(double value) const { return of_squares(method_) ? std::sqrt(value) : value; }
    Neighbor nearest(std::int32_t id) const {
        double value;
        Index place;
        linkage_kernels().least(row(slot_of_[id]), dead_.data(), slots_, &value, &place);
        return {ids_[place], value};
    }
    Neighbor join(std::int32_t a, std::int32_t b, std::int32_t made) {
        const Index kept = slot_of_[a], gone = slot_of_[b];
        double* const joined = row(kept);
        linkage_kernels().join(
            rule_of(method_, sizes_[kept], sizes_[gone], joined[gone], sizes_.data()), joined,
            row(gone), slots_);
        joined[kept] = kNone;
        dead_[gone] = kNone;
        sizes_[kept] += sizes_[gone];
        slot_of_[a] = slot_of_[b] = -1;
        slot_of_[made] = static_cast<std::int32_t>(kept);
        ids_[kept] = made;
        for (Index j = 0; j < slots_; ++j) {
            if (dead_[j] == 0) row(j)[kept] = joined[j];
        }
        --live_;
        const Neighbor next = live_ > 1 ? nearest(made) : Neighbor{-1, 0.0};
        if (2 * live_ < slots_ && slots_ > 64) compact();
        return next;
    }

    std::vector<Neighbor> all_nearest() const {
        std::vector<Neighbor> found(static_cast<std::size_t>(slots_));
        const runtime::Blocks blocks{slots_, 64};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                    found[i] = nearest(static_cast<std::int32_t>(i));
                }
            },
            slots_ < 200 ? 1 : 0);
        return found;
    }

private:
    double* row(Index slot) { return D_ + slot * slots_; }
    const double* row(Index slot) const { return D_ + slot * slots_; }

    // Rows and columns of the living move up; each value moves towards the beginning.
    void compact() {
        std::vector<Index> kept;
        for (Index j = 0; j < slots_; ++j) {
            if (dead_[j] == 0) kept.push_back(j);
        }
        double* to = D_;
        for (const Index i : kept) {
            const double* const from = row(i);
            for (const Index j : kept) *to++ = from[j];
        }
        for (Index i = 0; i < live_; ++i) {
            sizes_[i] = sizes_[kept[i]];
            ids_[i] = ids_[kept[i]];
            slot_of_[ids_[i]] = static_cast<std::int32_t>(i);
        }
        slots_ = live_;
        std::fill(dead_.begin(), dead_.end(), 0.0);
    }

    double* D_;
    Index slots_, live_;
    Method method_;
    std::vector<double> dead_, sizes_;
    std::vector<std::int32_t> ids_, slot_of_;
};

// The same for the generic algorithm, each cluster in its place.
class MatrixPlaces {
public:
    MatrixPlaces(Matrix<double> D, Method method)
        : D_(D), method_(method), sizes_(static_cast<std::size_t>(D.rows), 1.0) {
        prepare(D, of_squares(method));
    }
    void row(Index i, double* out) const { std::copy(D_.row(i), D_.row(i) + D_.cols, out); }
    double height(double value) const { return std::sqrt(value); }
    void join(Index a, Index b) {
        double* const joined = D_.row(b);
        linkage_kernels().join(rule_of(method_, sizes_[b], sizes_[a], joined[a], sizes_.data()),
                               joined, D_.row(a), D_.cols);
        joined[b] = kNone;
        sizes_[b] += sizes_[a];
        for (Index j = 0; j < D_.rows; ++j) D_(j, b) = joined[j];
    }

private:
    Matrix<double> D_;
    Method method_;
    std::vector<double> sizes_;
};

} // namespace

void matrix_linkage(Matrix<double> D, Method method, Matrix<double> Z) {
    const Index n = D.rows;
    if (n < 2) return;
    if (method == Method::centroid || method == Method::median) {
        MatrixPlaces clusters(D, method);
        write_tree(merges_by_bounds(clusters, n), false, Z);
        return;
    }
    MatrixClusters clusters(D, method);
    write_tree(merges_by_chains(clusters, n, clusters.all_nearest()), true, Z);
}

} // namespace gramian::linkage
