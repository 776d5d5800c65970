// The variables of a machine, their scores, and the points that are active (not removed).
#pragma once

#include "core/svm/solver.hpp"

#include <algorithm>
#include <vector>

namespace gramian::svm {

struct Variables {
    explicit Variables(const Machine& machine);

    const Machine& machine;
    const Index points;               // variable v is of point v, or of point v - points
    const int groups;                 // 2 where the sums of both signs are kept
    std::vector<std::int32_t> active; // points, ascending
    std::vector<std::int32_t> place;  // of a point in `active`, -1 where it is left out
    std::vector<double> gradient;     // K b at the active points, and zeros to a whole block
    double top[2], bottom[2];         // of a group: the largest score that may rise, the smallest
                                      // that may fall

    Index size() const { return machine.halves * points; }
    Index point(Index v) const { return v < points ? v : v - points; }
    int group(Index v) const { return groups == 2 && machine.sign[v] < 0; }
    bool is_shrunk() const { return static_cast<Index>(active.size()) < points; }
    double score(Index v) const { return -gradient[place[point(v)]] - machine.offset[v]; }
    bool can_rise(Index v) const {
        return machine.sign[v] > 0 ? machine.alpha[v] < machine.upper[v] : machine.alpha[v] > 0;
    }
    bool can_fall(Index v) const {
        return machine.sign[v] > 0 ? machine.alpha[v] > 0 : machine.alpha[v] < machine.upper[v];
    }
    double value_of(Index i) const { // b_i
        double sum = 0;
        for (Index v = i; v < size(); v += points) sum += machine.sign[v] * machine.alpha[v];
        return sum;
    }
    double norm_of_values() const; // |b|
    // The points of these places as the table numbers them.
    std::vector<std::int32_t> ids_of(const std::vector<std::int32_t>& places) const;

    // Sets a value, between 0 and its bound.
    void set_alpha(Index v, double alpha);
    // Sets top and bottom.
    void find_extremes();
    // The variables of the active points are in blocks, each with its largest and smallest score.
    Index blocks() const { return machine.halves * (padded_size() / kScoreBlock); }
    double block_top(int g, Index b) const { return block_top_[g * blocks() + b]; }
    double block_bottom(int g, Index b) const { return block_bottom_[g * blocks() + b]; }
    // body(v, rising, falling) for the variables of a block: the score if it may rise and is of the
    // group, -infinity otherwise; the score if it may fall, infinity otherwise.
    template <typename Body>
    void for_block(int g, Index b, const Body& body) const;
    // Of a pair of one group; NaN where a score is.
    double largest_violation() const;
    // The level of the scores of a group: their mean over the free variables, or the middle of what
    // the bounds leave (Chang and Lin 2011, section 4.1.5).
    double level(int group) const;
    // The columns of `active` whose points are not expected to stay at a bound.
    std::vector<std::int32_t> columns_to_keep() const;
    // Removes all points except those of these columns.
    void keep(const std::vector<std::int32_t>& columns);
    // Brings all points back, with the gradients that `removed` has.
    void restore_all();

    // Points that were left out at one time, with their gradient, and the signed values that the
    // active points had then: those of all others have not changed since.
    struct RemovedPoints {
        std::vector<std::int32_t> points;
        std::vector<double> gradient;
        std::vector<std::int32_t> movable;
        std::vector<double> values;
    };
    std::vector<RemovedPoints> removed;

private:
    // Lays the variables of the active points side by side, those of each half padded to blocks.
    void rebuild_arrays();
    Index padded_size() const { return static_cast<Index>(gradient.size()); }
    void update_limits(Index v);

    std::vector<double> offset_;                   // (halves, padded)
    std::vector<double> up_, down_;                // (groups, halves, padded); see ScoresCall
    std::vector<double> block_top_, block_bottom_; // (groups, halves, blocks)
};

template <typename Body>
void Variables::for_block(int g, Index b, const Body& body) const {
    const Index of_half = padded_size() / kScoreBlock, h = b / of_half;
    const Index begin = (b - h * of_half) * kScoreBlock;
    const Index end = std::min(static_cast<Index>(active.size()), begin + kScoreBlock);
    const Index half = g * machine.halves + h;
    const double* const up = up_.data() + half * padded_size();
    const double* const down = down_.data() + half * padded_size();
    const double* const offset = offset_.data() + h * padded_size();
    for (Index k = begin; k < end; ++k) {
        const double score = -gradient[k] - offset[k];
        body(h * points + active[k], score + up[k], score + down[k]);
    }
}

} // namespace gramian::svm
