// Grows a tree over rows that are distributed over workers. Each worker sorts its own rows by leaf
// and computes histograms; the coordinator adds them up and searches for splits. Histograms are
// sums of integers and the sums of a leaf do not depend on the order of its rows, so the tree is
// bit for bit that of a single machine.
#pragma once

#include "core/boost/grower.hpp"

#include <functional>
#include <map>
#include <vector>

namespace gramian::boost {

// The split of a leaf. Leaves have keys; those of the children are `children` and `children` + 1.
struct Division {
    std::int64_t leaf;
    std::int64_t children;
    std::int64_t counted; // the child whose histogram is requested: 0, 1, or -1 for none
    std::int64_t feature;
    SlotSet left; // the codes that go to the first child
};

// The rows of one worker.
class WorkerRows {
public:
    WorkerRows(const std::uint8_t* codes, Index rows, const GrowColumns& columns);

    Index rows() const { return rows_.rows(); }
    Index hist_size() const { return shape_.size; }
    Index n_keys() const { return static_cast<Index>(leaves_.size()); }
    // Starts a tree: all rows have the key 0.
    void begin(const float* gradient, const float* hessian, const CellLayout& layout);
    void histogram(Index key, double* hist);
    void divide(const Division& division);
    std::vector<LeafSums> sums(const float* gradient, const float* hessian,
                               const SumDigits& digits) const;
    // score[i] += values[key of i].
    void add(const double* values, double* score) const;

private:
    HistShape shape_;
    LeafRows rows_;
    std::vector<Range> leaves_; // by key; empty for leaves that were split
    std::vector<double> chunk_hists_;
};

// The coordinator: grows trees over the rows of all workers.
class DistributedGrower : private Growth {
public:
    // Carries out splits on all workers and writes the requested histograms, one after the other;
    // without splits, the histogram of all rows.
    using Divide = std::function<void(const std::vector<Division>&, double* hists, Index n_hists)>;
    // The sums of all keys.
    using Sums = std::function<std::vector<LeafSums>(Index n_keys)>;

    // `lookahead`: the fraction of the remaining splits that one message requests.
    DistributedGrower(Index rows, GrowColumns columns, Options options, double lookahead);

    void grow(const CellLayout& layout, bool damped, std::uint64_t seed, std::uint64_t tree,
              const Divide& divide, const Sums& sums);

    using Growth::nodes;
    Index rows() const { return rows_; }
    Index hist_size() const { return search_.shape().size; }
    // The leaf of the tree to which the rows of each key belong.
    const std::vector<std::int32_t>& node_of_key() const { return node_of_key_; }

private:
    // A leaf that the workers have split already; the tree may split it later or never.
    struct Divided {
        Leaf left, right;
        std::vector<double> hist; // of the smaller child, until the best splits are found
    };

    // A leaf to split, and whether its children may be split in turn.
    struct Next {
        Leaf* leaf;
        bool more;
    };

    void count_all(const Leaf& leaf) override;
    void count_group(const Leaf&, Index) override {}
    void divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) override;
    std::vector<Next> next_leaves(Leaf& parent);
    void request(const std::vector<Next>& leaves);

    double lookahead_;
    const Divide* divide_ = nullptr;
    const double* received_ = nullptr;        // the histogram of the next leaf
    std::map<std::int32_t, Divided> divided_; // by key
    std::vector<std::int32_t> parent_of_key_; // -1 of the root
    std::vector<std::int32_t> node_of_key_;
};

} // namespace gramian::boost
