#include "core/distance/tile.hpp"
#include "core/simd/register.hpp"

namespace gramian::distance::GRAMIAN_ISA {
namespace {

using namespace simd;

using Float = Vec<float>;
using Int = Vec<std::int32_t>;

constexpr int kHalf = kLanes<float>; // a panel is two registers wide,
constexpr int kWidth = 2 * kHalf;
constexpr int kRows = 6; // so that 6 rows make 12 accumulators of the 16 registers

// One coordinate of a distance.
struct Product {
    static Float step(Float total, Float x, float b) { return x * b + total; }
};
struct SquaredDifference {
    static Float step(Float total, Float x, float b) {
        const Float difference = x - b;
        return difference * difference + total;
    }
};
struct AbsoluteDifference {
    static Float step(Float total, Float x, float b) { return total + abs(x - b); }
};
struct LargestDifference {
    static Float step(Float total, Float x, float b) { return max(total, abs(x - b)); }
};

// The register tile: R rows against one panel, over all d coordinates.
template <typename Metric, int R>
[[gnu::always_inline]] inline void tile(const float* panel, Index d, const float* rows,
                                        Float (&total)[R][2]) {
    const float* row[R];
    for (int r = 0; r < R; ++r) row[r] = rows + r * d;
    for (Index t = 0; t < d; ++t) {
        const Float x0 = load(panel + t * kWidth);
        const Float x1 = load(panel + t * kWidth + kHalf);
        for (int r = 0; r < R; ++r) {
            const float b = row[r][t];
            total[r][0] = Metric::step(total[r][0], x0, b);
            total[r][1] = Metric::step(total[r][1], x1, b);
        }
    }
}

template <int R>
[[gnu::always_inline]] inline void start_at(const float* norms, Float (&total)[R][2]) {
    for (int r = 0; r < R; ++r) {
        const float norm = norms ? norms[r] : 0.0f;
        total[r][0] = total[r][1] = broadcast(norm);
    }
}

// Calls body.template run<R>(first row) for rows 0 .. n - 1, R = 6 while there are as many.
template <typename Body>
inline void for_row_tiles(Index n, const Body& body) {
    Index j = 0;
    for (; j + kRows <= n; j += kRows) body.template run<kRows>(j);
    switch (n - j) {
    case 5:
        return body.template run<5>(j);
    case 4:
        return body.template run<4>(j);
    case 3:
        return body.template run<3>(j);
    case 2:
        return body.template run<2>(j);
    case 1:
        return body.template run<1>(j);
    }
}

// --- the two nearest ------------------------------------------------------------------------

struct TwoNearest {
    const float* panel;
    Index d;
    const float* rows;
    const float* norms;
    Float* best;
    Float* second;
    Int* index;

    template <int R>
    void run(Index first) const {
        Float total[R][2];
        start_at<R>(norms + first, total);
        tile<Product, R>(panel, d, rows + first * d, total);
        for (int h = 0; h < 2; ++h) {
            Float b = best[h], s = second[h];
            Int i = index[h];
            for (int r = 0; r < R; ++r) {
                const Float v = total[r][h];
                const auto closer = v < b;
                i = closer ? broadcast(static_cast<std::int32_t>(first) + r) : i;
                s = min(s, max(v, b));
                b = min(v, b);
            }
            best[h] = b;
            second[h] = s;
            index[h] = i;
        }
    }
};

unsigned nearest_two(PanelView panel, PackedRowsView rows, TileError error,
                     const TwoNearestOut& out) {
    const Float infinity = broadcast(__builtin_inff());
    Float b[2] = {infinity, infinity}, s[2] = {infinity, infinity};
    Int i[2] = {};
    for_row_tiles(rows.n, TwoNearest{panel.values, panel.d, rows.values, rows.norms, b, s, i});

    unsigned doubtful = 0;
    constexpr float more = 1.0f + 0x1p-20f, less = 1.0f - 0x1p-20f; // for the roundings below
    for (int h = 0; h < 2; ++h) {
        const Float square = load(panel.norms + h * kHalf);
        const Float norm = sqrt(square) * more;
        const Float slack =
            error.gamma * error.radius * (error.radius + 2.0f * norm) * more + 0x1p-126f;
        const auto certain = s[h] - b[h] > 2.0f * more * slack;
        doubtful |= (~mask_bits(certain) & ((1u << kHalf) - 1)) << (h * kHalf);
        const Float slack_of_distance = (slack + error.gamma * square) * more;
        const Float zero = {};
        store(out.upper + h * kHalf, sqrt(max(b[h] + square + slack_of_distance, zero)) * more);
        store(out.lower + h * kHalf, sqrt(max(s[h] + square - slack_of_distance, zero)) * less);
        store(out.index + h * kHalf, i[h]);
        store(out.best + h * kHalf, b[h]);
        store(out.second + h * kHalf, s[h]);
    }
    return doubtful;
}

// --- selection below a threshold --------------------------------------------------------------

[[gnu::noinline]] void push_candidate(const Selection& to, int lane, float value, std::int32_t id) {
    const std::int32_t place = to.count[lane]++;
    to.value[lane * to.capacity + place] = value;
    to.id[lane * to.capacity + place] = id;
    if (place + 1 == to.capacity) to.full(to.owner, lane);
}

template <typename Metric>
struct Select {
    const float* panel;
    Index d;
    const float* rows;
    const float* norms;
    std::int32_t first_id;
    const Selection* selection;

