// Dual coordinate sweeps: linear machines trained one row at a time.
//
// A penalised linear model  min |w|^2 / 2 + sum_i c_i l(x_i . w + b, y_i)  has one dual unknown
// beta_i per row, with  w = sum_i beta_i x_i  (Hsieh et al. 2008; Yu, Huang and Lin 2011). A sweep
// visits rows in a random order and minimises the dual over each beta_i in turn, which changes w
// along x_i alone; each step goes somewhat beyond the minimum (over-relaxation), within the bounds.
// Two families of losses share the sweep; losses/conjugate.hpp has them.
//
// Sweeps are serial, so that the result has the same bits for any number of threads.
#pragma once

#include "core/losses/conjugate.hpp"
#include "core/passes/views.hpp"

namespace gramian::passes {

using losses::Dual;

// The state of a sweep; everything that it points to belongs to the caller.
struct Sweep {
    losses::Coordinate* coordinates;
    double* w;            // one per column, then that of the column of ones
    double ones;          // the value of that column; 0: there is none
    double offset;        // added to every margin, not penalised
    double epsilon;       // half width of the tube
    std::int32_t* active; // the rows that are visited, ascending; shrinking takes some away
    Index n_active;
    double bound;   // rows that are optimal by more than this leave; infinity: none
    double largest; // out: the largest violation of the optimality conditions by a row that moved
    double total;   // out: sum of |x_i|^2 times the square of the dual step a row was off by
};

// One sweep over the active rows in an order drawn by the counters of (seed, number): pieces of
// neighbouring rows in random order, and the rows of a piece in random order, so that memory is
// read in runs. (A fixed order would take many times as many sweeps.)
template <typename View>
void sweep(Dual dual, const View& X, Sweep& state, std::uint64_t seed, std::uint64_t number);

// out[i] = |x_i|^2
template <typename View>
void squared_norms(const View& X, Vector<double> out);

struct SweepKernels {
    template <typename View>
    struct ForView {
        // Visits the rows order[0 .. visits) and replaces a row that becomes inactive by -1. The
        // first `known` entries of the order may be read for prefetching.
        using Visits = void (*)(const View& X, Sweep& state, std::int32_t* order, Index visits,
                                Index known);
        Visits box, logistic;
        void (*squared_norms)(const View& X, double* out);
    };
    KernelsByView<ForView> views;
};

} // namespace gramian::passes
