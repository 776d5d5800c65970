// One epoch of stochastic gradient descent over the rows of a table.
//
// For each row i of a given order, with margin z = x_i . w + b and step eta_t:
//
//     w <- w - eta_t (s_i l'(z, y_i) x_i + alpha (1 - l1_ratio) w),   b <- b - eta_t s_i l'(z, y_i)
//
// and, with an l1 part, the cumulative penalty of Tsuruoka, Tsujii and Ananiadou (2009), which
// clips a weight at zero. Sparse rows touch only their own columns.
//
// The loop is serial: the result has the same bits for any number of threads.
#pragma once

#include "core/losses/loss.hpp"
#include "core/passes/views.hpp"

namespace gramian::passes {

enum class Schedule : int { constant, optimal, invscaling, pa1, pa2 };

// The length of the steps; passive-aggressive (pa1, pa2): eta0 is the bound C.
struct LearningRate {
    Schedule schedule;
    double eta0, power; // eta0 / t^power
    double optimal_start;
};

struct Epoch {
    // the rows
    const std::int32_t* order;
    Index n;
    const double* y;
    const double* weights; // null: one each
    // the method
    losses::Loss loss; // y = -1 or 1 for hinge losses, logistic and exponential
    double epsilon;    // of the tube, or of Huber's loss; margin up to which the perceptron errs
    double alpha;      // the penalty alpha ((1 - l1_ratio) |w|^2 / 2 + l1_ratio |w|_1)
    double l1_ratio;
    LearningRate rate;
    bool intercept;
    // the state
    double* w; // one per column
    double* b;
    double* t;          // steps made, from 1
    double* l1_applied; // per column: the l1 penalty received, null without an l1 part
    double* l1_total;   // the l1 penalty that every weight should have received
    double* sum;        // per column, the sum of the weights after each step; null: not kept
    double* sum_b;
    double sum_from; // the step from which on it counts
    double loss_sum; // out: sum of s_i l(z_i, y_i) before each step
    Index updates;   // out: steps that moved along their row: for the perceptron, mistakes
};

template <typename View>
void epoch(const View& X, Epoch& state);

// w = scale * v, and the sum of the weights after each step = u + sum_scale * v (Bottou 2012),
// so that shrinking all weights, and adding them to the sum, are one operation each.
struct ScaledWeights {
    double* v;
    double scale;
    double* u;
    double sum_scale;
};

struct EpochKernels {
    template <typename View>
    struct ForView {
        void (*steps)(const View& X, Epoch& state, ScaledWeights& weights, Index begin, Index end);
    };
    KernelsByView<ForView> views;
    // v <- w, u <- the sum
    void (*multiply_out)(ScaledWeights& weights, Index cols);
};

} // namespace gramian::passes
