#include "core/cluster/kmeans.hpp"

#include "core/distance/frame.hpp"
#include "core/distance/tile.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <numeric>

namespace gramian::cluster {
namespace {

constexpr Index kBatch = 256;      // rows listed at a time
constexpr Index kFreshSums = 10;   // iterations between full sums
constexpr Index kSerial = 1 << 17; // multiplications that take less than about 100 microseconds

// Blocks of rows of about 4 million multiplications each, at least one batch.
runtime::Blocks row_blocks(Index n, Index work_per_row) {
    const Index rows = (Index{1} << 22) / std::max<Index>(work_per_row, 1);
    return {n, std::clamp<Index>(rows / kBatch * kBatch, kBatch, 32 * kBatch)};
}

int threads_for(Index work) {
    return work < kSerial ? 1 : 0;
}

// Updates (sums, totals, members) with the rows that moved, in slices whose number depends only on
// n, k and d. The slices are added in order.
void sum_in_slices(const Points& points, const double* weights, std::int32_t* before,
                   const std::int32_t* after, Matrix<double> sums, double* totals,
                   double* members) {
    const Index n = points.rows(), k = sums.rows, d = sums.cols, size = k * (d + 2);
    const Index slices = std::clamp<Index>(n / std::max<Index>(4 * k, 4096), 1, 16);
    if (slices == 1) {
        points.move(0, n, weights, before, after, sums.data, totals, members);
        return;
    }
    const runtime::Blocks blocks{n, (n + slices - 1) / slices};
    std::vector<double> parts(static_cast<std::size_t>(blocks.count() * size), 0.0);
    runtime::parallel_for(blocks.count(), [&](Index b) {
        double* part = parts.data() + b * size;
        points.move(blocks.begin(b), blocks.end(b), weights, before, after, part, part + k * d,
                    part + k * d + k);
    });
    for (Index b = 0; b < blocks.count(); ++b) {
        const double* part = parts.data() + b * size;
        for (Index i = 0; i < k * d; ++i) sums.data[i] += part[i];
        for (Index j = 0; j < k; ++j) totals[j] += part[k * d + j];
        for (Index j = 0; j < k; ++j) members[j] += part[k * d + k + j];
    }
}

// sum of w_i |x_i - c_labels[i]|^2 over rows begin .. end - 1; the squares are written if asked.
double sum_of_squares(const Points& points, const double* weights, const std::int32_t* labels,
                      Index begin, Index end, double* squares) {
    Index rows[kBatch];
    double own[kBatch];
    double total = 0;
    for (Index i = begin; i < end; i += kBatch) {
        const Index m = std::min(kBatch, end - i);
        std::iota(rows, rows + m, i);
        points.squared_to_assigned(rows, m, labels, own);
        for (Index r = 0; r < m; ++r) total += (weights ? weights[i + r] : 1.0) * own[r];
        if (squares) std::copy(own, own + m, squares + i);
    }
    return total;
}

} // namespace

double kmeans_assign(Points& points, Matrix<const double> centers, const double* weights,
                     std::int32_t* labels, double* squares, float* gaps) {
    points.set_centers(centers);
    const Index n = points.rows(), work = centers.rows * centers.cols;
    const runtime::Blocks blocks = row_blocks(n, work);
    std::vector<double> totals(static_cast<std::size_t>(blocks.count()), 0.0);
    const double unit = 1 / points.scale();
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            Index rows[kBatch];
            float upper[kBatch], lower[kBatch];
            for (Index i = blocks.begin(b); i < blocks.end(b); i += kBatch) {
                const Index m = std::min(kBatch, blocks.end(b) - i);
                std::iota(rows, rows + m, i);
                points.nearest(rows, m, nullptr, labels + i, upper, lower);
                totals[b] += sum_of_squares(points, weights, labels, i, i + m, squares);
                for (Index r = 0; gaps && r < m; ++r) {
                    const double gap = (static_cast<double>(lower[r]) - upper[r]) * unit;
                    gaps[i + r] = distance::round_down(gap * (1 - 1e-9));
                }
            }
        },
        threads_for(n * work));
    return std::accumulate(totals.begin(), totals.end(), 0.0);
}

template <typename T>
void kmeans_transform(Points& points, Matrix<const double> centers, Matrix<T> out) {
    points.set_centers(centers);
    const Index n = points.rows(), k = centers.rows, work = k * centers.cols;
    const runtime::Blocks blocks = row_blocks(n, work);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            std::vector<double> squares(static_cast<std::size_t>(k));
            for (Index i = blocks.begin(b); i < blocks.end(b); ++i) {
                points.squared_to_all(i, squares.data());
                for (Index j = 0; j < k; ++j) out(i, j) = static_cast<T>(std::sqrt(squares[j]));
            }
        },
        threads_for(n * work));
}

