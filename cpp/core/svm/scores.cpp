#include "core/svm/scores.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr Index kBatch = 48;

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
                solver_kernels().add_rows(to, m.coef.row(o) + first, count, 0, columns.size(),
                                          sums + (c * outputs + o) * kColumnBlock);
            }
        }
    }
}

} // namespace

void scores(const Machines& m, const AnyTable& rows, double* scores, std::int32_t* votes) {
    const Index classes = m.starts.size - 1, outputs = m.coef.rows;
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
