// Candidates of k-medoids that cannot improve the objective, ruled out in float32.
//
// The change by a swap is a sum over the objects of functions of the candidate's distances that
// move by no more than the distances do. So with distances in float32 it is off by no more than the
// sum of their errors, which is far below the changes of most candidates: only the others need
// distances in float64.
//
// Objects of one cluster lie side by side: most groups of them are far from a candidate as a whole,
// and those near it add to one sum.
#pragma once

#include "core/medoids/medoids.hpp"

namespace gramian::medoids {

class Screen {
public:
    explicit Screen(const linkage::CoarseColumns& coarse, Index n, Index dims);

    // Orders the objects by their nearest medoid; `set_assignment` follows.
    void arrange(Vector<std::int32_t> nearest, Index n_medoids);
    // Takes over the nearest two medoids of all objects.
    void set_assignment(const Assignment& to, Vector<const double> weights);
    // A lower bound of the change by the best swap with a candidate; `losses` as in Medoids.
    double least_change(Index candidate, const std::vector<double>& losses) const;

private:
    const linkage::CoarseColumns& coarse_;
    Index n_, dims_, stride_;
    std::vector<std::int32_t> order_; // the object at each place
    std::vector<float> columns_;      // of coarse_, in this order
    std::vector<float> first_, second_, weights_;
    std::vector<std::int32_t> nearest_;
    std::vector<std::int32_t> shared_; // nearest medoid of all objects of a group, or -1
    double unit_ = 1;                  // of a change here, in the objective's: scale / weight
    double least_slack_ = 0;           // infinite where float32 overflows
    double slack_ = 0;                 // error of a change, but for the candidate's own slip
    double slack_per_slip_ = 0;
};

} // namespace gramian::medoids
