#include "core/svm/map.hpp"

#include <type_traits>

namespace gramian::svm::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kWide = kLanes<double>;
constexpr int kNarrow = kLanes<float>;
constexpr double kLeastPart = 1e-12; // of the largest diagonal entry, or of 1: the least curvature

using Double = Vec<double>;
using Float = Vec<float>;
using Long = Vec<std::int64_t>;
using Int = Vec<std::int32_t>;

// The largest of the values that may rise, with its place, and the smallest that may fall.
struct Extremes {
    double top;
    Index at;
    double bottom;
};

// In the same pass, where a pair moved: score += step (row_j - row_i).
template <typename V>
Extremes update(const Block<V>& b, int group, const V* row_i, const V* row_j, double step,
                bool moves) {
    const double* const up = b.up + group * b.size;
    const double* const down = b.down + group * b.size;
    const double infinity = __builtin_inf();
    constexpr int kStreams = 2;
    Double top[kStreams], bottom[kStreams];
    Long at[kStreams] = {}, here[kStreams] = {};
    for (int u = 0; u < kStreams; ++u) {
        top[u] = broadcast(-infinity);
        bottom[u] = broadcast(infinity);
        std::int64_t places[kWide];
        for (int l = 0; l < kWide; ++l) places[l] = u * kWide + l;
        here[u] = load(places);
    }
    for (Index v = 0; v < b.size; v += kStreams * kWide) {
        for (int u = 0; u < kStreams; ++u) {
            const Index place = v + u * kWide;
            Double s = load(b.score + place);
            if (moves) {
                s = (load_wide(row_j + place) - load_wide(row_i + place)) * step + s;
                store(b.score + place, s);
            }
            const Double rises = s + load(up + place);
            const auto higher = rises > top[u];
            top[u] = higher ? rises : top[u];
            at[u] = higher ? here[u] : at[u];
            bottom[u] = min(bottom[u], s + load(down + place));
            here[u] += kStreams * kWide;
        }
    }
    Extremes found{-infinity, 0, infinity};
    for (int u = 0; u < kStreams; ++u) {
        for (int l = 0; l < kWide; ++l) {
            if (top[u][l] > found.top || (top[u][l] == found.top && at[u][l] < found.at)) {
                found.top = top[u][l];
                found.at = at[u][l];
            }
            if (bottom[u][l] < found.bottom) found.bottom = bottom[u][l];
        }
    }
    return found;
}

template <typename V>
double least_curvature(const Block<V>& b) {
    double largest = 1e-18;
    for (Index v = 0; v < b.size; ++v) {
        if (b.diagonal[v] > largest) largest = b.diagonal[v];
    }
    return kLeastPart * (largest < 1 ? largest : 1);
}

// The partner of i with the largest (score_i - score_j)^2 / curvature.
template <typename V>
Index partner(const Block<V>& b, int group, Index i, double least_curvature) {
    constexpr int kWidth = kLanes<V>;
    using Place = std::conditional_t<sizeof(V) == sizeof(float), std::int32_t, std::int64_t>;
    const double* const down = b.down + group * b.size;
    const V* const row = b.kernel + i * b.size;
    const Double own = broadcast(b.score[i]);
    const V diagonal = b.diagonal[i];
    const Vec<V> least = broadcast(static_cast<V>(least_curvature)), zero = {};
    Vec<V> best = broadcast(V{-1});
    Place places[kWidth];
    for (int l = 0; l < kWidth; ++l) places[l] = l;
    Vec<Place> at = {}, here = load(places);
    for (Index v = 0; v < b.size; v += kWidth) {
        const Double low = own - (load(b.score + v) + load(down + v));
        Vec<V> gap;
        if constexpr (sizeof(V) == sizeof(float)) {
            const Double high = own - (load(b.score + v + kWide) + load(down + v + kWide));
            gap = max(narrow(low, high), zero);
        } else {
            gap = max(low, zero);
        }
        const Vec<V> curvature = max(load(b.diagonal + v) + diagonal - V{2} * load(row + v), least);
        const Vec<V> gain = gap * gap / curvature;
        const auto better = gain > best;
        best = better ? gain : best;
        at = better ? here : at;
        here += kWidth;
    }
    V most = -2;
    Index found = 0;
    for (int l = 0; l < kWidth; ++l) {
        if (best[l] > most || (best[l] == most && at[l] < found)) {
            most = best[l];
            found = at[l];
        }
    }
    return found;
}

// The distance of variable v to its bound in one direction.
template <typename V>
double room(const Block<V>& b, Index v, bool rising) {
    return (b.sign[v] > 0) == rising ? b.upper[v] - b.alpha[v] : b.alpha[v];
}

