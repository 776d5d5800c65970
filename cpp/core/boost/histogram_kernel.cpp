#include "core/boost/histogram.hpp"

#include "core/simd/register.hpp"

namespace gramian::boost::GRAMIAN_ISA {
namespace {

using namespace simd;

typedef std::uint64_t Words __attribute__((vector_size(kRegisterBytes)));
using Double = Vec<double>;
constexpr int kWide = kLanes<double>;

// The cell of column k for the word of a row's codes, in bytes: 64 * code + 8 * k.
template <int k>
inline void add_to(char* cells, std::uint64_t word, std::uint64_t sample) {
    constexpr std::uint64_t mask = 0xff << 6;
    const std::uint64_t at = (k == 0 ? word << 6 : word >> (8 * k - (k ? 6 : 0))) & mask;
    std::uint64_t value;
    std::memcpy(&value, cells + at + 8 * k, 8);
    value += sample;
    std::memcpy(cells + at + 8 * k, &value, 8);
}

// The first `columns` cells of a row.
template <int columns>
inline void add_row(char* cells, const std::uint8_t* codes, std::uint64_t sample) {
    std::uint64_t word;
    std::memcpy(&word, codes, 8);
    add_to<0>(cells, word, sample);
    if constexpr (columns > 1) add_to<1>(cells, word, sample);
    if constexpr (columns > 2) add_to<2>(cells, word, sample);
    if constexpr (columns > 3) add_to<3>(cells, word, sample);
    if constexpr (columns > 4) add_to<4>(cells, word, sample);
    if constexpr (columns > 5) add_to<5>(cells, word, sample);
    if constexpr (columns > 6) add_to<6>(cells, word, sample);
    if constexpr (columns > 7) add_to<7>(cells, word, sample);
}

template <int columns>
void add_columns(const std::uint8_t* codes, const std::uint32_t* rows, const std::uint64_t* samples,
                 Index n, std::uint64_t* cells) {
    char* at = reinterpret_cast<char*>(cells);
    if (!rows) {
        for (Index i = 0; i < n; ++i) add_row<columns>(at, codes + 8 * i, samples[i]);
        return;
    }
    constexpr Index ahead = 24; // rows; their codes are scattered
    Index i = 0;
    for (; i + ahead < n; ++i) {
        __builtin_prefetch(codes + 8 * static_cast<Index>(rows[i + ahead]));
        add_row<columns>(at, codes + 8 * static_cast<Index>(rows[i]), samples[i]);
    }
    for (; i < n; ++i) add_row<columns>(at, codes + 8 * static_cast<Index>(rows[i]), samples[i]);
}

void add(const std::uint8_t* codes, const std::uint32_t* rows, const std::uint64_t* samples,
         Index n, int columns, std::uint64_t* cells) {
    switch (columns) {
    case 1:
        return add_columns<1>(codes, rows, samples, n, cells);
    case 2:
        return add_columns<2>(codes, rows, samples, n, cells);
    case 3:
        return add_columns<3>(codes, rows, samples, n, cells);
    case 4:
        return add_columns<4>(codes, rows, samples, n, cells);
    case 5:
        return add_columns<5>(codes, rows, samples, n, cells);
    case 6:
        return add_columns<6>(codes, rows, samples, n, cells);
    case 7:
        return add_columns<7>(codes, rows, samples, n, cells);
    default:
        return add_columns<8>(codes, rows, samples, n, cells);
    }
}

// Integers below 2^52 as doubles.
inline Double to_double(Words x) {
    constexpr std::uint64_t exponent = 0x4330000000000000; // 2^52
    return (Double)(x | exponent) - 0x1p52;
}

template <bool First>
void flush_cells(std::uint64_t* cells, Index n, int columns, const CellLayout& layout,
                 const Cells& sums) {
    const Index step = columns <= kWide ? kGroup : kWide; // one register of a slot does, or all
    const int above = layout.count_bits + layout.hessian_bits;
    const std::uint64_t count_mask = (std::uint64_t(1) << layout.count_bits) - 1;
    const std::uint64_t hessian_mask = (std::uint64_t(1) << layout.hessian_bits) - 1;
    // The gradient's sum may be negative: the field above the others holds it modulo its range.
    const std::uint64_t half = std::uint64_t(1) << 63;
    const double offset = static_cast<double>(half >> above);
    const auto put = [](double* at, Double v) { store(at, First ? v : load(at) + v); };
    for (Index i = 0; i < n; i += step) {
        Words cell;
        std::memcpy(&cell, cells + i, sizeof cell);
        const Double count = to_double(cell & count_mask);
        put(sums.gradient + i, to_double((cell + half) >> above) - offset);
        put(sums.count + i, count);
        if (layout.hessian_bits > 0) {
            put(sums.hessian + i, to_double((cell >> layout.count_bits) & hessian_mask));
        }
        const Words zero{};
        std::memcpy(cells + i, &zero, sizeof zero);
    }
}

void flush(std::uint64_t* cells, Index n, int columns, const CellLayout& layout, bool first,
           const Cells& sums) {
    if (first) {
        flush_cells<true>(cells, n, columns, layout, sums);
    } else {
        flush_cells<false>(cells, n, columns, layout, sums);
    }
}

void subtract(double* from, const double* what, Index n) {
    for (Index i = 0; i < n; i += kWide) store(from + i, load(from + i) - load(what + i));
}

// A gain as a fraction: two of them are compared by products, without a division.
struct Fraction {
    Double above, below;
};

// G_L^2 / (H_L + l2) + G_R^2 / (H_R + l2).
inline Fraction free_gain(const CutSearch& s, Double gl, Double hl, Double gr, Double hr) {
    const Double left = hl + s.l2, right = hr + s.l2;
    return {gl * gl * right + gr * gr * left, left * right};
}

// The same for values held within [low, high]: -(2 G v + (H + l2) v^2).
inline Fraction bounded_gain(const CutSearch& s, Double gl, Double hl, Double gr, Double hr,
                             Double monotone) {
    const Double low = broadcast(s.low), high = broadcast(s.high);
    const Double left = hl + s.l2, right = hr + s.l2;
    const Double vl = min(max(-gl / left, low), high), vr = min(max(-gr / right, low), high);
    const Double gain = -(2.0 * gl * vl + left * vl * vl) - (2.0 * gr * vr + right * vr * vr);
    return {(vr - vl) * monotone < 0.0 ? broadcast(-__builtin_inf()) : gain, broadcast(1.0)};
}

struct BestOfLanes {
    Fraction gain = {broadcast(-__builtin_inf()), broadcast(1.0)};
    Double slot{}, side{};
};

template <bool Bounded>
void search_lanes(const CutSearch& s, int lane, bool missing_left, BestOfLanes& best) {
    Double gl{}, hl{}, cl{};
    const Index missing = static_cast<Index>(s.slots) * kGroup + lane;
    if (missing_left) {
        gl = load(s.cells.gradient + missing);
        hl = load(s.cells.hessian + missing);
        cl = load(s.cells.count + missing);
    }
    const Double monotone = load(s.monotone + lane);
    const Double side = broadcast(missing_left ? 1.0 : 0.0);
    Double slot{};
    for (int b = 0; b < s.slots; ++b) {
        const Index at = static_cast<Index>(b) * kGroup + lane;
        gl += load(s.cells.gradient + at);
        hl += load(s.cells.hessian + at);
        cl += load(s.cells.count + at);
        const Double gr = s.gradient - gl, hr = s.hessian - hl, cr = s.count - cl;
        const auto allowed = (min(cl, cr) >= s.least_count) & (min(hl, hr) >= s.least_hessian);
        const Fraction gain =
            Bounded ? bounded_gain(s, gl, hl, gr, hr, monotone) : free_gain(s, gl, hl, gr, hr);
        const auto better = allowed & (gain.above * best.gain.below > best.gain.above * gain.below);
        best.gain.above = better ? gain.above : best.gain.above;
        best.gain.below = better ? gain.below : best.gain.below;
        best.slot = better ? slot : best.slot;
        best.side = better ? side : best.side;
        slot += 1.0;
    }
}

void search(const CutSearch& s, BestCuts& out) {
    for (int lane = 0; lane < s.columns; lane += kWide) {
        BestOfLanes best;
        for (int missing_left = 0; missing_left <= (s.with_missing ? 1 : 0); ++missing_left) {
            if (s.bounded) {
                search_lanes<true>(s, lane, missing_left != 0, best);
            } else {
                search_lanes<false>(s, lane, missing_left != 0, best);
            }
        }
        store(out.gain + lane, best.gain.above / best.gain.below);
        store(out.slot + lane, best.slot);
        store(out.missing_left + lane, best.side);
    }
}

// sum_c L_c^2 / L + sum_c R_c^2 / R; an empty side adds nothing.
void gini(const double* a, const double* b, double A, double B, Index n, double* out) {
    const Double least = broadcast(0x1p-1000);
    for (Index i = 0; i < n; i += kWide) {
        const Double la = load(a + i), lb = load(b + i), ra = A - la, rb = B - lb;
        const Double left = (la * la + lb * lb) / max(la + lb, least);
        store(out + i, left + (ra * ra + rb * rb) / max(ra + rb, least));
    }
}

SampleSizes largest(const float* gradient, const float* hessian, Index n) {
    Double largest_g{}, largest_h{};
    Index i = 0;
    for (; i + kWide <= n; i += kWide) {
        largest_g = max(largest_g, abs(load_wide(gradient + i)));
        if (hessian) largest_h = max(largest_h, load_wide(hessian + i));
    }
    SampleSizes all;
    for (int k = 0; k < kWide; ++k) {
        all.largest_gradient = max<double>(all.largest_gradient, largest_g[k]);
        all.largest_hessian = max<double>(all.largest_hessian, largest_h[k]);
    }
    for (; i < n; ++i) {
        all.largest_gradient = max<double>(all.largest_gradient, std::fabs(gradient[i]));
        if (hessian) all.largest_hessian = max<double>(all.largest_hessian, hessian[i]);
    }
    return all;
}

// One ReproducibleSum per lane.
struct LaneSums {
    Double first{}, second{};

