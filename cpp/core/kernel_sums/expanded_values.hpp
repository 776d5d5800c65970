// Values of the polynomials of expansions.hpp for a group of queries, one in each lane.
#pragma once

#include "core/kernel_sums/expansions.hpp"
#include "core/simd/functions.hpp"

#include <math.h>

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kRegisters = kGridGroup / kLanes<double>;
static_assert(kGridGroup % kLanes<double> == 0);

using Lanes = Double[kRegisters];

// The terms up to degree n of M polynomials, and up to three more of each row of coefficients, by
// Horner's rule: in steps of four powers of the last variable, of one of the others.
template <int D, int M>
inline void values_of(const double* coefficients, int n, const Lanes (&b)[D], Lanes (&value)[M]) {
    const auto clear = [](Lanes(&of)[M]) {
        for (int m = 0; m < M; ++m) {
            for (int v = 0; v < kRegisters; ++v) of[m][v] = Double{};
        }
    };
    const auto step = [](Lanes(&of)[M], const Lanes& by, const Lanes(&next)[M]) {
        for (int m = 0; m < M; ++m) {
            for (int v = 0; v < kRegisters; ++v) of[m][v] = of[m][v] * by[v] + next[m][v];
        }
    };
    const Lanes& x = b[D - 1];
    Lanes square, fourth;
    for (int v = 0; v < kRegisters; ++v) {
        square[v] = x[v] * x[v];
        fourth[v] = square[v] * square[v];
    }
    clear(value);
    for (int i = D == 3 ? n : 0; i >= 0; --i) {
        Lanes plane[M];
        clear(plane);
        for (int j = D >= 2 ? n - i : 0; j >= 0; --j) {
            const double* row = coefficients + kTerms<D>.row(i, j);
            Lanes line[M];
            clear(line);
            for (int k = (n - i - j) / 4 * 4; k >= 0; k -= 4) {
                for (int m = 0; m < M; ++m) {
                    const double* c = row + m * kTerms<D>.size + k;
                    for (int v = 0; v < kRegisters; ++v) {
                        const Double low = c[1] * x[v] + c[0], high = c[3] * x[v] + c[2];
                        line[m][v] = line[m][v] * fourth[v] + (high * square[v] + low);
                    }
                }
            }
            step(plane, b[D >= 2 ? D - 2 : 0], line);
        }
        step(value, b[0], plane);
    }
}

// The least degree of the polynomials of a cell that leaves out less than exp(margin) times the
// cell's weight, or -1; z = |b| r.
template <int D>
inline int degree_for(const Cell& cell, double margin, double b, double z) {
    const double log_b = b > 0 ? ::log(b) : -HUGE_VAL;
    for (int n = 0; n <= Terms<D>::degree; ++n) {
        if (n + 2 < 2 * z) continue;
        if (margin + cell.rest[n] - (n + 1) * log_b >= 0.7) return n;
    }
    return -1;
}

constexpr int terms_of(int dims, int n) {
    return dims == 1 ? n + 1 : dims == 2 ? (n + 1) * (n + 2) / 2 : (n + 1) * (n + 2) * (n + 3) / 6;
}

} // namespace
} // namespace gramian::kernel_sums::GRAMIAN_ISA