constexpr double kBoundSlack = 1e-12;

template <typename V>
void move(const Block<V>& b, Index v, double step, double most, bool rising) {
    const bool grows = (b.sign[v] > 0) == rising;
    if (step >= most) {
        b.alpha[v] = grows ? b.upper[v] : 0.0; // exactly at its bound, without rounding
    } else {
        // A value that rounding leaves just before a bound would count as free and distort rho.
        const double before = b.alpha[v], after = grows ? before + step : before - step;
        b.alpha[v] = after > (1 - kBoundSlack) * b.upper[v]       ? b.upper[v]
                     : after < kBoundSlack * before && before > 0 ? 0
                                                                  : after;
    }
    const double infinity = __builtin_inf();
    const bool raises = b.alpha[v] < b.upper[v], sinks = b.alpha[v] > 0;
    const Index place = b.group[v] * b.size + v;
    b.up[place] = (b.sign[v] > 0 ? raises : sinks) ? 0.0 : -infinity;
    b.down[place] = (b.sign[v] > 0 ? sinks : raises) ? 0.0 : infinity;
}

template <typename V>
BlockResult solve(const Block<V>& b) {
    BlockResult result{0, 0.0};
    const double least = least_curvature(b);
    Extremes of[2];
    for (int g = 0; g < b.groups; ++g) of[g] = update(b, g, b.kernel, b.kernel, 0.0, false);
    while (result.steps < b.max_steps) {
        int g = 0;
        if (b.groups == 2 && of[1].top - of[1].bottom > of[0].top - of[0].bottom) g = 1;
        if (!(of[g].top - of[g].bottom > b.tol)) break;
        const Index i = of[g].at;
        const Index j = partner(b, g, i, least);
        const V* const row_i = b.kernel + i * b.size;
        const V* const row_j = b.kernel + j * b.size;
        const double gap = b.score[i] - b.score[j];
        double curvature = static_cast<double>(b.diagonal[i]) + b.diagonal[j] - 2.0 * row_i[j];
        if (!(curvature > least)) curvature = least;
        const double room_i = room(b, i, true), room_j = room(b, j, false);
        double step = gap / curvature;
        if (step > room_i) step = room_i;
        if (step > room_j) step = room_j;
        if (!(step > 0)) break; // not a number, or rounding
        move(b, i, step, room_i, true);
        move(b, j, step, room_j, false);
        result.decrease += step * (gap - 0.5 * step * curvature);
        ++result.steps;
        of[0] = update(b, 0, row_i, row_j, step, true);
        if (b.groups == 2) of[1] = update(b, 1, row_i, row_j, step, false);
    }
    return result;
}

void extremes(const ScoresCall& c) {
    const double infinity = __builtin_inf();
    constexpr int kStreams = 2; // chains of comparisons
    for (Index b = 0; b < c.blocks; ++b) {
        Double top[kStreams], bottom[kStreams], zero[kStreams] = {};
        for (int u = 0; u < kStreams; ++u) {
            top[u] = broadcast(-infinity);
            bottom[u] = broadcast(infinity);
        }
        for (Index k = b * kScoreBlock; k < (b + 1) * kScoreBlock; k += kStreams * kWide) {
            for (int u = 0; u < kStreams; ++u) {
                const Index at = k + u * kWide;
                const Double s = -load(c.gradient + at) - load(c.offset + at);
                top[u] = max(top[u], s + load(c.up + at));
                bottom[u] = min(bottom[u], s + load(c.down + at));
                zero[u] += s - s; // NaN of what is not finite
            }
        }
        c.top[b] = -infinity;
        c.bottom[b] = infinity;
        double sum = 0;
        for (int u = 0; u < kStreams; ++u) {
            for (int l = 0; l < kWide; ++l) {
                if (top[u][l] > c.top[b]) c.top[b] = top[u][l];
                if (bottom[u][l] < c.bottom[b]) c.bottom[b] = bottom[u][l];
                sum += zero[u][l];
            }
        }
        if (sum != 0) c.top[b] = sum; // NaN
    }
}

// R rows, added one after the other to each number.
template <int R, typename V>
void add_some(const V* const* rows, const double* factors, Index begin, Index end, double* g) {
    const V* row[R];
    double factor[R];
    for (int r = 0; r < R; ++r) {
        row[r] = rows[r];
        factor[r] = factors[r];
    }
    Index j = begin;
    for (; j + kWide <= end; j += kWide) {
        Double sum = load(g + j);
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) sum = load_wide(row[r] + j) * factor[r] + sum;
        store(g + j, sum);
    }
    for (; j < end; ++j) {
        for (int r = 0; r < R; ++r) g[j] += static_cast<double>(row[r][j]) * factor[r];
    }
}

