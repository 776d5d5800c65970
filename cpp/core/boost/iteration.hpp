// Grows the trees of one boosting iteration with several scores in parallel.
//
// The gradients of all scores are known before the iteration, so its trees are independent. With
// few rows, one tree per thread is faster than threads that share the passes over the rows of one
// tree.
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
    void grow(const float* gradient, const float* hessian, bool damped, std::uint64_t seed,
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
    std::vector<std::unique_ptr<TreeGrower>> idle_; // as many as were in use at the same time
};

} // namespace gramian::boost
