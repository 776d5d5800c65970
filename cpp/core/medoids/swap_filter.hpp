// Rules out, in float32, the candidates of k-medoids that cannot improve the objective.
//
// The change by a swap is a sum over the objects of 1-Lipschitz functions of the candidate's
// distances. With float32 distances its error is at most the sum of their errors, which is far
// below the changes of most candidates. Only the others need float64 distances.
//
// Objects of one cluster are stored next to each other: most groups of them are far from a
// candidate as a whole, and those near it add to one sum.
#pragma once

#include "core/medoids/medoids.hpp"

namespace gramian::medoids {

class SwapFilter {
public:
    explicit SwapFilter(const linkage::CoarseColumns& coarse, Index n, Index dims);

    // Orders the objects by their nearest medoid; `set_assignment` follows.
    void group_by_medoid(Vector<std::int32_t> nearest, Index n_medoids);
    // Sets the nearest two medoids of all objects.
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
    double slack_ = 0;                 // error of a change, but for the candidate's own row_error
    double slack_per_error_ = 0;
};

} // namespace gramian::medoids
