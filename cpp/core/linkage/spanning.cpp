#include "core/linkage/linkage.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::linkage {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr Index kPrimWork = 200000; // differences of a step from which a second thread pays

} // namespace

void matrix_spanning_tree(Matrix<const double> D, Matrix<double> edges) {
    const Index n = D.rows;
    const std::size_t size = static_cast<std::size_t>(n);
    std::vector<double> best(size, kNone), inside(size);
    std::vector<std::int32_t> from(size);
    Index at = 0;
    for (Index count = 0; count < n - 1; ++count) {
        runtime::poll_interrupt();
        inside[at] = kNone;
        for (Index j = 0; j < n; ++j) {
            const double value = at < j ? D(at, j) : D(j, at);
            if (value < best[j]) {
                best[j] = value;
                from[j] = static_cast<std::int32_t>(at);
            }
        }
        double value;
        linkage_kernels().least(best.data(), inside.data(), n, &value, &at);
        edges(count, 0) = from[at];
        edges(count, 1) = static_cast<double>(at);
        edges(count, 2) = value;
    }
}

namespace {

// The rows that are not in the tree yet, at the front of the arrays.
class RowsOutside {
public:
    template <typename T>
    RowsOutside(Matrix<const T> X, Vector<const double> core)
        : d_(X.cols), columns_(columns_of(X)), coarse_(coarse_columns_of(X)),
          best_(coarse_.row_error.size(), kNone), cores_(core.size > 0 ? best_.size() : 0),
          limit_(best_.size(), kFar), key_(limit_), from_(best_.size()), rows_(best_.size()),
          query_(static_cast<std::size_t>(d_)), coarse_query_(query_.size()) {
        for (Index i = 0; i < core.size; ++i) cores_[i] = core[i] * core[i];
        std::iota(rows_.begin(), rows_.end(), 0);
    }

    // Adds row `at` to the tree; the last row moves to its position.
    void take(Index at, Index last) {
        last_added_ = rows_[at];
        slack_ = coarse_.query_slack(at);
        for (Index t = 0; t < d_; ++t) {
            double* const x = columns_.at(t);
            float* const y = coarse_.at(t);
            query_[t] = x[at];
            coarse_query_[t] = y[at];
            x[at] = x[last];
            y[at] = y[last];
        }
        if (!cores_.empty()) {
            own_core_ = cores_[at];
            cores_[at] = cores_[last];
        }
        coarse_.row_error[at] = coarse_.row_error[last];
        best_[at] = best_[last];
        limit_[at] = limit_[last];
        key_[at] = key_[last];
        key_[last] = kFar;
        from_[at] = from_[last];
        rows_[at] = rows_[last];
    }

    // Updates the distances to the row added last; returns the position in [begin, end) that is
    // nearest to the tree.
    Index nearest(Index begin, Index end) {
        const PrimCall call{columns_.values.data() + begin,
                            coarse_.values.data() + begin,
                            columns_.stride,
                            end - begin,
                            d_,
                            query_.data(),
                            coarse_query_.data(),
                            slack_,
                            cores_.empty() ? nullptr : cores_.data() + begin,
                            own_core_,
                            last_added_,
                            coarse_.row_error.data() + begin,
                            coarse_.scale,
                            coarse_.growth,
                            best_.data() + begin,
                            from_.data() + begin,
                            limit_.data() + begin,
                            key_.data() + begin};
        return begin + linkage_kernels().prim(call);
    }

    double best(Index at) const { return best_[at]; }
    std::int32_t from(Index at) const { return from_[at]; }
    std::int32_t row(Index at) const { return rows_[at]; }

private:
    static constexpr float kFar = std::numeric_limits<float>::infinity();

    Index d_;
    Columns columns_;
    CoarseColumns coarse_;
    std::vector<double> best_, cores_;
    std::vector<float> limit_, key_;
    std::vector<std::int32_t> from_, rows_;
    std::vector<double> query_;
    std::vector<float> coarse_query_;
    double own_core_ = 0;
    float slack_ = 0;
    std::int32_t last_added_ = 0;
};

} // namespace

template <typename T>
void rows_spanning_tree(Matrix<const T> X, Vector<const double> core, Matrix<double> edges) {
    RowsOutside outside(X, core);
    const int threads = runtime::num_threads();
    std::vector<Index> nearest(static_cast<std::size_t>(threads));
    outside.take(0, X.rows - 1);
    for (Index left = X.rows - 1; left > 0; --left) {
        runtime::poll_interrupt();
        // One block per thread, so that it stays in the thread's cache. The first nearest row does
        // not depend on the blocks.
        const Index parts = left * X.cols < kPrimWork ? 1 : threads;
        const runtime::Blocks blocks{left, padded_size((left + parts - 1) / parts)};
        runtime::parallel_for(blocks.count(), [&](Index b) {
            nearest[b] = outside.nearest(blocks.begin(b), blocks.end(b));
        });
        Index at = nearest[0];
        for (Index b = 1; b < blocks.count(); ++b) {
            if (outside.best(nearest[b]) < outside.best(at)) at = nearest[b];
        }
        const Index edge = X.rows - 1 - left;
        edges(edge, 0) = outside.from(at);
        edges(edge, 1) = outside.row(at);
        edges(edge, 2) = std::sqrt(outside.best(at));
        outside.take(at, left - 1);
    }
}

template void rows_spanning_tree(Matrix<const float>, Vector<const double>, Matrix<double>);
template void rows_spanning_tree(Matrix<const double>, Vector<const double>, Matrix<double>);

} // namespace gramian::linkage
