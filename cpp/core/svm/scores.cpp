#include "core/svm/scores.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr Index kBatch = 48;
constexpr Index kFewSums = 2048;         // of classes, for which each thread has room
constexpr Index kValuesHeld = 2'000'000; // kernel values of the rows that a thread has at once

Index rows_of(const AnyTable& table) {
    return std::visit([](const auto& X) { return X.rows; }, table);
}

// sums[(c * outputs + m) * kColumnBlock + j] = sum over the vectors of class c of
// coef(m, vector) k(vector, column j).
void class_sums(const Machines& m, const Columns& columns, const std::vector<std::int32_t>& ids,
                double* sums) {
    const Index outputs = m.coef.rows, classes = m.starts.size - 1;
    std::vector<float> room(static_cast<std::size_t>(kBatch * kColumnBlock));
    float* to[kBatch];
    for (Index r = 0; r < kBatch; ++r) to[r] = room.data() + r * kColumnBlock;
    for (Index c = 0; c < classes; ++c) {
        for (Index first = m.starts[c]; first < m.starts[c + 1]; first += kBatch) {
            runtime::poll_interrupt();
            const Index count = std::min(kBatch, m.starts[c + 1] - first);
            columns.rows(m.vectors, ids.data() + first, count, 0, columns.size(), to);
            for (Index o = 0; o < outputs; ++o) {
                solver_kernels<float>().add_rows(to, m.coef.row(o) + first, count, 0,
                                                 columns.size(),
                                                 sums + (c * outputs + o) * kColumnBlock);
            }
        }
    }
}

// Scores and votes of a block of rows, one pair of classes at a time, from the kernel values of the
// rows with all vectors. Used for many classes, whose sums would not fit in memory.
template <typename V>
class PairwiseScorer {
public:
    PairwiseScorer(const PairCoefficients& m, Index width)
        : m_(m), classes_(m.starts.size - 1), width_(width),
          score_(static_cast<std::size_t>(width)),
          won_(static_cast<std::size_t>(classes_ * width)) {}

    // values[v][j] = k(vector v, row j) for j < count.
    void run(const V* const* values, Index count, double* scores, std::int32_t* votes) {
        std::fill(won_.begin(), won_.end(), 0);
        Index p = 0;
        for (Index i = 0; i < classes_; ++i) {
            runtime::poll_interrupt();
            for (Index k = i + 1; k < classes_; ++k, ++p) {
                std::fill(score_.begin(), score_.end(), 0.0);
                add(values, i, k - 1, count);
                add(values, k, i, count);
                std::int32_t* const first = won_.data() + i * width_;
                std::int32_t* const second = won_.data() + k * width_;
                for (Index j = 0; j < count; ++j) {
                    const double score = score_[j] + m_.intercept[p];
                    if (scores) scores[j * m_.intercept.size + p] = score;
                    first[j] += score > 0;
                    second[j] += !(score > 0);
                }
            }
        }
        for (Index j = 0; votes && j < count; ++j) {
            Index best = 0;
            for (Index c = 1; c < classes_; ++c) {
                if (won_[c * width_ + j] > won_[best * width_ + j]) best = c;
            }
            votes[j] = static_cast<std::int32_t>(best);
        }
    }

private:
    void add(const V* const* values, Index c, Index other, Index count) {
        const Index first = m_.starts[c];
        solver_kernels<V>().add_rows(values + first, m_.coef.row(other) + first,
                                     m_.starts[c + 1] - first, 0, count, score_.data());
    }

    const PairCoefficients& m_;
    Index classes_, width_;
    std::vector<double> score_;
    std::vector<std::int32_t> won_;
};

