#include "core/gram.hpp"

#include "core/kernels/simd.hpp"

namespace gramian::GRAMIAN_ISA {
namespace {

// A register tile is 4 rows by up to kTilePanels panels: 12 registers of sums with 256 bits,
// 8 with 128.
constexpr int kTileRows = 4;
constexpr int kTilePanels = kRegisterBytes == 32 ? 3 : 1;

template <typename T, typename A>
void pack(const T* x, Index rows, Index cols, const double* shift, const double* root, Index first,
          A* panels) {
    constexpr Index width = kPanel<A>;
    Index j = 0;
    if (first % width == 0) {
        for (; j + width <= cols; j += width) {
            A* panel = panels + (first + j) / width * kPackRows * width;
            A s[width] = {};
            if (shift) {
                for (Index l = 0; l < width; ++l) s[l] = static_cast<A>(shift[j + l]);
            }
            if (root) {
                for (Index k = 0; k < rows; ++k) {
                    const A r = static_cast<A>(root[k]);
                    for (Index l = 0; l < width; ++l) {
                        panel[k * width + l] = (static_cast<A>(x[k * cols + j + l]) - s[l]) * r;
                    }
                }
            } else {
                for (Index k = 0; k < rows; ++k) {
                    for (Index l = 0; l < width; ++l) {
                        panel[k * width + l] = static_cast<A>(x[k * cols + j + l]) - s[l];
                    }
                }
            }
        }
    }
    for (; j < cols; ++j) { // the columns left over, one by one
        const Index c = first + j;
        A* panel = panels + c / width * kPackRows * width + c % width;
        const double s = shift ? shift[j] : 0;
        for (Index k = 0; k < rows; ++k) {
            const double z = static_cast<double>(x[k * cols + j]) - s;
            panel[k * width] = static_cast<A>(root ? z * root[k] : z);
        }
    }
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
    for (int i = 0; i < kTileRows; ++i) {
        for (int v = 0; v < N * parts; ++v) {
            for (int l = 0; l < lanes; ++l) {
                out[i * row_length + v * lanes + l] += static_cast<double>(sums[i][v][l]);
            }
        }
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
            Index c = p;
            for (; c + kTilePanels <= n_panels; c += kTilePanels) {
                tile<A, kTilePanels>(left, panel(c), rows, row + c * width, row_length);
            }
            if constexpr (kTilePanels == 3) {
                if (n_panels - c == 2)
                    tile<A, 2>(left, panel(c), rows, row + c * width, row_length);
                if (n_panels - c == 1)
                    tile<A, 1>(left, panel(c), rows, row + c * width, row_length);
            }
        }
    }
}

} // namespace

extern const GramKernels gram_kernels;
const GramKernels gram_kernels = {pack<float, float>,  pack<float, double>, pack<double, double>,
                                  pack<double, float>, syrk<float>,         syrk<double>};

} // namespace gramian::GRAMIAN_ISA
