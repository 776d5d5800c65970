#include "core/kernel_sums/expansions.hpp"

#include "core/simd/functions.hpp"

#include <math.h>

namespace gramian::kernel_sums::GRAMIAN_ISA {
namespace {

using namespace simd;

constexpr int kStep = kLanes<double>;
constexpr int kRowsAtOnce = 4; // rows that share the readings of the coefficients

// Some rows: y^k / k! of each feature, and the factors of the polynomials.
template <int D>
struct Powers {
    static constexpr int length = Terms<D>::degree + Terms<D>::pad;
    double of[D][kRowsAtOnce][length] = {};

    void set(int row, const double (&y)[D]) {
        for (int j = 0; j < D; ++j) {
            double power = 1;
            for (int k = 0; k <= Terms<D>::degree; ++k) {
                of[j][row][k] = power;
                power *= y[j] / (k + 1);
            }
        }
    }
};

// coefficients += sum over the rows of factor times their powers
template <int D>
void add(const Powers<D>& powers, const double (&factor)[kRowsAtOnce], double* coefficients) {
    constexpr int degree = Terms<D>::degree;
    for (int i = 0; i <= (D == 3 ? degree : 0); ++i) {
        for (int j = 0; j <= (D >= 2 ? degree - i : 0); ++j) {
            double of_row[kRowsAtOnce];
            for (int r = 0; r < kRowsAtOnce; ++r) {
                of_row[r] = factor[r];
                if constexpr (D >= 2) of_row[r] *= powers.of[D - 2][r][j];
                if constexpr (D == 3) of_row[r] *= powers.of[0][r][i];
            }
            double* row = coefficients + kTerms<D>.row(i, j);
            for (int k = 0; k <= degree - i - j; k += kStep) {
                Double total = load(row + k);
                for (int r = 0; r < kRowsAtOnce; ++r) {
                    total += of_row[r] * load(&powers.of[D - 1][r][k]);
                }
                store(row + k, total);
            }
        }
    }
}

template <int D>
void expand(const ExpandCall& call) {
    Cell& cell = *call.cell;
    constexpr int degree = Terms<D>::degree;
    Double rest[degree + 1] = {}, weight{};
    double widest = 0;
    for (Index first = 0; first < cell.rows; first += kBlockRows) {
        const double* points = call.blocks + first / kBlockRows * size_of_block(D, call.outputs);
        const double* w = points + D * kBlockRows;
        double factors[kBlockRows];
        for (Index at = 0; at < kBlockRows; at += kStep) {
            Double square{};
            for (int j = 0; j < D; ++j) {
                const Double y = (load(points + j * kBlockRows + at) - cell.centre[j]) * call.root;
                square += y * y;
            }
            for (int i = 0; i < kStep; ++i) widest = square[i] > widest ? square[i] : widest;
            Double power = exp(-0.5 * square) * load(w + at);
            store(factors + at, power);
            weight += load(w + at);
            const Double length = simd::sqrt(square);
            for (int n = 0; n <= degree; ++n) {
                power *= length / (n + 1.0);
                rest[n] += power;
            }
        }
        if (!call.polynomials) continue;
        Powers<D> powers;
        const Index size = cell.rows - first < kBlockRows ? cell.rows - first : kBlockRows;
        for (Index at = 0; at < size; at += kRowsAtOnce) {
            double factor[kRowsAtOnce];
            for (int r = 0; r < kRowsAtOnce; ++r) {
                double y[D];
                for (int j = 0; j < D; ++j) {
                    y[j] = (points[j * kBlockRows + at + r] - cell.centre[j]) * call.root;
                }
                powers.set(r, y);
                factor[r] = factors[at + r];
            }
            add<D>(powers, factor, call.polynomials);
            for (Index o = 0; o < call.outputs; ++o) {
                const double* values = w + (1 + o) * kBlockRows + at;
                double times[kRowsAtOnce];
                for (int r = 0; r < kRowsAtOnce; ++r) times[r] = factor[r] * values[r];
                add<D>(powers, times, call.polynomials + (1 + o) * kTerms<D>.size);
            }
        }
    }
    cell.radius = ::sqrt(widest) * (1 + 1e-12);
    for (int n = 0; n <= degree; ++n) {
        cell.rest[n] = ::log(sum<double>(weight) / sum<double>(rest[n]));
    }
}

void expand_any(const ExpandCall& call) {
    switch (call.dims) {
    case 1:
        return expand<1>(call);
    case 2:
        return expand<2>(call);
    default:
        return expand<3>(call);
    }
}

} // namespace

extern const ExpandKernels expand_kernels;
const ExpandKernels expand_kernels = {expand_any};

} // namespace gramian::kernel_sums::GRAMIAN_ISA