void many_class_scores(const Machines& m, const AnyTable& rows, double* scores,
                       std::int32_t* votes) {
    const Index vectors = m.vectors.size(), pairs = m.intercept.size;
    std::vector<std::int32_t> ids(static_cast<std::size_t>(vectors));
    std::iota(ids.begin(), ids.end(), 0);
    const Index width = std::clamp(kValuesHeld / vectors / kPanel * kPanel, kPanel, kColumnBlock);
    const Index share = rows_of(rows) / runtime::num_threads();
    const runtime::Blocks blocks{rows_of(rows), std::clamp(padded(share), kPanel, width)};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        const Index begin = blocks.begin(b), count = blocks.end(b) - begin, room = padded(count);
        const std::unique_ptr<Columns> columns = m.vectors.columns_of(rows, begin, blocks.end(b));
        std::vector<float> values(static_cast<std::size_t>(vectors * room));
        std::vector<float*> to(ids.size());
        for (Index v = 0; v < vectors; ++v) to[v] = values.data() + v * room;
        for (Index first = 0; first < vectors; first += kBatch) {
            columns->rows(m.vectors, ids.data() + first, std::min(kBatch, vectors - first), 0,
                          count, to.data() + first);
        }
        PairwiseScorer<float>(m, room).run(to.data(), count,
                                           scores ? scores + begin * pairs : nullptr,
                                           votes ? votes + begin : nullptr);
    });
}

} // namespace

void scores_of_values(const PairCoefficients& m, Matrix<const double> values, double* scores,
                      std::int32_t* votes) {
    const Index share = values.cols / runtime::num_threads();
    const runtime::Blocks blocks{values.cols, std::clamp(padded(share), kPanel, kColumnBlock)};
    runtime::parallel_for(blocks.count(), [&](Index b) {
        const Index begin = blocks.begin(b), count = blocks.end(b) - begin;
        std::vector<const double*> from(static_cast<std::size_t>(values.rows));
        for (Index v = 0; v < values.rows; ++v) from[v] = values.row(v) + begin;
        PairwiseScorer<double>(m, count).run(from.data(), count,
                                             scores ? scores + begin * m.intercept.size : nullptr,
                                             votes ? votes + begin : nullptr);
    });
}

void scores(const Machines& m, const AnyTable& rows, double* scores, std::int32_t* votes) {
    const Index classes = m.starts.size - 1, outputs = m.coef.rows;
    if (classes * outputs > kFewSums) return many_class_scores(m, rows, scores, votes);
    std::vector<std::int32_t> ids(static_cast<std::size_t>(m.vectors.size()));
    std::iota(ids.begin(), ids.end(), 0);
    const runtime::Blocks blocks{rows_of(rows), kColumnBlock};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b), count = blocks.end(b) - begin;
            const std::unique_ptr<Columns> columns =
                m.vectors.columns_of(rows, begin, blocks.end(b));
            std::vector<double> sums(static_cast<std::size_t>(classes * outputs * kColumnBlock));
            class_sums(m, *columns, ids, sums.data());
            std::vector<std::int32_t> won(static_cast<std::size_t>(classes));
            const Index pairs = m.intercept.size;
            for (Index j = 0; j < count; ++j) {
                std::fill(won.begin(), won.end(), 0);
                const auto sum = [&](Index c, Index o) {
                    return sums[(c * outputs + o) * kColumnBlock + j];
                };
                double* const out = scores ? scores + (begin + j) * pairs : nullptr;
                if (classes == 1) {
                    out[0] = sum(0, 0) + m.intercept[0];
                    continue;
                }
                Index p = 0;
                for (Index i = 0; i < classes; ++i) {
                    for (Index k = i + 1; k < classes; ++k, ++p) {
                        const double score = sum(i, k - 1) + sum(k, i) + m.intercept[p];
                        if (out) out[p] = score;
                        ++won[score > 0 ? i : k];
                    }
                }
                if (votes) {
                    votes[begin + j] = static_cast<std::int32_t>(
                        std::max_element(won.begin(), won.end()) - won.begin());
                }
            }
        },
        m.vectors.size() * rows_of(rows) < 20000 ? 1 : 0);
}

} // namespace gramian::svm
