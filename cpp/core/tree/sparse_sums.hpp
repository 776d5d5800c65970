// Running sums of the rows left of a candidate, for SparseGrower's search.
#pragma once

#include "core/tree/grower.hpp"

#include <algorithm>

namespace gramian::tree {

// Each class holds the sums over the rows left of a candidate, at first no rows. add() adds a row,
// add_zeros() all rows without an entry, improve() compares the candidate with the best so far.

// Gini: sum_k l_k^2 / w + sum_k r_k^2 / (W - w) is maximised.
class GiniLeft {
public:
    GiniLeft(const TargetsById& targets, const NodeTotals& node, double* left, double* block,
             Index classes)
        : targets_(targets), node_(node), left_(left), block_(block), classes_(classes) {
        for (Index k = 0; k < classes; ++k) {
            left_[k] = 0;
            block_[k] = node.sums[k];
            right_squares_ += node.sums[k] * node.sums[k];
        }
        block_weight_ = node.weight;
    }
    void take_from_zeros(Index row) {
        block_[targets_.codes[row]] -= weight_of(row);
        block_weight_ -= weight_of(row);
    }
    void add(Index row) { add(targets_.codes[row], weight_of(row)); }
    void add_zeros() {
        for (Index k = 0; k < classes_; ++k) add(k, block_[k]);
    }
    double weight() const { return weight_; }
    bool improve(int, Candidate& found) const {
        const double after = left_squares_ / weight_ + right_squares_ / (node_.weight - weight_);
        const double gain =
            without_noise(node_.impurity - 1 + after / node_.weight, node_.impurity);
        if (!is_better(gain, found.decrease)) return false;
        found.decrease = gain;
        return true;
    }

private:
    double weight_of(Index row) const { return targets_.weights ? targets_.weights[row] : 1.0; }
    void add(Index k, double w) {
        left_squares_ += w * (2 * left_[k] + w);
        right_squares_ += w * (w - 2 * (node_.sums[k] - left_[k]));
        left_[k] += w;
        weight_ += w;
    }

    const TargetsById& targets_;
    const NodeTotals& node_;
    double *left_, *block_;
    Index classes_;
    double weight_ = 0, block_weight_ = 0, left_squares_ = 0, right_squares_ = 0;
};

// Squared error of one output: (W s - w S)^2 / (w (W - w)) is maximised.
class SquaresLeft {
public:
    SquaresLeft(const TargetsById& targets, const NodeTotals& node)
        : targets_(targets), node_(node), block_weight_(node.weight), block_sum_(node.sums[0]) {}
    void take_from_zeros(Index row) {
        const double w = weight_of(row);
        block_weight_ -= w;
        block_sum_ -= w * targets_.values[row];
    }
    void add(Index row) {
        const double w = weight_of(row);
        weight_ += w;
        sum_ += w * targets_.values[row];
    }
    void add_zeros() {
        weight_ += block_weight_;
        sum_ += block_sum_;
    }
    double weight() const { return weight_; }
    bool improve(int, Candidate& found) const {
        const double W = node_.weight, d = W * sum_ - weight_ * node_.sums[0];
        const double gain = d * d / (weight_ * (W - weight_)) / (W * W);
        if (!is_better(gain, found.decrease)) return false;
        found.decrease = gain;
        return true;
    }

private:
    double weight_of(Index row) const { return targets_.weights ? targets_.weights[row] : 1.0; }

    const TargetsById& targets_;
    const NodeTotals& node_;
    double weight_ = 0, sum_ = 0, block_weight_, block_sum_;
};

// Squared error of several outputs, with the formula of SplitSearch for dense columns.
class OutputsLeft {
public:
    OutputsLeft(const SplitSearch& search, const TargetsById& targets, const NodeTotals& node,
                double* left, double* block, Index outputs)
        : search_(search), targets_(targets), node_(node), left_(left), block_(block),
          outputs_(outputs), block_weight_(node.weight) {
        for (Index o = 0; o < outputs; ++o) {
            left_[o] = 0;
            block_[o] = node.sums[2 * o];
        }
    }
    void take_from_zeros(Index row) {
        const double w = weight_of(row);
        block_weight_ -= w;
        for (Index o = 0; o < outputs_; ++o) block_[o] -= w * targets_.values[row * outputs_ + o];
    }
    void add(Index row) {
        const double w = weight_of(row);
        weight_ += w;
        for (Index o = 0; o < outputs_; ++o) left_[o] += w * targets_.values[row * outputs_ + o];
    }
    void add_zeros() {
        weight_ += block_weight_;
        for (Index o = 0; o < outputs_; ++o) left_[o] += block_[o];
    }
    double weight() const { return weight_; }
    bool improve(int, Candidate& found) const {
        const double gain =
            search_.decrease_of_raw(search_.raw_decrease(left_, weight_, node_), node_);
        if (!is_better(gain, found.decrease)) return false;
        found.decrease = gain;
        return true;
    }

private:
    double weight_of(Index row) const { return targets_.weights ? targets_.weights[row] : 1.0; }

    const SplitSearch& search_;
    const TargetsById& targets_;
    const NodeTotals& node_;
    double *left_, *block_;
    Index outputs_;
    double weight_ = 0, block_weight_;
};

// Any criterion that depends on sums.
class SumsLeft {
public:
    SumsLeft(SplitSearch& search, const TargetsById& targets, const NodeTotals& node, double* left,
             double* block)
        : search_(search), targets_(targets), node_(node), left_(left), block_(block) {
        std::fill_n(left_, search.n_sums(), 0.0);
        std::fill_n(block_, search.n_sums(), 0.0);
    }
    void take_from_zeros(Index row) { block_weight_ += search_.add(block_, targets_, row); }
    void add(Index row) { weight_ += search_.add(left_, targets_, row); }
    void add_zeros() {
        for (Index k = 0; k < search_.n_sums(); ++k) left_[k] += node_.sums[k] - block_[k];
        weight_ += node_.weight - block_weight_;
    }
    double weight() const { return weight_; }
    bool improve(int monotone, Candidate& found) {
        return search_.improve(left_, weight_, node_, monotone, found);
    }

private:
    SplitSearch& search_;
    const TargetsById& targets_;
    const NodeTotals& node_;
    double *left_, *block_;
    double weight_ = 0, block_weight_ = 0;
};

} // namespace gramian::tree
