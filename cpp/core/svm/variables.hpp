// The variables of a machine, the scores they have, and the points that are not left out.
#pragma once

#include "core/svm/solver.hpp"

#include <vector>

namespace gramian::svm {

struct Variables {
    explicit Variables(const Machine& machine);

    const Machine& machine;
    const Index points;               // variable v is of point v, or of point v - points
    const int groups;                 // 2 where the sums of both signs are kept
    std::vector<std::int32_t> active; // points, ascending
    std::vector<std::int32_t> place;  // of a point in `active`, -1 where it is left out
    std::vector<double> gradient;     // K b at the active points
    double top[2], bottom[2];         // of a group: the largest score that may rise, the smallest
                                      // that may fall

    Index size() const { return machine.halves * points; }
    Index point(Index v) const { return v < points ? v : v - points; }
    int group(Index v) const { return groups == 2 && machine.sign[v] < 0; }
    bool shrunken() const { return static_cast<Index>(active.size()) < points; }
    double score(Index v) const { return -gradient[place[point(v)]] - machine.offset[v]; }
    bool rises(Index v) const {
        return machine.sign[v] > 0 ? machine.alpha[v] < machine.upper[v] : machine.alpha[v] > 0;
    }
    bool falls(Index v) const {
        return machine.sign[v] > 0 ? machine.alpha[v] > 0 : machine.alpha[v] < machine.upper[v];
    }
    double value_of(Index i) const { // b_i
        double sum = 0;
        for (Index v = i; v < size(); v += points) sum += machine.sign[v] * machine.alpha[v];
        return sum;
    }
    // The points of these places as the table numbers them.
    std::vector<std::int32_t> ids_of(const std::vector<std::int32_t>& places) const;

    template <typename Body>
    void for_active(const Body& body) const {
        for (Index h = 0; h < machine.halves; ++h) {
            for (const std::int32_t i : active) body(h * points + i);
        }
    }

    // Sets top and bottom.
    void find_extremes();
    // Of a pair of one group; NaN where a score is.
    double largest_violation() const;
    // The level of the scores of a group: their mean over the free variables, or the middle of what
    // the bounds leave (Chang and Lin 2011, section 4.1.5).
    double level(int group) const;
    // The points without those that will stay at a bound, as columns of `active`.
    std::vector<std::int32_t> unsettled() const;
    // Leaves out all points but those of these columns.
    void keep(const std::vector<std::int32_t>& columns);
    // Brings all points back; `others` is the gradient of those left out, in their order.
    void bring_back(const std::vector<double>& others);
};

} // namespace gramian::svm
