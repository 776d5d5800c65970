#include "core/moments/class_gram.hpp"

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

constexpr Index kSlotBytes = 32 << 20; // sums of blocks that wait to be added in order
constexpr double kSerialFlops = 2e6;   // below this, threads cost more than they save

// Rows of one class: positions begin .. end of the order.
struct Segment {
    Index code;
    Index begin;
    Index end;
};

// The rows sorted by class, split into segments.
struct ByClass {
    std::vector<Index> order;
    std::vector<Segment> segments;

    ByClass(Index n, const std::int32_t* codes, Index K) : order(static_cast<std::size_t>(n)) {
        std::vector<Index> ends(static_cast<std::size_t>(K) + 1);
        for (Index i = 0; i < n; ++i) ++ends[static_cast<std::size_t>(codes[i]) + 1];
        for (Index k = 0; k < K; ++k)
            ends[static_cast<std::size_t>(k) + 1] += ends[static_cast<std::size_t>(k)];
        for (Index k = 0; k < K; ++k) {
            const Index end = ends[static_cast<std::size_t>(k) + 1];
            for (Index b = ends[static_cast<std::size_t>(k)]; b < end; b += kGramRows) {
                segments.push_back({k, b, std::min(b + kGramRows, end)});
            }
        }
        for (Index i = 0; i < n; ++i) {
            order[static_cast<std::size_t>(ends[static_cast<std::size_t>(codes[i])]++)] = i;
        }
    }
};

void mirror(Matrix<double> G) {
    for (Index i = 0; i < G.rows; ++i) {
        for (Index j = 0; j < i; ++j) G(i, j) = G(j, i);
    }
}

// Calls fill(block, sum) for every block, in parallel, and then flush(block, sum) in order.
template <typename Fill, typename Flush>
void sum_blocks_in_order(Index n_blocks, Index q, double flops, Fill&& fill, Flush&& flush) {
    const Index slots = std::clamp<Index>(kSlotBytes / (q * q * 8), 8, 64);
    std::vector<GramBlock<double>> sums(static_cast<std::size_t>(std::min(slots, n_blocks)),
                                        GramBlock<double>(q));
    for (Index wave = 0; wave < n_blocks; wave += slots) {
        const Index count = std::min(slots, n_blocks - wave);
        runtime::parallel_for(
            count, [&](Index slot) { fill(wave + slot, sums[static_cast<std::size_t>(slot)]); },
            flops < kSerialFlops ? 1 : 0);
        for (Index slot = 0; slot < count; ++slot) {
            flush(wave + slot, sums[static_cast<std::size_t>(slot)]);
        }
    }
}

double work(Index n, Index q) {
    return static_cast<double>(n) * static_cast<double>(q) * static_cast<double>(q);
}

} // namespace

template <typename T>
void class_gram(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                double* grams) {
    const Index d = X.cols, q = d + 1, K = shifts.rows;
    const ByClass by_class(X.rows, rows.codes, K);
    sum_blocks_in_order(
        static_cast<Index>(by_class.segments.size()), q, work(X.rows, q),
        [&](Index block, GramBlock<double>& sum) {
            const Segment& segment = by_class.segments[static_cast<std::size_t>(block)];
            std::vector<T> copied(static_cast<std::size_t>(kPackRows * d));
            double root[kPackRows];
            for (Index b = segment.begin; b < segment.end; b += kPackRows) {
                const Index count = std::min(kPackRows, segment.end - b);
                for (Index r = 0; r < count; ++r) {
                    const Index i = by_class.order[static_cast<std::size_t>(b + r)];
                    std::copy(X.row(i), X.row(i) + d, copied.data() + r * d);
                    if (rows.weights) root[r] = std::sqrt(rows.weights[i]);
                }
                sum.add(Matrix<const T>{copied.data(), count, d},
                        Matrix<const double>{nullptr, count, 0}, shifts.row(segment.code),
                        rows.weights ? root : nullptr);
            }
        },
        [&](Index block, GramBlock<double>& sum) {
            const Index k = by_class.segments[static_cast<std::size_t>(block)].code;
            sum.flush({grams + k * q * q, q, q});
        });
    for (Index k = 0; k < K; ++k) mirror({grams + k * q * q, q, q});
}

template <typename T>
void within_gram(Matrix<const T> X, const ClassRows& rows, Matrix<const double> shifts,
                 Matrix<double> G) {
    const Index d = X.cols, q = d + 1;
    const runtime::Blocks blocks{X.rows, kGramRows};
    sum_blocks_in_order(
        blocks.count(), q, work(X.rows, q),
        [&](Index block, GramBlock<double>& sum) {
            std::vector<double> centred(static_cast<std::size_t>(kPackRows * d));
            double root[kPackRows];
            for (Index b = blocks.begin(block); b < blocks.end(block); b += kPackRows) {
                const Index count = std::min(kPackRows, blocks.end(block) - b);
                for (Index r = 0; r < count; ++r) {
                    const T* x = X.row(b + r);
                    const double* shift = shifts.row(rows.codes[b + r]);
                    double* to = centred.data() + r * d;
                    for (Index j = 0; j < d; ++j) to[j] = static_cast<double>(x[j]) - shift[j];
                    if (rows.weights) root[r] = std::sqrt(rows.weights[b + r]);
                }
                sum.add(Matrix<const double>{centred.data(), count, d},
                        Matrix<const double>{nullptr, count, 0}, nullptr,
                        rows.weights ? root : nullptr);
            }
        },
        [&](Index, GramBlock<double>& sum) { sum.flush(G); });
    mirror(G);
}

#define GRAMIAN_GRAMS(T)                                                                           \
    template void class_gram(Matrix<const T>, const ClassRows&, Matrix<const double>, double*);    \
    template void within_gram(Matrix<const T>, const ClassRows&, Matrix<const double>,             \
                              Matrix<double>);
GRAMIAN_GRAMS(float)
GRAMIAN_GRAMS(double)
#undef GRAMIAN_GRAMS

} // namespace gramian::moments