template void kmeans_transform(Points&, Matrix<const double>, Matrix<float>);
template void kmeans_transform(Points&, Matrix<const double>, Matrix<double>);

void kmeans_sums(const Points& points, const double* weights, const std::int32_t* labels,
                 Matrix<double> sums, double* totals) {
    std::vector<std::int32_t> nowhere(static_cast<std::size_t>(points.rows()), -1);
    std::vector<double> members(static_cast<std::size_t>(sums.rows), 0.0);
    sum_in_slices(points, weights, nowhere.data(), labels, sums, totals, members.data());
}

Lloyd::Lloyd(Points& points, const double* weights, std::int32_t* labels, Matrix<double> sums,
             double* totals)
    : points_(points), weights_(weights), labels_{labels, points.rows()}, sums_(sums),
      totals_(totals), scatter_(points.scatter(weights)), members_(sums.rows, 0.0),
      upper_(points.rows()), lower_(points.rows()), before_(points.rows(), -1), moves_(sums.rows) {
    std::fill(labels_.begin(), labels_.end(), -1);
}

// How far the centres moved since the last iteration, and their distances from each other.
void Lloyd::measure_centers(Matrix<const double> centers) {
    const Index k = centers.rows, d = centers.cols;
    const auto squared = distance::row_kernels<double>().squared;
    const double scale = points_.scale();
    float largest = 0, runner_up = 0;
    Index farthest = 0;
    for (Index j = 0; j < k; ++j) {
        const double square = squared(centers.row(j), centers_.data() + j * d, d);
        const float move = distance::round_up(std::sqrt(square) * scale * (1 + 1e-9));
        moves_[j].own = move;
        if (move > largest) {
            runner_up = largest;
            largest = move;
            farthest = j;
        } else {
            runner_up = std::max(runner_up, move);
        }
    }
    for (Index j = 0; j < k; ++j) {
        moves_[j].others = j == farthest ? runner_up : largest;
        moves_[j].half_way = 0;
    }
    if (k > labels_.size / 4) return; // not worth k^2 distances
    runtime::parallel_for(
        k,
        [&](Index j) {
            double nearest = HUGE_VAL;
            for (Index l = 0; l < k; ++l) {
                if (l != j) nearest = std::min(nearest, squared(centers.row(j), centers.row(l), d));
            }
            moves_[j].half_way =
                distance::round_down(0.5 * std::sqrt(nearest) * scale * (1 - 1e-9));
        },
        threads_for(k * k * d));
}

// Bounds are strict: every upper bound exceeds the distance, so a row that is skipped has a unique
// nearest centre. `labels` are the current centres, which win ties, or null.
Lloyd::Counts Lloyd::assign_block(Index begin, Index end, const std::int32_t* labels) {
    Counts counts;
    Index rows[kBatch], pending[2 * kBatch];
    Index n_pending = 0;
    for (Index i = begin; i < end; i += kBatch) {
        const Index stop = std::min(end, i + kBatch);
        Index n = stop - i;
        if (iterations_ == 0) {
            std::iota(rows, rows + n, i);
        } else {
            n = distance::tile_kernels().relax_bounds(i, stop, labels_.data, moves_.data(),
                                                      upper_.data(), lower_.data(), rows);
            if (tighten_) {
                counts.tightened += n;
                n = tighten_upper_bounds(rows, n);
                counts.still_uncertain += n;
            }
        }
        std::copy(rows, rows + n, pending + n_pending);
        n_pending += n;
        counts.computed += n;
        if (n_pending >= kBatch) {
            n_pending -= kBatch;
            counts.moved += assign_rows(pending + n_pending, kBatch, labels);
        }
    }
    counts.moved += assign_rows(pending, n_pending, labels);
    return counts;
}

// Replaces the upper bounds of the listed rows by their distances; keeps the rows still uncertain.
Index Lloyd::tighten_upper_bounds(Index* rows, Index n) {
    double squares[kBatch];
    points_.squared_to_assigned(rows, n, labels_.data, squares);
    const double scale = points_.scale() * (1 + 1e-9);
    Index left = 0;
    for (Index r = 0; r < n; ++r) {
        const Index i = rows[r];
        upper_[i] = distance::round_up(std::sqrt(squares[r]) * scale);
        rows[left] = i;
        left += upper_[i] > std::max(lower_[i], moves_[labels_[i]].half_way);
    }
    return left;
}

