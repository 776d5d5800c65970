// The best tree of one split, for weights that change in every round (AdaBoost).
//
// Rows are sorted by class once, and every column is cut into bins once. A round adds the weights,
// as integers, to a histogram per class in one pass over the codes, which gives all cuts between
// bins. If a bin holds several values, a bound shows whether a cut inside it could be better: the
// criterion is a convex function of the class weights on the left, so inside a bin it is at most
// its largest value at the corners of the box that the bin's weights span. Only the unresolved bins
// are searched value by value, and the stump is exactly the best.
#pragma once

#include "core/boost/bins.hpp"

#include <vector>

namespace gramian::boost {

enum class StumpCriterion {
    gini, // maximise sum_c L_c^2 / L + sum_c R_c^2 / R
    error // maximise max_c L_c + max_c R_c
};

struct Stump {
    Index feature = -1; // -1: all columns are constant
    double threshold = 0;
    std::vector<double> left, right; // weight of each class on each side
};

template <typename T>
class StumpSearch {
public:
    // X: rows of class 0, then of class 1, ..., class c in [starts[c], starts[c + 1]); codes and
    // cuts as of bins.hpp. X, codes and starts must outlive the search.
    StumpSearch(Matrix<const T> X, Vector<const Index> starts, const std::uint8_t* codes,
                Matrix<const double> cuts, const std::int32_t* n_cuts);

    // The best stump for weights that sum to 1; on_left[i] tells on which side row i is. Among
    // equals the first column and the lowest threshold. Sums are of weights rounded to 2^-52.
    Stump best(const double* weights, StumpCriterion criterion, std::uint8_t* on_left);
    // wrong[i] = whether row i is not of the class of its side.
    void wrong(const std::uint8_t* on_left, Index left, Index right, std::uint8_t* out) const;

    Index rows() const { return X_.rows; }
    Index classes() const { return static_cast<Index>(starts_.size()) - 1; }

private:
    struct Found {
        double score = -1;
        Index feature = -1;
        Index bin = -1; // the bin that contains the threshold, or the one just below it
        double threshold = 0;
        std::vector<double> left;

        bool before(const Found& other) const {
            if (score != other.score) return score > other.score;
            if (feature != other.feature) return feature < other.feature;
            return threshold < other.threshold;
        }
    };
    struct UnresolvedBin { // a bin that may contain a better cut
        double bound;
        Index feature;
        int bin;
        double first = 0, second = 0; // for two classes, their weights before the bin
    };

    void sort_columns(const std::uint8_t* codes);
    void search_group(Index group, StumpCriterion criterion, const std::vector<double>& total,
                      Found& best, std::vector<UnresolvedBin>& unresolved);
    // Whether rows are on both sides of the cut above a bin.
    bool is_cut(Index column, Index bin) const {
        const Index before = bin_start_[column][bin + 1];
        return before > 0 && before < X_.rows;
    }
    // The best cut inside unresolved bins, which are sorted by falling bounds.
    void refine(const std::vector<UnresolvedBin>& unresolved, StumpCriterion criterion,
                const std::vector<double>& total, Found& best) const;
    void search_column(Index column, StumpCriterion criterion, const std::vector<double>& total,
                       Found& best, std::vector<UnresolvedBin>& unresolved) const;
    void search_two_classes(Index column, const std::vector<double>& total, Found& best,
                            std::vector<UnresolvedBin>& unresolved) const;
    void search_bin_of_two(const UnresolvedBin& bin, const std::vector<double>& total,
                           Found& best) const;
    void search_bin(const UnresolvedBin& bin, StumpCriterion criterion,
                    const std::vector<double>& total, Found& best) const;

    Matrix<const T> X_;
    std::vector<Index> starts_;
    const std::uint8_t* codes_;
    Matrix<const double> cuts_;
    const std::int32_t* n_cuts_;
    std::vector<std::int32_t> class_of_;
    std::vector<std::vector<std::uint32_t>> order_; // rows by value; empty where bins are exact
    std::vector<std::vector<std::uint8_t>> rises_;  // whether the next value in order is larger
    std::vector<std::vector<Index>> bin_start_;     // of each column, in order_
    std::vector<std::uint64_t> units_;              // weights as integers
    std::vector<double> hist_;                      // [column][slot][class]
};

} // namespace gramian::boost