    template <int R>
    void run(Index first) const {
        Float total[R][2];
        start_at<R>(norms ? norms + first : nullptr, total);
        tile<Metric, R>(panel, d, rows + first * d, total);
        const Float limit0 = load(selection->threshold);
        const Float limit1 = load(selection->threshold + kHalf);
        Int any = {};
        for (int r = 0; r < R; ++r) any |= (total[r][0] < limit0) | (total[r][1] < limit1);
        if (mask_bits(any)) push_candidates<R>(first, total);
    }

    template <int R>
    [[gnu::noinline]] void push_candidates(Index first, const Float (&total)[R][2]) const {
        for (int r = 0; r < R; ++r) {
            float value[kWidth];
            unsigned wanted = 0;
            for (int h = 0; h < 2; ++h) {
                wanted |= mask_bits(total[r][h] < load(selection->threshold + h * kHalf))
                          << (h * kHalf);
            }
            if (!wanted) continue;
            for (int h = 0; h < 2; ++h) store(value + h * kHalf, total[r][h]);
            for (; wanted; wanted &= wanted - 1) {
                const int lane = __builtin_ctz(wanted);
                push_candidate(*selection, lane, value[lane],
                               first_id + static_cast<std::int32_t>(first) + r);
            }
        }
    }
};

void select(TileMetric metric, const float* panel, Index d, const float* rows,
            const float* row_norms, Index n_rows, std::int32_t first_id,
            const Selection& selection) {
    switch (metric) {
    case TileMetric::squared_euclidean:
        return for_row_tiles(n_rows,
                             Select<Product>{panel, d, rows, row_norms, first_id, &selection});
    case TileMetric::manhattan:
        return for_row_tiles(
            n_rows, Select<AbsoluteDifference>{panel, d, rows, nullptr, first_id, &selection});
    case TileMetric::chebyshev:
        return for_row_tiles(
            n_rows, Select<LargestDifference>{panel, d, rows, nullptr, first_id, &selection});
    }
}

Index count_at_most(const float* values, Index n, float limit) {
    Int negative = {};
    Index i = 0;
    for (; i + kHalf <= n; i += kHalf) negative += load(values + i) <= limit;
    Index count = -static_cast<Index>(sum<std::int32_t>(negative));
    for (; i < n; ++i) count += values[i] <= limit;
    return count;
}

// Bisection between the extremes, until at most k + k / 8 values are below.
float approximate_kth(const float* values, Index n, Index k) {
    float low = values[0], high = values[0];
    for (Index i = 1; i < n; ++i) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    for (int step = 0; step < 24; ++step) {
        const float middle = low + (high - low) * 0.5f;
        const Index count = count_at_most(values, n, middle);
        if (count < k) {
            low = middle;
        } else {
            high = middle;
            if (count <= k + k / 8) break;
        }
    }
    return high;
}

struct SelectBoth {
    const float* panel;
    const float* panel_norms;
    Index d;
    const float* rows;
    const float* norms;
    std::int32_t first_panel_id;
    unsigned lanes_in_use;
    std::int32_t first_row_id;
    const Selection* lanes;
    const Selection* row_side;

    template <int R>
    void run(Index first) const {
        Float total[R][2];
        const Float norm0 = load(panel_norms), norm1 = load(panel_norms + kHalf);
        for (int r = 0; r < R; ++r) {
            total[r][0] = norm0 + norms[first + r];
            total[r][1] = norm1 + norms[first + r];
        }
        tile<Product, R>(panel, d, rows + first * d, total);
        const Float limit0 = load(lanes->threshold), limit1 = load(lanes->threshold + kHalf);
        Int any = {};
        for (int r = 0; r < R; ++r) {
            const Float limit = broadcast(row_side->threshold[first + r]);
            any |= (total[r][0] < max(limit0, limit)) | (total[r][1] < max(limit1, limit));
        }
        if (mask_bits(any)) push_candidates<R>(first, total);
    }

