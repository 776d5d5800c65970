// Sums of Gaussian weights over the rows of a cell of a grid as one polynomial.
//
// Greengard, Strain, SIAM J. Sci. Stat. Comput. 12(1), 1991, with the factors of Yang, Duraiswami,
// Davis, NIPS 2004. In units of the bandwidth, with the rows of a cell at c + y and a query at c +
// b,
//
//     exp(-|b - y|^2 / 2) = exp(-|b|^2 / 2) exp(-|y|^2 / 2) sum_k (b . y)^k / k!,
//
// so that the sum over the rows is exp(-|b|^2 / 2) times a polynomial in b, whose coefficients
//
//     C_alpha = sum_i w_i exp(-|y_i|^2 / 2) y_i^alpha / alpha!
//
// serve all queries. The terms above degree n are less than twice
//
//     exp(-|b|^2 / 2) |b|^(n + 1) W exp(-rest_n),    z = |b| r <= (n + 2) / 2,
//     W exp(-rest_n) = sum_i w_i exp(-|y_i|^2 / 2) |y_i|^(n + 1) / (n + 1)!,    W = sum_i w_i,
//
// for rows within r of c. Each cell and group of queries uses the smallest n for which this is
// below the rounding error of the sum times the cell's share of all weights, the same bound as for
// cells that are skipped because they are far. Terms of different signs are at most exp(2 z) times
// their sum, so rounding errors are relative to C_0 exp(z - |b|^2 / 2). The total of these is
// compared with the sum; if it is too large, rows are added one by one.
#pragma once

#include "core/kernel_sums/sums.hpp"

#include <vector>

namespace gramian::kernel_sums {

namespace {

// The coefficients of a polynomial of D variables. A row belongs to one combination of powers of
// all variables but the last and contains the coefficients of the powers of the last. Rows are
// padded to a multiple of four; the padding is 0 or the coefficient of a higher power.
template <int D>
struct Terms {
    static constexpr int degree = D == 1 ? kMostDegree : 26;
    static constexpr int pad = 4;

    int rows[(degree + 1) * (degree + 1)] = {};
    int size = 0;

    constexpr Terms() {
        for (int i = 0; i <= (D == 3 ? degree : 0); ++i) {
            for (int j = 0; j <= (D >= 2 ? degree - i : 0); ++j) {
                rows[i * (degree + 1) + j] = size;
                size += (degree - i - j + pad) / pad * pad;
            }
        }
    }
    constexpr int row(int i, int j) const { return rows[i * (degree + 1) + j]; }
};

template <int D>
constexpr Terms<D> kTerms{};

inline Index size_of_terms(Index dims) {
    return dims == 1 ? kTerms<1>.size : dims == 2 ? kTerms<2>.size : kTerms<3>.size;
}

} // namespace

// The rows by the cells of a grid, in blocks of kBlockRows: (dims, kBlockRows) points, weights,
// (outputs, kBlockRows) values; what a block lacks repeats its last row with weight 0.
struct Grid {
    std::vector<Cell> cells;
    std::vector<double> blocks;
    std::vector<double> polynomials; // (cells with many rows, 1 + outputs, terms)
    double root;                     // 1 / bandwidth

    CellView view() const {
        return {static_cast<Index>(cells.size()), cells.data(), blocks.data(), polynomials.data(),
                root};
    }
};

// The grid has no cells if the rows are too few or too far apart for it to pay.
Grid make_grid(const Rows& rows, double scale);

// The input of the kernels of an instruction set: a cell, of which they compute radius,
// polynomials.
struct ExpandCall {
    Index dims;
    Index outputs;
    double root;
    const double* blocks; // of the cell
    Cell* cell;
    double* polynomials;
};

struct ExpandKernels {
    void (*expand)(const ExpandCall& call);
};

} // namespace gramian::kernel_sums