template <typename V>
void add_rows(const V* const* rows, const double* factors, Index count, Index begin, Index end,
              double* g) {
    Index r = 0;
    for (; r + 8 <= count; r += 8) add_some<8>(rows + r, factors + r, begin, end, g);
    for (; r + 2 <= count; r += 2) add_some<2>(rows + r, factors + r, begin, end, g);
    for (; r < count; ++r) add_some<1>(rows + r, factors + r, begin, end, g);
}

#if defined(GRAMIAN_ISA_IS_v3)

// The positions of the set bits of each byte.
struct SetBits {
    std::int32_t of[256][kKeptColumns] = {};
    constexpr SetBits() {
        for (int byte = 0; byte < 256; ++byte) {
            int count = 0;
            for (int bit = 0; bit < kKeptColumns; ++bit) {
                if (byte >> bit & 1) of[byte][count++] = bit;
            }
        }
    }
};
constexpr SetBits kSetBits;

#endif

template <typename V>
void keep_columns(const V* row, const std::uint8_t* kept, Index bytes, V* to, Index room) {
    const V* const end = to + room;
    Index b = 0;
#if defined(GRAMIAN_ISA_IS_v3)
    if constexpr (sizeof(V) == sizeof(float)) {
        for (; b < bytes && end - to >= kKeptColumns; ++b) {
            const Int places = load(kSetBits.of[kept[b]]);
            const Float values = load(row + b * kKeptColumns);
            store(to, (Float)_mm256_permutevar8x32_ps((__m256)values, (__m256i)places));
            to += __builtin_popcount(kept[b]); // the values beyond are overwritten next
        }
    }
#endif
    for (; b < bytes && to < end; ++b) {
        for (int bit = 0; bit < kKeptColumns; ++bit) {
            if (kept[b] >> bit & 1) *to++ = row[b * kKeptColumns + bit];
        }
    }
}

template <Form form>
[[gnu::always_inline]] inline void write_lanes(const Kernel& kernel, const Double* total,
                                               const double* lane_norms, double norm,
                                               float* values) {
    for (int h = 0; h < kSparseLanes / kNarrow; ++h) {
        const int at = 2 * h;
        store(values + h * kNarrow,
              map_pair<form>(kernel, total[at], total[at + 1], load(lane_norms + at * kWide) + norm,
                             load(lane_norms + (at + 1) * kWide) + norm));
    }
}

template <Form form>
[[gnu::always_inline]] inline void write_lanes(const Kernel& kernel, const Double* total,
                                               const double* lane_norms, double norm,
                                               double* values) {
    for (int h = 0; h < kSparseLanes / kWide; ++h) {
        store(values + h * kWide,
              map_exact<form>(kernel, total[h], load(lane_norms + h * kWide) + norm));
    }
}

template <Form form, typename T, typename I, typename V>
void sparse_of(const SparseCall<T, I, V>& call) {
    constexpr int kRegisters = kSparseLanes / kWide;
    for (Index j = call.begin; j < call.end; ++j) {
        const Index row = call.ids[j];
        Double total[kRegisters] = {};
        for (I at = call.columns.offsets[row]; at < call.columns.offsets[row + 1]; ++at) {
            const double x = call.columns.values[at];
            const double* const lane =
                call.lanes + static_cast<Index>(call.columns.columns[at]) * kSparseLanes;
            for (int u = 0; u < kRegisters; ++u) {
                total[u] = load(lane + u * kWide) * x + total[u];
            }
        }
        V values[kSparseLanes];
        write_lanes<form>(call.kernel, total, call.lane_norms, call.column_norms[row], values);
        for (int r = 0; r < call.count; ++r) call.out[r][j] = values[r];
    }
}

template <typename T, typename I, typename V>
void sparse(const SparseCall<T, I, V>& call) {
    switch (call.kernel.form) {
    case Form::linear:
        return sparse_of<Form::linear>(call);
    case Form::polynomial:
        return sparse_of<Form::polynomial>(call);
    case Form::rbf:
        return sparse_of<Form::rbf>(call);
    case Form::sigmoid:
        return sparse_of<Form::sigmoid>(call);
    }
}

} // namespace

template <typename V>
constexpr SolverKernels<V> kSolver = {
    solve<V>,
    add_rows<V>,
    keep_columns<V>,
    sparse<float, std::int32_t, V>,
    sparse<float, std::int64_t, V>,
    sparse<double, std::int32_t, V>,
    sparse<double, std::int64_t, V>,
};

extern const SolverTable solver_table;
const SolverTable solver_table = {kSolver<float>, kSolver<double>, extremes};

} // namespace gramian::svm::GRAMIAN_ISA
