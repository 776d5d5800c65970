#include "core/passes/gram.hpp"

#include "core/simd/register.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

// A register tile is 4 rows by up to kTilePanels panels: 12 registers of sums with 256 bits,
// 8 with 128.
constexpr int kTileRows = 4;
constexpr int kTilePanels = kRegisterBytes == 32 ? 3 : 1;

template <typename A, typename T>
inline Vec<A> load_as(const T* p) {
    Vec<A> v;
    if constexpr (sizeof(T) == sizeof(A)) {
        v = load(p);
    } else {
        for (int l = 0; l < kLanes<A>; ++l) v[l] = static_cast<A>(p[l]);
    }
    return v;
}

// The full panels of `Rows` rows, weighted.
template <int Rows, typename T, typename A>
inline void pack_rows(const T* x, Index cols, Index whole, const A* shift, const A (&r)[Rows],
                      A* to) {
    constexpr Index width = kPanel<A>;
    constexpr Index lanes = kLanes<A>;
    for (Index j = 0; j < whole; j += width, to += kPackRows * width) {
        for (Index l = 0; l < width; l += lanes) {
            const Vec<A> s = load(shift + j + l);
            for (int k = 0; k < Rows; ++k) {
                const Vec<A> v = load_as<A>(x + k * cols + j + l);
                store(to + k * width + l, (v - s) * r[k]);
            }
        }
    }
}

// A few rows at a time, so that X is read nearly in the order of memory.
template <typename T, typename A>
void pack(const T* x, Index rows, Index cols, const A* shift, const double* root, Index first,
          A* panels) {
    constexpr Index width = kPanel<A>;
    const auto weight = [&](Index k) { return static_cast<A>(root ? root[k] : 1.0); };
    const auto column = [&](Index c) { return panels + c / width * kPackRows * width + c % width; };
    const Index whole = first % width == 0 ? cols / width * width : 0; // columns in full panels
    Index k = 0;
    if (whole > 0) {
        for (; k + 4 <= rows; k += 4) {
            const A r[4] = {weight(k), weight(k + 1), weight(k + 2), weight(k + 3)};
            pack_rows<4>(x + k * cols, cols, whole, shift, r, column(first) + k * width);
        }
        for (; k < rows; ++k) {
            const A r[1] = {weight(k)};
            pack_rows<1>(x + k * cols, cols, whole, shift, r, column(first) + k * width);
        }
    }
    for (Index j = whole; j < cols; ++j) { // the columns left over
        A* to = column(first + j);
        const A s = shift[j];
        for (k = 0; k < rows; ++k) {
            to[k * width] = (static_cast<A>(x[k * cols + j]) - s) * weight(k);
        }
    }
}

inline void add(double* out, Vec<double> x) {
    store(out, load(out) + x);
}
inline void add(double* out, Vec<float> x) {
#if defined(GRAMIAN_ISA_IS_v3)
    const __m256 both = (__m256)x;
    add(out, (Vec<double>)_mm256_cvtps_pd(_mm256_castps256_ps128(both)));
    add(out + 4, (Vec<double>)_mm256_cvtps_pd(_mm256_extractf128_ps(both, 1)));
#else
    for (int l = 0; l < kLanes<float>; ++l) out[l] += static_cast<double>(x[l]);
#endif
}

// out (4 rows, N panels) += left' right, the 4 columns of left being broadcast.
template <typename A, int N>
inline void tile(const A* left, const A* right, Index rows, double* out, Index row_length) {
    constexpr int width = static_cast<int>(kPanel<A>);
    constexpr int parts = width / kLanes<A>; // registers per panel
    constexpr int lanes = kLanes<A>;
    Vec<A> sums[kTileRows][N * parts] = {};
    for (Index k = 0; k < rows; ++k) {
        Vec<A> b[N * parts];
        for (int v = 0; v < N * parts; ++v) {
            b[v] = load(right + (v / parts) * kPackRows * width + k * width + v % parts * lanes);
        }
        for (int i = 0; i < kTileRows; ++i) {
            const Vec<A> a = broadcast(left[k * width + i]);
            for (int v = 0; v < N * parts; ++v) sums[i][v] += a * b[v];
        }
    }
    // Unrolled, so that the sums never leave their registers.
#pragma GCC unroll 4
    for (int i = 0; i < kTileRows; ++i) {
#pragma GCC unroll 8
        for (int v = 0; v < N * parts; ++v) add(out + i * row_length + v * lanes, sums[i][v]);
    }
}

template <typename A>
void syrk(const A* panels, Index rows, Index n_panels, double* out) {
    constexpr Index width = kPanel<A>;
    const Index row_length = n_panels * width;
    const auto panel = [&](Index c) { return panels + c * kPackRows * width; };
    for (Index p = 0; p < n_panels; ++p) {
        for (Index half = 0; half < width; half += kTileRows) {
            double* row = out + (p * width + half) * row_length;
            const A* left = panel(p) + half;
            for (Index c = p; c < n_panels;) {
                double* to = row + c * width;
                const Index left_over = n_panels - c;
                // Two tiles of 2 panels keep the multipliers busier than one of 3 and one of 1.
                if (kTilePanels == 3 && left_over >= 3 && left_over != 4) {
                    tile<A, kTilePanels>(left, panel(c), rows, to, row_length);
                    c += kTilePanels;
                } else if (kTilePanels == 3 && left_over >= 2) {
                    tile<A, kTilePanels == 3 ? 2 : 1>(left, panel(c), rows, to, row_length);
                    c += 2;
                } else {
                    tile<A, 1>(left, panel(c), rows, to, row_length);
                    c += 1;
                }
            }
        }
    }
}

} // namespace

extern const GramKernels gram_kernels;
const GramKernels gram_kernels = {pack<float, float>,  pack<float, double>, pack<double, double>,
                                  pack<double, float>, syrk<float>,         syrk<double>};

} // namespace gramian::passes::GRAMIAN_ISA
