#include "core/passes/leave_one_out.hpp"

#include "core/simd/register.hpp"

namespace gramian::passes::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kPanelWidth = 4;
constexpr int kParts = kPanelWidth / kLanes<double>; // registers per panel
constexpr int kTilePanels = kRegisterBytes == 32 ? 3 : 1;

// out (Rows rows, N panels) = A B.
template <int Rows, int N>
inline void tile(const double* A, Index depth, const double* panels, double* out,
                 Index row_length) {
    constexpr int lanes = kLanes<double>;
    Vec<double> sums[Rows][N * kParts] = {};
    for (Index k = 0; k < depth; ++k) {
        Vec<double> b[N * kParts];
        for (int v = 0; v < N * kParts; ++v) {
            b[v] = load(panels + (v / kParts * depth + k) * kPanelWidth + v % kParts * lanes);
        }
        for (int i = 0; i < Rows; ++i) {
            const Vec<double> a = broadcast(A[i * depth + k]);
            for (int v = 0; v < N * kParts; ++v) sums[i][v] += a * b[v];
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < Rows; ++i) {
#pragma GCC unroll 8
        for (int v = 0; v < N * kParts; ++v) store(out + i * row_length + v * lanes, sums[i][v]);
    }
}

template <int N>
inline void column_of_tiles(const double* A, Index rows, Index depth, const double* panels,
                            double* out, Index row_length) {
    Index i = 0;
    for (; i + 4 <= rows; i += 4) {
        tile<4, N>(A + i * depth, depth, panels, out + i * row_length, row_length);
    }
    for (; i < rows; ++i) {
        tile<1, N>(A + i * depth, depth, panels, out + i * row_length, row_length);
    }
}

void multiply(const double* A, Index rows, Index depth, const double* panels, Index n_panels,
              double* out) {
    const Index row_length = n_panels * kPanelWidth;
    Index p = 0;
    for (; p + kTilePanels <= n_panels; p += kTilePanels) {
        column_of_tiles<kTilePanels>(A, rows, depth, panels + p * depth * kPanelWidth,
                                     out + p * kPanelWidth, row_length);
    }
    for (; p < n_panels; ++p) {
        column_of_tiles<1>(A, rows, depth, panels + p * depth * kPanelWidth, out + p * kPanelWidth,
                           row_length);
    }
}

} // namespace

extern const ProductKernels product_kernels;
const ProductKernels product_kernels = {multiply};

} // namespace gramian::passes::GRAMIAN_ISA
