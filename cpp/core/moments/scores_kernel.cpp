#include "core/moments/scores.hpp"

#include "core/simd/functions.hpp"
#include "core/simd/register.hpp"

namespace gramian::moments::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kVecs = static_cast<int>(kTileRows) / kLanes<double>; // registers per column
constexpr int kLane = kLanes<double>;

template <typename T>
void load_tile_of(const T* x, Index rows, Index cols, double* tile) {
    for (Index r = 0; r < kTileRows; ++r) {
        const T* row = x + (r < rows ? r : rows - 1) * cols;
        for (Index j = 0; j < cols; ++j) tile[j * kTileRows + r] = static_cast<double>(row[j]);
    }
}

// z(c, r) = sum_j w(c, j) tile(j, r) for N rows of w and j < end.
template <int N>
inline void product(const double* tile, const double* w, Index cols, Index end,
                    Vec<double> (&z)[N][kVecs]) {
    for (Index j = 0; j < end; ++j) {
        Vec<double> x[kVecs];
        for (int v = 0; v < kVecs; ++v) x[v] = load(tile + j * kTileRows + v * kLane);
        for (int c = 0; c < N; ++c) {
            const Vec<double> factor = broadcast(w[c * cols + j]);
            for (int v = 0; v < kVecs; ++v) z[c][v] += factor * x[v];
        }
    }
}

template <int N>
inline void linear_rows(const double* tile, const double* w, const double* offsets, Index cols,
                        double* scores) {
    Vec<double> z[N][kVecs];
    for (int c = 0; c < N; ++c) {
        for (int v = 0; v < kVecs; ++v) z[c][v] = broadcast(offsets[c]);
    }
    product<N>(tile, w, cols, cols, z);
    for (int c = 0; c < N; ++c) {
        for (int v = 0; v < kVecs; ++v) store(scores + c * kTileRows + v * kLane, z[c][v]);
    }
}

template <int N>
inline void add_squares(const double* tile, const double* w, Index cols, Index end,
                        Vec<double> (&total)[kVecs]) {
    Vec<double> z[N][kVecs] = {};
    product<N>(tile, w, cols, end, z);
    for (int c = 0; c < N; ++c) {
        for (int v = 0; v < kVecs; ++v) total[v] += z[c][v] * z[c][v];
    }
}

inline void quadratic(const double* tile, Index cols, const double* mean, const double* root,
                      Index height, bool lower, double offset, double* centred, double* scores) {
    for (Index j = 0; j < cols; ++j) {
        for (int v = 0; v < kVecs; ++v) {
            const Index at = j * kTileRows + v * kLane;
            store(centred + at, load(tile + at) - mean[j]);
        }
    }
    Vec<double> total[kVecs] = {};
    const auto last = [&](Index c) { return lower && c < cols ? c : cols; };
    Index c = 0;
    for (; c + 3 <= height; c += 3) {
        add_squares<3>(centred, root + c * cols, cols, last(c + 3), total);
    }
    for (; c < height; ++c) add_squares<1>(centred, root + c * cols, cols, last(c + 1), total);
    for (int v = 0; v < kVecs; ++v) store(scores + v * kLane, offset - 0.5 * total[v]);
}

inline void diagonal(const double* tile, Index cols, const double* mean, const double* precision,
                     double offset, double* scores) {
    Vec<double> total[kVecs] = {};
    for (Index j = 0; j < cols; ++j) {
        for (int v = 0; v < kVecs; ++v) {
            const Vec<double> away = load(tile + j * kTileRows + v * kLane) - mean[j];
            total[v] += (away * precision[j]) * away;
        }
    }
    for (int v = 0; v < kVecs; ++v) store(scores + v * kLane, offset - 0.5 * total[v]);
}

void scores_of(const ScoreModel& model, const double* tile, Index cols, double* centred,
               double* scores) {
    Index k = 0;
    switch (model.kind) {
    case ScoreKind::linear:
        for (; k + 3 <= model.classes; k += 3) {
            linear_rows<3>(tile, model.factors + k * cols, model.offsets + k, cols,
                           scores + k * kTileRows);
        }
        for (; k < model.classes; ++k) {
            linear_rows<1>(tile, model.factors + k * cols, model.offsets + k, cols,
                           scores + k * kTileRows);
        }
        break;
    case ScoreKind::diagonal:
        for (; k < model.classes; ++k) {
            diagonal(tile, cols, model.means.row(k), model.factors + k * cols, model.offsets[k],
                     scores + k * kTileRows);
        }
        break;
    case ScoreKind::quadratic:
        for (; k < model.classes; ++k) {
            const double* root = model.factors + (model.shared ? 0 : k * model.height * cols);
            quadratic(tile, cols, model.means.row(k), root, model.height, model.lower,
                      model.offsets[k], centred, scores + k * kTileRows);
        }
        break;
    }
}