    void add(Double x, const Digits& digits) {
        const Double q = (x + digits.first) - digits.first;
        first += q;
        second += ((x - q) + digits.second) - digits.second;
    }
    ReproducibleSum total() const { return {sum<double>(first), sum<double>(second)}; }
};

// The next lanes of `from`, at rows[0 ..] where rows are given, and zeros beyond n of them.
inline Double take_lanes(const float* from, const std::uint32_t* rows, Index n) {
    if (!rows && n >= kWide) return load_wide(from);
    Double x{};
    for (Index k = 0; k < min<Index>(n, kWide); ++k) x[k] = from[rows ? Index(rows[k]) : k];
    return x;
}

SizeSums size_sums(const float* gradient, const float* hessian, Index n, const SumDigits& digits) {
    LaneSums g, h;
    for (Index i = 0; i < n; i += kWide) {
        g.add(abs(take_lanes(gradient + i, nullptr, n - i)), digits.gradient);
        if (hessian) h.add(take_lanes(hessian + i, nullptr, n - i), digits.hessian);
    }
    return {g.total(), h.total()};
}

LeafSums leaf_sums(const float* gradient, const float* hessian, const std::uint32_t* rows, Index n,
                   const SumDigits& digits) {
    LaneSums g, h, squares;
    for (Index i = 0; i < n; i += kWide) {
        const Double x =
            rows ? take_lanes(gradient, rows + i, n - i) : take_lanes(gradient + i, nullptr, n - i);
        g.add(x, digits.gradient);
        squares.add(x * x, digits.squares);
        if (!hessian) continue;
        h.add(rows ? take_lanes(hessian, rows + i, n - i) : take_lanes(hessian + i, nullptr, n - i),
              digits.hessian);
    }
    return {g.total(), h.total(), squares.total()};
}

// x + 1.5 * 2^52 holds the integer nearest to x in its low bits.
void pack(const float* gradient, const float* hessian, Index n, const CellLayout& layout,
          std::uint64_t* samples) {
    constexpr double shift = 0x1.8p52;
    const double per_gradient = 1 / layout.gradient_scale, per_hessian = 1 / layout.hessian_scale;
    const int above = layout.count_bits + layout.hessian_bits;
    const auto nearest = [](double x) {
        const double shifted = x + shift;
        std::int64_t bits;
        std::memcpy(&bits, &shifted, 8);
        return (bits << 13) >> 13; // the low 51 bits, with their sign
    };
    for (Index i = 0; i < n; ++i) {
        const std::int64_t g = nearest(gradient[i] * per_gradient);
        const std::int64_t h = layout.hessian_bits > 0 ? nearest(hessian[i] * per_hessian) : 0;
        samples[i] = static_cast<std::uint64_t>(g) << above |
                     static_cast<std::uint64_t>(h) << layout.count_bits | 1;
    }
}

} // namespace

extern const HistKernels hist_kernels;
const HistKernels hist_kernels = {add,     flush,     subtract,  search, gini,
                                  largest, size_sums, leaf_sums, pack};

} // namespace gramian::boost::GRAMIAN_ISA
