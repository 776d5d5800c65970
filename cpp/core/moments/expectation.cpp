#include "core/moments/expectation.hpp"

#include "core/passes/gram.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gramian::moments {
namespace {

using passes::GramBlock;
using passes::kGramRows;
using passes::kPackRows;

static_assert(kPackRows % kTileRows == 0);

constexpr Index kSlotBytes = 32 << 20; // sums of blocks that wait to be added in order
constexpr double kSerialWork = 1e5;    // below this, threads cost more than they save

// Room for the responsibilities of one tile of rows.
class Tile {
public:
    Tile(Index d, Index K) : cols_(d), room_(static_cast<std::size_t>((2 * d + K) * kTileRows)) {}

    double* rows() { return room_.data(); }
    // (K, kTileRows): w_i r_ik, 0 beyond the last row
    double* weighted() { return room_.data() + 2 * cols_ * kTileRows; }

    // Returns the weighted log likelihood of the rows.
    template <typename T>
    double fill(Matrix<const T> X, Index first, Index count, const MixtureRows& mixture,
                const ScoreModel& model) {
        const Index K = model.classes;
        double* scores = weighted();
        load_tile(X.row(first), count, X.cols, rows());
        score_table().scores(model, rows(), X.cols, rows() + cols_ * kTileRows, scores);
        double known[kTileRows];
        for (Index r = 0; mixture.known && r < count; ++r) {
            const std::int32_t k = mixture.known[first + r];
            if (k >= 0) known[r] = scores[k * kTileRows + r];
        }
        double log_norm[kTileRows];
        score_table().posterior(scores, K, log_norm);
        double total = 0.0;
        double weights[kTileRows] = {};
        for (Index r = 0; r < count; ++r) {
            const double w = mixture.weights ? mixture.weights[first + r] : 1.0;
            const std::int32_t k = mixture.known ? mixture.known[first + r] : -1;
            weights[r] = w;
            if (k >= 0) {
                log_norm[r] = known[r];
                for (Index l = 0; l < K; ++l) scores[l * kTileRows + r] = l == k ? 1.0 : 0.0;
            }
            if (w > 0) total += w * log_norm[r];
        }
        for (Index k = 0; k < K; ++k) {
            for (Index r = 0; r < kTileRows; ++r) scores[k * kTileRows + r] *= weights[r];
        }
        return total;
    }

private:
    Index cols_;
    std::vector<double> room_;
};

// Fills the sums of blocks of rows in parallel and adds them in order.
template <typename Sums, typename Fill>
double sum_blocks_in_order(Index n, Index bytes, double work, const Sums& empty, Fill&& fill) {
    const runtime::Blocks blocks{n, kGramRows};
    const Index n_blocks = blocks.count();
    const Index slots = std::clamp<Index>(kSlotBytes / std::max<Index>(1, bytes), 4, 64);
    std::vector<Sums> sums(static_cast<std::size_t>(std::min(slots, n_blocks)), empty);
    double total = 0.0;
    for (Index wave = 0; wave < n_blocks; wave += slots) {
        const Index count = std::min(slots, n_blocks - wave);
        runtime::parallel_for(
            count,
            [&](Index slot) {
                Sums& sum = sums[static_cast<std::size_t>(slot)];
                fill(sum, blocks.begin(wave + slot), blocks.end(wave + slot));
            },
            work < kSerialWork ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) {
            Sums& sum = sums[static_cast<std::size_t>(slot)];
            total += sum.likelihood;
            sum.flush();
        }
    }
    return total;
}

struct FullSums {
    double* grams;
    Index q;
    double likelihood;
    std::vector<GramBlock<double>> classes;

    void flush() {
        for (std::size_t k = 0; k < classes.size(); ++k) {
            classes[k].flush({grams + static_cast<Index>(k) * q * q, q, q});
        }
        likelihood = 0.0;
    }
};

struct DiagonalSums {
    double* weights;
    double* sums;
    double* squares;
    Index classes;
    Index cols;
    double likelihood;
    std::vector<double> weight;
    std::vector<double> by_lane; // (K, d, 2, kSumLanes)