void posterior(double* scores, Index classes, double* log_norm) {
    for (int v = 0; v < kVecs; ++v) {
        double* s = scores + v * kLane;
        Vec<double> top = load(s);
        for (Index k = 1; k < classes; ++k) top = max(top, load(s + k * kTileRows));
        const Vec<double> none = broadcast(-__builtin_inf());
        const Vec<double> zero{};
        const auto impossible = top == none;
        Vec<double> total{};
        for (Index k = 0; k < classes; ++k) {
            const Vec<double> away = impossible ? zero : load(s + k * kTileRows) - top;
            const Vec<double> e = exp(away);
            store(s + k * kTileRows, e);
            total += e;
        }
        const Vec<double> inverse = 1.0 / total;
        for (Index k = 0; k < classes; ++k) {
            store(s + k * kTileRows, load(s + k * kTileRows) * inverse);
        }
        for (int l = 0; l < kLane; ++l) log_norm[v * kLane + l] = top[l] + __builtin_log(total[l]);
    }
}

void highest(const double* scores, Index classes, std::int32_t* codes) {
    for (Index r = 0; r < kTileRows; ++r) {
        double best = scores[r];
        std::int32_t code = 0;
        for (Index k = 1; k < classes; ++k) {
            const double s = scores[k * kTileRows + r];
            if (s > best) {
                best = s;
                code = static_cast<std::int32_t>(k);
            }
        }
        codes[r] = code;
    }
}

constexpr Index kAhead = 24; // entries between asking for factors and reading them

// N registers of classes stay where they are while the entries of the row pass by. The processor
// cannot guess where the factors of a column lie.
template <int N, typename T, typename I>
inline void add_entries(const T* values, const I* columns, Index size, Index ahead,
                        const double* factors, Index classes, double* scores) {
    constexpr Index line = 64 / sizeof(double);
    Vec<double> sums[N];
    for (int v = 0; v < N; ++v) sums[v] = load(scores + v * kLane);
    const auto add = [&](Index at) {
        const double x = static_cast<double>(values[at]);
        const double* column = factors + static_cast<Index>(columns[at]) * classes;
        for (int v = 0; v < N; ++v) sums[v] += x * load(column + v * kLane);
    };
    Index at = 0;
    for (const Index end = size + ahead - kAhead < size ? size + ahead - kAhead : size; at < end;
         ++at) {
        const double* later = factors + static_cast<Index>(columns[at + kAhead]) * classes;
        for (Index k = 0; k < N * kLane; k += line) __builtin_prefetch(later + k);
        __builtin_prefetch(later + N * kLane - 1);
        add(at);
    }
    for (; at < size; ++at) add(at);
    for (int v = 0; v < N; ++v) store(scores + v * kLane, sums[v]);
}

template <typename T, typename I>
void add_row(const T* values, const I* columns, Index size, Index ahead, const double* factors,
             Index classes, double* scores) {
    Index k = 0;
    const auto some = [&]<int N>() {
        add_entries<N>(values, columns, size, ahead, factors + k, classes, scores + k);
        k += N * kLane;
    };
    while (classes - k >= 8 * kLane) some.template operator()<4>();
    switch ((classes - k) / kLane) { // one more reading of the row costs as much as 4 registers
    case 7:
        some.template operator()<7>();
        break;
    case 6:
        some.template operator()<6>();
        break;
    case 5:
        some.template operator()<5>();
        break;
    case 4:
        some.template operator()<4>();
        break;
    case 3:
        some.template operator()<3>();
        break;
    case 2:
        some.template operator()<2>();
        break;
    case 1:
        some.template operator()<1>();
        break;
    }
    for (; k < classes; ++k) {
        double sum = scores[k];
        for (Index at = 0; at < size; ++at) {
            sum += static_cast<double>(values[at]) *
                   factors[static_cast<Index>(columns[at]) * classes + k];
        }
        scores[k] = sum;
    }
}

void add_columns(const double* tile, Index cols, const double* mean, const double* weights,
                 double* sums) {
    Vec<double> w[kVecs];
    for (int v = 0; v < kVecs; ++v) w[v] = load(weights + v * kLane);
    for (Index j = 0; j < cols; ++j, sums += 2 * kSumLanes) {
        Vec<double> first = load(sums), second = load(sums + kSumLanes);
        for (int v = 0; v < kVecs; ++v) {
            const Vec<double> away = load(tile + j * kTileRows + v * kLane) - mean[j];
            const Vec<double> weighted = w[v] * away;
            first += weighted;
            second += weighted * away;
        }
        store(sums, first);
        store(sums + kSumLanes, second);
    }
}

} // namespace

extern const ScoreKernels score_kernels;
const ScoreKernels score_kernels = {load_tile_of<float>,
                                    load_tile_of<double>,
                                    scores_of,
                                    posterior,
                                    highest,
                                    add_row<float, std::int32_t>,
                                    add_row<float, std::int64_t>,
                                    add_row<double, std::int32_t>,
                                    add_row<double, std::int64_t>,
                                    add_columns};

} // namespace gramian::moments::GRAMIAN_ISA