    template <int R>
    [[gnu::noinline]] void push_candidates(Index first, const Float (&total)[R][2]) const {
        for (int r = 0; r < R; ++r) {
            const int row = static_cast<int>(first) + r;
            const Float limit = broadcast(row_side->threshold[row]);
            float value[kWidth];
            unsigned by_lane = 0, by_row = 0;
            for (int h = 0; h < 2; ++h) {
                by_lane |= mask_bits(total[r][h] < load(lanes->threshold + h * kHalf))
                           << (h * kHalf);
                by_row |= mask_bits(total[r][h] < limit) << (h * kHalf);
            }
            if (!(by_lane | by_row)) continue;
            for (int h = 0; h < 2; ++h) store(value + h * kHalf, total[r][h]);
            for (by_lane &= lanes_in_use; by_lane; by_lane &= by_lane - 1) {
                const int lane = __builtin_ctz(by_lane);
                push_candidate(*lanes, lane, value[lane], first_row_id + row);
            }
            for (by_row &= lanes_in_use; by_row; by_row &= by_row - 1) {
                const int lane = __builtin_ctz(by_row);
                push_candidate(*row_side, row, value[lane], first_panel_id + lane);
            }
        }
    }
};

void select_both(PanelView panel, PackedRowsView rows, std::int32_t first_panel_id, int n_lanes,
                 std::int32_t first_row_id, const Selection& lanes, const Selection& row_side) {
    for_row_tiles(rows.n,
                  SelectBoth{panel.values, panel.norms, panel.d, rows.values, rows.norms,
                             first_panel_id, (1u << n_lanes) - 1, first_row_id, &lanes, &row_side});
}

// --- k-means++ ----------------------------------------------------------------------------------

struct Nearer {
    const float* panel;
    Index d;
    const float* candidates;
    const float* closest;
    float* nearer;
    Index stride;

    template <int R>
    void run(Index first) const {
        Float total[R][2] = {};
        tile<SquaredDifference, R>(panel, d, candidates + first * d, total);
        for (int r = 0; r < R; ++r) {
            for (int h = 0; h < 2; ++h) {
                store(nearer + (first + r) * stride + h * kHalf,
                      min(total[r][h], load(closest + h * kHalf)));
            }
        }
    }
};

void nearer(const float* panel, Index d, const float* candidates, int n_candidates,
            const float* closest, float* nearer, Index stride) {
    for_row_tiles(n_candidates, Nearer{panel, d, candidates, closest, nearer, stride});
}

// --- bounds ---------------------------------------------------------------------------------

Index relax_bounds(Index begin, Index end, const std::int32_t* labels, const CenterMove* moves,
                   float* upper, float* lower, Index* uncertain) {
    constexpr float more = 1 + 0x1p-22f, less = 1 - 0x1p-22f;
    Index n = 0;
    Index i = begin;
    for (; i + kHalf <= end; i += kHalf) {
        Float own, others, half_way;
        gather_triples(&moves->own, labels + i, own, others, half_way);
        const Float zero = {};
        const Float u = (load(upper + i) + own) * more;
        const Float l = max(load(lower + i) - others, zero) * less;
        store(upper + i, u);
        store(lower + i, l);
        for (unsigned left = mask_bits(u > max(l, half_way)); left; left &= left - 1) {
            uncertain[n++] = i + __builtin_ctz(left);
        }
    }
    for (; i < end; ++i) {
        const CenterMove& move = moves[labels[i]];
        upper[i] = (upper[i] + move.own) * more;
        const float l = (lower[i] - move.others) * less;
        lower[i] = l > 0 ? l : 0;
        if (upper[i] > (lower[i] > move.half_way ? lower[i] : move.half_way)) uncertain[n++] = i;
    }
    return n;
}

double weighted_sum(const float* values, const double* weights, Index n) {
    constexpr int lanes = kLanes<double>;
    Vec<double> total[2] = {};
    Index i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
        for (int u = 0; u < 2; ++u) {
            const Index at = i + u * lanes;
            const Vec<double> v = load_wide(values + at);
            total[u] += weights ? v * load(weights + at) : v;
        }
    }
    double rest = sum<double>(total[0] + total[1]);
    for (; i < n; ++i) rest += static_cast<double>(values[i]) * (weights ? weights[i] : 1.0);
    return rest;
}

} // namespace

extern const TileKernels tile_table;
const TileKernels tile_table = {kWidth, nearest_two,  select,          select_both,
                                nearer, relax_bounds, approximate_kth, weighted_sum};

} // namespace gramian::distance::GRAMIAN_ISA
