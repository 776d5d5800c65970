#include "core/moments/scores.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <vector>

GRAMIAN_DISPATCH(moments, ScoreKernels, score_kernels, score_table)

namespace gramian::moments {
namespace {

constexpr Index kRowsPerBlock = 1024;
constexpr double kSerialWork = 1e6; // below this, threads cost more than they save

// The results of rows first .. first + rows from their scores, (K, kTileRows).
void finish(double* scores, Index classes, Index first, Index rows, const ScoreOutputs& out) {
    const ScoreKernels& kernels = score_table();
    const auto transposed = [&](double* to) {
        for (Index r = 0; r < rows; ++r) {
            for (Index k = 0; k < classes; ++k) {
                to[(first + r) * classes + k] = scores[k * kTileRows + r];
            }
        }
    };
    if (out.scores) transposed(out.scores);
    if (out.codes) {
        std::int32_t codes[kTileRows];
        kernels.highest(scores, classes, codes);
        std::copy(codes, codes + rows, out.codes + first);
    }
    if (out.log_norm || out.posterior) {
        double log_norm[kTileRows];
        kernels.posterior(scores, classes, log_norm);
        if (out.log_norm) std::copy(log_norm, log_norm + rows, out.log_norm + first);
        if (out.posterior) transposed(out.posterior);
    }
}

template <typename T, typename I>
void add_row(const T* values, const I* columns, Index size, Index ahead, const double* factors,
             Index classes, double* scores) {
    const ScoreKernels& kernels = score_table();
    if constexpr (sizeof(T) == 4 && sizeof(I) == 4) {
        kernels.add_row_fi(values, columns, size, ahead, factors, classes, scores);
    } else if constexpr (sizeof(T) == 4) {
        kernels.add_row_fl(values, columns, size, ahead, factors, classes, scores);
    } else if constexpr (sizeof(I) == 4) {
        kernels.add_row_di(values, columns, size, ahead, factors, classes, scores);
    } else {
        kernels.add_row_dl(values, columns, size, ahead, factors, classes, scores);
    }
}

template <typename Body>
void in_tiles(Index n, double work, Body&& body) {
    const runtime::Blocks blocks{n, kRowsPerBlock};
    runtime::parallel_for(
        blocks.count(), [&](Index block) { body(blocks.begin(block), blocks.end(block)); },
        work < kSerialWork ? 1 : 0);
}

} // namespace

template <typename T>
void class_scores(Matrix<const T> X, const ScoreModel& model, const ScoreOutputs& out) {
    const Index d = X.cols, K = model.classes;
    const double flops = static_cast<double>(X.rows) * static_cast<double>(K * d) *
                         static_cast<double>(std::max<Index>(1, model.height));
    in_tiles(X.rows, flops, [&](Index begin, Index end) {
        std::vector<double> room(static_cast<std::size_t>((2 * d + K) * kTileRows));
        double* tile = room.data();
        double* centred = tile + d * kTileRows;
        double* scores = centred + d * kTileRows;
        for (Index first = begin; first < end; first += kTileRows) {
            const Index rows = std::min(kTileRows, end - first);
            load_tile(X.row(first), rows, d, tile);
            score_table().scores(model, tile, d, centred, scores);
            finish(scores, K, first, rows, out);
        }
    });
}

template <typename T, typename I>
void class_scores(Csr<const T, I> X, const ScoreModel& model, const ScoreOutputs& out) {
    const Index K = model.classes;
    const Index stored = static_cast<Index>(X.offsets[X.rows] - X.offsets[0]);
    in_tiles(X.rows, static_cast<double>((stored + X.rows) * K), [&](Index begin, Index end) {
        std::vector<double> room(static_cast<std::size_t>(K * (kTileRows + 1)));
        double* scores = room.data();
        double* row = scores + K * kTileRows;
        for (Index first = begin; first < end; first += kTileRows) {
            const Index rows = std::min(kTileRows, end - first);
            for (Index r = 0; r < rows; ++r) {
                std::copy(model.offsets, model.offsets + K, row);
                const I at = X.offsets[first + r], next = X.offsets[first + r + 1];
                add_row(X.values + at, X.columns + at, next - at, X.offsets[X.rows] - next,
                        model.factors, K, row);
                for (Index k = 0; k < K; ++k) scores[k * kTileRows + r] = row[k];
            }
            finish(scores, K, first, rows, out);
        }
    });
}

#define GRAMIAN_SCORES(T)                                                                          \
    template void class_scores(Matrix<const T>, const ScoreModel&, const ScoreOutputs&);           \
    template void class_scores(Csr<const T, std::int32_t>, const ScoreModel&,                      \
                               const ScoreOutputs&);                                               \
    template void class_scores(Csr<const T, std::int64_t>, const ScoreModel&, const ScoreOutputs&);
GRAMIAN_SCORES(float)
GRAMIAN_SCORES(double)
#undef GRAMIAN_SCORES

} // namespace gramian::moments