// Assigns the listed rows to their nearest centres; returns how many moved.
Index Lloyd::assign_rows(const Index* rows, Index n, const std::int32_t* labels) {
    std::int32_t index[kBatch];
    float upper[kBatch], lower[kBatch];
    points_.nearest(rows, n, labels, index, upper, lower);
    Index moved = 0;
    for (Index r = 0; r < n; ++r) {
        const Index i = rows[r];
        moved += labels_[i] != index[r];
        labels_[i] = index[r];
        upper_[i] = upper[r];
        lower_[i] = lower[r];
    }
    return moved;
}

void Lloyd::sum_moved() {
    if (iterations_ % kFreshSums == 0) {
        std::fill(sums_.data, sums_.data + sums_.rows * sums_.cols, 0.0);
        std::fill(totals_, totals_ + sums_.rows, 0.0);
        std::fill(members_.begin(), members_.end(), 0.0);
        std::fill(before_.begin(), before_.end(), -1);
    }
    sum_in_slices(points_, weights_, before_.data(), labels_.data, sums_, totals_, members_.data());
    for (Index j = 0; j < sums_.rows; ++j) {
        if (members_[j] == 0) { // no residue of rounding in an empty cluster
            totals_[j] = 0;
            std::fill(sums_.row(j), sums_.row(j) + sums_.cols, 0.0);
        }
    }
}

Lloyd::Iteration Lloyd::means_of(Matrix<const double> centers, Matrix<double> means) const {
    Iteration iteration{0, 0, 0, 0.0, scatter_.total};
    const double* origin = points_.origin();
    for (Index j = 0; j < means.rows; ++j) {
        const bool empty = !(totals_[j] > 0);
        iteration.empty += empty;
        double from_origin = 0;
        for (Index t = 0; t < means.cols; ++t) {
            means(j, t) = empty ? centers(j, t) : sums_(j, t) / totals_[j];
            const double step = means(j, t) - centers(j, t);
            iteration.shift += step * step;
            const double away = means(j, t) - (origin ? origin[t] : 0.0);
            from_origin += away * away;
        }
        iteration.objective -= totals_[j] * from_origin;
    }
    iteration.objective = std::max(0.0, iteration.objective);
    return iteration;
}

Lloyd::Iteration Lloyd::iterate(Matrix<const double> centers, Matrix<double> means) {
    const Index n = labels_.size, work = centers.rows * centers.cols;
    points_.set_centers(centers);
    if (iterations_ > 0) measure_centers(centers);
    centers_.assign(centers.data, centers.data + work);

    const runtime::Blocks blocks = row_blocks(n, work);
    std::vector<Counts> counts(static_cast<std::size_t>(blocks.count()));
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) { counts[b] = assign_block(blocks.begin(b), blocks.end(b), labels_.data); },
        threads_for(n * work));
    Counts all;
    for (const Counts& c : counts) {
        all.moved += c.moved;
        all.computed += c.computed;
        all.tightened += c.tightened;
        all.still_uncertain += c.still_uncertain;
    }
    // Tightening pays while it saves enough searches. The costs, in cycles per row, are those of a
    // single distance and of one row of a panel. If it did not pay, it is tried again now and then.
    const double k = static_cast<double>(centers.rows), d = static_cast<double>(centers.cols);
    const double alone = 30 + 0.35 * d, in_panel = 30 + 0.4 * d + k * (0.35 + d / 16);
    const auto spared = static_cast<double>(all.tightened - all.still_uncertain);
    tighten_ = all.tightened == 0 ? tighten_ || iterations_ % 4 == 0
                                  : spared * in_panel > static_cast<double>(all.tightened) * alone;

    sum_moved();
    ++iterations_;
    Iteration iteration = means_of(centers, means);
    iteration.moved = all.moved;
    iteration.computed = all.computed;
    return iteration;
}

double Lloyd::finish(Matrix<const double> centers) {
    const Index n = labels_.size, work = centers.rows * centers.cols;
    points_.set_centers(centers);
    if (iterations_ > 0) measure_centers(centers);
    const runtime::Blocks blocks = row_blocks(n, work);
    std::vector<double> totals(static_cast<std::size_t>(blocks.count()), 0.0);
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            assign_block(blocks.begin(b), blocks.end(b), nullptr);
            totals[b] = sum_of_squares(points_, weights_, labels_.data, blocks.begin(b),
                                       blocks.end(b), nullptr);
        },
        threads_for(n * work));
    return std::accumulate(totals.begin(), totals.end(), 0.0);
}

} // namespace gramian::cluster
