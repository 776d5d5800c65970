// The trees of one iteration of boosting several scores, grown side by side.
//
// The slopes of all scores are known before the iteration, so that the tree of one does not depend
// on those of the others. Where there are few rows, a tree per thread waits less than threads that
// share every pass over the rows of one tree.
#pragma once

#include "core/boost/grower.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace gramian::boost {

class IterationGrower {
public:
    // A tree per score; codes and columns as for TreeGrower.
    IterationGrower(const std::uint8_t* codes, Index rows, GrowColumns columns, Options options,
                    Index scores);

    // Grows tree first_tree + k from row k of gradient and hessian, both (scores, rows), and adds
    // rate times its values to row k of score.
    void grow(const float* gradient, const float* hessian, bool careful, std::uint64_t seed,
              std::uint64_t first_tree, double rate, double* score);

    Index rows() const { return rows_; }
    Index scores() const { return static_cast<Index>(nodes_.size()); }
    const std::vector<GrownNode>& nodes(Index score) const { return nodes_[score]; }

private:
    std::unique_ptr<TreeGrower> take();
    void give_back(std::unique_ptr<TreeGrower> grower);

    const std::uint8_t* codes_;
    Index rows_;
    GrowColumns columns_;
    Options options_;
    std::vector<std::vector<GrownNode>> nodes_;
    std::mutex mutex_;                              // of idle_
    std::vector<std::unique_ptr<TreeGrower>> idle_; // as many as ever were at work at once
};

} // namespace gramian::boost