    void flush() {
        for (Index k = 0; k < classes; ++k) weights[k] += weight[static_cast<std::size_t>(k)];
        for (Index cell = 0; cell < classes * cols; ++cell) {
            const double* at = by_lane.data() + cell * 2 * kSumLanes;
            sums[cell] += (at[0] + at[1]) + (at[2] + at[3]);
            at += kSumLanes;
            squares[cell] += (at[0] + at[1]) + (at[2] + at[3]);
        }
        std::fill(weight.begin(), weight.end(), 0.0);
        std::fill(by_lane.begin(), by_lane.end(), 0.0);
        likelihood = 0.0;
    }
};

double work_of(Index n, Index K, Index d) {
    return static_cast<double>(n) * static_cast<double>(K) * static_cast<double>(d);
}

} // namespace

template <typename T>
double expectation_full(Matrix<const T> X, const MixtureRows& rows, const ScoreModel& model,
                        double* grams) {
    const Index d = X.cols, q = d + 1, K = model.classes;
    const FullSums empty{
        grams, q, 0.0,
        std::vector<GramBlock<double>>(static_cast<std::size_t>(K), GramBlock<double>(q))};
    const Index bytes = K * (q + 4) * (q + 4 + kPackRows) * 8;
    const double total = sum_blocks_in_order(
        X.rows, bytes, work_of(X.rows, K, d), empty, [&](FullSums& sum, Index begin, Index end) {
            Tile tile(d, K);
            std::vector<double> roots(static_cast<std::size_t>(K * kPackRows));
            for (Index b = begin; b < end; b += kPackRows) {
                const Index count = std::min(kPackRows, end - b);
                for (Index r = 0; r < count; r += kTileRows) {
                    const Index here = std::min(kTileRows, count - r);
                    sum.likelihood += tile.fill(X, b + r, here, rows, model);
                    for (Index k = 0; k < K; ++k) {
                        const double* from = tile.weighted() + k * kTileRows;
                        double* to = roots.data() + k * kPackRows + r;
                        for (Index l = 0; l < kTileRows; ++l) to[l] = std::sqrt(from[l]);
                    }
                }
                for (Index k = 0; k < K; ++k) {
                    sum.classes[static_cast<std::size_t>(k)].add(
                        Matrix<const T>{X.row(b), count, d},
                        Matrix<const double>{nullptr, count, 0}, model.means.row(k),
                        roots.data() + k * kPackRows);
                }
            }
        });
    for (Index k = 0; k < K; ++k) {
        const Matrix<double> G{grams + k * q * q, q, q};
        for (Index i = 0; i < q; ++i) {
            for (Index j = 0; j < i; ++j) G(i, j) = G(j, i);
        }
    }
    return total;
}

template <typename T>
double expectation_diagonal(Matrix<const T> X, const MixtureRows& rows, const ScoreModel& model,
                            double* weights, double* sums, double* squares) {
    const Index d = X.cols, K = model.classes;
    const DiagonalSums empty{weights,
                             sums,
                             squares,
                             K,
                             d,
                             0.0,
                             std::vector<double>(static_cast<std::size_t>(K)),
                             std::vector<double>(static_cast<std::size_t>(K * d * 2 * kSumLanes))};
    return sum_blocks_in_order(X.rows, K * d * 2 * kSumLanes * 8, work_of(X.rows, K, d), empty,
                               [&](DiagonalSums& sum, Index begin, Index end) {
                                   Tile tile(d, K);
                                   for (Index b = begin; b < end; b += kTileRows) {
                                       const Index count = std::min(kTileRows, end - b);
                                       sum.likelihood += tile.fill(X, b, count, rows, model);
                                       for (Index k = 0; k < K; ++k) {
                                           const double* w = tile.weighted() + k * kTileRows;
                                           double total = 0.0;
                                           for (Index r = 0; r < kTileRows; ++r) total += w[r];
                                           sum.weight[static_cast<std::size_t>(k)] += total;
                                           score_table().add_columns(
                                               tile.rows(), d, model.means.row(k), w,
                                               sum.by_lane.data() + k * d * 2 * kSumLanes);
                                       }
                                   }
                               });
}

#define GRAMIAN_EXPECTATION(T)                                                                     \
    template double expectation_full(Matrix<const T>, const MixtureRows&, const ScoreModel&,       \
                                     double*);                                                     \
    template double expectation_diagonal(Matrix<const T>, const MixtureRows&, const ScoreModel&,   \
                                         double*, double*, double*);
GRAMIAN_EXPECTATION(float)
GRAMIAN_EXPECTATION(double)
#undef GRAMIAN_EXPECTATION

} // namespace gramian::moments
