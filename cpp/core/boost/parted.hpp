// A tree over rows that lie in several places: each place sorts its own rows by leaf and counts
// histograms; whoever grows the tree adds them up and looks for splits. Histograms are sums of
// integers and the sums of a leaf do not depend on the order of its rows, so that the tree is that
// of one place, to the bit.
#pragma once

#include "core/boost/grower.hpp"

#include <functional>
#include <map>
#include <vector>

namespace gramian::boost {

// A leaf that is divided, by its key: the children's keys are `children` and the next one.
struct Division {
    std::int64_t leaf;
    std::int64_t children;
    std::int64_t counted; // whose histogram is wanted: 0 the first, 1 the second, -1 none
    std::int64_t feature;
    SlotSet left; // the codes that go to the first child
};

// The rows of one place.
class PlacedRows {
public:
    PlacedRows(const std::uint8_t* codes, Index rows, const GrowColumns& columns);

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
    std::vector<Range> leaves_; // by key; empty for one that was divided
    std::vector<double> chunk_hists_;
};

// Grows trees over rows that are elsewhere.
class PartedGrower : private Growth {
public:
    // Carries out divisions everywhere and writes the histograms that are wanted, one after the
    // other; without divisions the histogram of all rows.
    using Divide = std::function<void(const std::vector<Division>&, double* hists, Index n_hists)>;
    // The sums of all keys.
    using Sums = std::function<std::vector<LeafSums>(Index n_keys)>;

    // `ahead`: which share of the splits that are left is prepared by one message.
    PartedGrower(Index rows, GrowColumns columns, Options options, double ahead);

    void grow(const CellLayout& layout, bool careful, std::uint64_t seed, std::uint64_t tree,
              const Divide& divide, const Sums& sums);

    using Growth::nodes;
    Index rows() const { return rows_; }
    Index hist_size() const { return search_.shape().size; }
    // The leaf of the tree to which the rows of each key belong.
    const std::vector<std::int32_t>& node_of_key() const { return node_of_key_; }

private:
    // A leaf that is divided where the rows are, before or when the tree splits it.
    struct Divided {
        Leaf left, right;
        std::vector<double> hist; // of the smaller child, where best splits are still to be found
    };

    // A leaf to divide, and whether its children may be split in turn.
    struct Next {
        Leaf* leaf;
        bool more;
    };

    void count_all(const Leaf& leaf) override;
    void count_group(const Leaf&, Index) override {}
    void divide(Leaf& parent, std::int32_t child, Leaf& left, Leaf& right) override;
    std::vector<Next> next_leaves(Leaf& parent);
    void request(const std::vector<Next>& leaves);

    double ahead_;
    const Divide* divide_ = nullptr;
    const double* received_ = nullptr;        // the histogram of the leaf that is counted next
    std::map<std::int32_t, Divided> divided_; // by key
    std::vector<std::int32_t> parent_of_key_; // -1 of the root
    std::vector<std::int32_t> node_of_key_;
};

} // namespace gramian::boost
