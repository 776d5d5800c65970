#include "core/network/conv_pool.hpp"

#include "core/simd/register.hpp"

namespace gramian::network::GRAMIAN_ISA {
namespace {

using namespace simd;

// The maximum of four registers plus the bias, and which had it.
template <typename T>
inline void maxima(const Vec<T> (&x)[4], const T* bias, bool relu, T* out, Corner<T>* places) {
    Vec<T> best = x[0];
    Vec<Corner<T>> place{};
    for (Corner<T> k = 1; k < 4; ++k) {
        const auto better = (x[k] > best) | (x[k] != x[k]);
        best = better ? x[k] : best;
        place = better ? k - Vec<Corner<T>>{} : place;
    }
    best += load(bias);
    if (relu) {
        const auto dead = best <= Vec<T>{};
        best = dead ? Vec<T>{} : best;
        place = dead ? kNoPlace - Vec<Corner<T>>{} : place;
    }
    store(out, best);
    store(places, place);
}

// What the compiler knows of numbers that it has read here: it would keep them for the next column,
// in registers that the sums need.
template <typename T>
inline void forget(const T*& a, const T*& b) {
    __asm__("" : "+r"(a), "+r"(b));
}

// Q blocks side by side, R registers of filters: 4 Q R sums at once. Channels: how many there are,
// or 0: what c says.
template <typename T, int Q, int R, int Channels>
inline void blocks(const ConvPool& c, const T* x, const T* weights, const T* bias, Index filters,
                   T* out, Corner<T>* places) {
    const Index channels = Channels > 0 ? Channels : c.channels;
    const Index step = c.padded_cols() * channels, line = c.width * channels;
    Vec<T> sums[2][2 * Q][R];
    for (auto& row : sums) {
        for (auto& place : row) {
            for (Vec<T>& sum : place) sum = Vec<T>{};
        }
    }
    for (Index ky = 0; ky < c.height; ++ky, x += step) {
        const T* row[2] = {x, x + step};
        for (Index t = 0; t < line; ++t, weights += filters, ++row[0], ++row[1]) {
            if constexpr (Channels > 0) forget(row[0], row[1]);
            Vec<T> w[R];
            for (int r = 0; r < R; ++r) w[r] = load(weights + r * kLanes<T>);
            for (int i = 0; i < 2; ++i) {
                for (int j = 0; j < 2 * Q; ++j) {
                    const Vec<T> v = broadcast(row[i][j * channels]);
                    for (int r = 0; r < R; ++r) sums[i][j][r] += v * w[r];
                }
            }
        }
    }
    for (int q = 0; q < Q; ++q) {
        for (int r = 0; r < R; ++r) {
            const Vec<T> four[4] = {sums[0][2 * q][r], sums[0][2 * q + 1][r], sums[1][2 * q][r],
                                    sums[1][2 * q + 1][r]};
            const Index at = q * filters + r * kLanes<T>;
            maxima<T>(four, bias + r * kLanes<T>, c.relu, out + at, places + at);
        }
    }
}

// A row of blocks; Q as large as the registers allow.
template <typename T, int Q, int R, int Channels>
inline void row_of_blocks(const ConvPool& c, const T* x, const T* weights, const T* bias,
                          Index filters, T* out, Corner<T>* places) {
    Index j = 0;
    const auto go_on = [&]<int N>() {
        for (; j + N <= c.out_cols(); j += N) {
            blocks<T, N, R, Channels>(c, x + 2 * j * c.channels, weights, bias, filters,
                                      out + j * filters, places + j * filters);
        }
    };
    if constexpr (Q >= 3) go_on.template operator()<3>();
    if constexpr (Q >= 2) go_on.template operator()<2>();
    go_on.template operator()<1>();
}

template <typename T>
void forward(const ConvPool& c, const T* x, const T* weights, const T* bias, T* out,
             Corner<T>* places) {
    constexpr Index lanes = kLanes<T>;
    const Index filters = (c.filters + lanes - 1) / lanes * lanes;
    for (Index i = 0; i < c.out_rows(); ++i) {
        const T* const row = x + 2 * i * c.padded_cols() * c.channels;
        const Index at = i * c.out_cols() * filters;
        Index f = 0;
        for (; f + 2 * lanes <= filters; f += 2 * lanes) {
            row_of_blocks<T, 1, 2, 0>(c, row, weights + f, bias + f, filters, out + at + f,
                                      places + at + f);
        }
        if (f < filters) {
            const auto rest =
                c.channels == 1 ? row_of_blocks<T, 3, 1, 1> : row_of_blocks<T, 3, 1, 0>;
            rest(c, row, weights + f, bias + f, filters, out + at + f, places + at + f);
        }
    }
}

// Whole registers while what they write beyond their filters is written again by the next block.
template <typename T>
void pack(const ConvPool& c, const T* found, const Corner<T>* where, T* out, std::uint8_t* places) {
    typedef std::uint8_t Bytes __attribute__((vector_size(kLanes<T>)));
    constexpr Index lanes = kLanes<T>;
    const Index filters = (c.filters + lanes - 1) / lanes * lanes, size = c.pooled();
    Index at = 0;
    for (; at + filters <= size; at += c.filters, found += filters, where += filters) {
        for (Index f = 0; f < filters; f += lanes) {
            store(out + at + f, load(found + f));
            if (places == nullptr) continue;
            const Bytes bytes = __builtin_convertvector(load(where + f), Bytes);
            std::memcpy(places + at + f, &bytes, sizeof bytes);
        }
    }
    for (; at < size; at += c.filters, found += filters, where += filters) {
        for (Index f = 0; f < c.filters; ++f) {
            out[at + f] = found[f];
            if (places != nullptr) places[at + f] = static_cast<std::uint8_t>(where[f]);
        }
    }
}

// Few sums wait for each other: then every second term has sums of its own.
template <typename T, int K, int R>
void tile(const T* from, Index step, const Term<T>* terms, Index count, T* to, Index to_step) {
    constexpr int U = K * R <= 6 ? 2 : 1;
    Vec<T> sums[U][K][R];
    for (int k = 0; k < K; ++k) {
        for (int r = 0; r < R; ++r) {
            sums[0][k][r] = load(to + k * to_step + r * kLanes<T>);
            if constexpr (U == 2) sums[1][k][r] = Vec<T>{};
        }
    }
    const auto add = [&](const Term<T>& term, Vec<T>(&into)[K][R]) {
        const Vec<T> factor = broadcast(term.factor);
        const T* const at = from + term.at;
        for (int k = 0; k < K; ++k) {
            for (int r = 0; r < R; ++r) into[k][r] += factor * load(at + k * step + r * kLanes<T>);
        }
    };
    Index e = 0;
    for (; e + U <= count; e += U) {
        for (int u = 0; u < U; ++u) add(terms[e + u], sums[u]);
    }
    if (e < count) add(terms[e], sums[0]);
    for (int k = 0; k < K; ++k) {
        for (int r = 0; r < R; ++r) {
            Vec<T> sum = sums[0][k][r];
            if constexpr (U == 2) sum += sums[1][k][r];
            store(to + k * to_step + r * kLanes<T>, sum);
        }
    }
}

constexpr int kMostSums = 12; // of 16 registers

template <typename T, int R>
inline void lines(const T* from, Index step, const Term<T>* terms, Index count, T* to,
                  Index to_step, Index height) {
    Index k = 0;
    const auto go_on = [&]<int K>() {
        if constexpr (K * R <= kMostSums) {
            for (; k + K <= height; k += K) {
                tile<T, K, R>(from + k * step, step, terms, count, to + k * to_step, to_step);
            }
        }
    };
    go_on.template operator()<5>();
    go_on.template operator()<3>();
    go_on.template operator()<2>();
    go_on.template operator()<1>();
}

template <typename T>
void add_lines(const T* from, Index step, const Term<T>* terms, Index count, T* to, Index to_step,
               Index height, Index registers) {
    for (Index r = 0; r < registers; r += 4) {
        const Index at = r * kLanes<T>;
        const auto go = [&]<int R>() {
            lines<T, R>(from + at, step, terms, count, to + at, to_step, height);
        };
        switch (registers - r < 4 ? registers - r : Index{4}) {
        case 1:
            go.template operator()<1>();
            break;
        case 2:
            go.template operator()<2>();
            break;
        case 3:
            go.template operator()<3>();
            break;
        default:
            go.template operator()<4>();
        }
    }
}

} // namespace

extern const AllConvPoolKernels conv_pool_kernels;
const AllConvPoolKernels conv_pool_kernels = {
    {kLanes<float>, forward<float>, pack<float>, add_lines<float>},
    {kLanes<double>, forward<double>, pack<double>, add_lines<double>}};

} // namespace gramian::network::GRAMIAN_ISA
