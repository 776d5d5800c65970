// k-medoids: chooses k of n rows that minimize the weighted sum of the dissimilarities of all rows
// to their nearest chosen row.
//
// FasterPAM (Schubert and Rousseeuw, Information Systems 101, 2021): each row stores its nearest
// and second nearest medoid, so that one pass over the candidate's dissimilarities gives the change
// of the objective by each of the k swaps. A candidate whose best swap lowers the objective is
// swapped at once, and the search goes on with the next candidate. Several candidates are evaluated
// in parallel, but the first that improves is swapped and those after it are evaluated again. The
// swaps are therefore those of the sequential algorithm, for any number of threads.
#pragma once

#include "core/linkage/linkage.hpp"

#include <memory>
#include <vector>

namespace gramian::medoids {

// Symmetric dissimilarities: a precomputed matrix, or Euclidean distances of rows that are computed
// on demand.
class Objects {
public:
    explicit Objects(Matrix<const double> D) : n_(D.rows), D_(D) {}
    template <typename T>
    explicit Objects(Matrix<const T> X, bool) : n_(X.rows), d_(X.cols), D_{nullptr, 0, 0} {
        columns_ = linkage::columns_of(X);
        coarse_ = linkage::coarse_columns_of(X);
    }

    Index size() const { return n_; }
    bool measured() const { return D_.data == nullptr; }
    Index room() const { return linkage::padded_size(n_); }
    // The dissimilarities of object j from all; `buffer` has room() values.
    const double* row(Index j, double* buffer) const;
    double dissimilarity(Index i, Index j) const;

    // Only for measured objects:
    Index dims() const { return d_; }
    const linkage::CoarseColumns& coarse() const { return coarse_; }

private:
    Index n_, d_ = 0;
    Matrix<const double> D_;
    linkage::Columns columns_{{}, 0};
    linkage::CoarseColumns coarse_{};
};

// For each object the nearest and the second nearest medoid, as positions in the list of medoids,
// and their distances. With one medoid the second distance is infinite.
struct Assignment {
    Vector<std::int32_t> nearest, second;
    Vector<double> first_distance, second_distance;
};

struct Sweep {
    Index swaps;
    Index next;  // the candidate after the last
    Index quiet; // candidates since the last swap
    double objective;
};

class SwapFilter;

class Medoids {
public:
    // Weights may be empty.
    Medoids(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids,
            Assignment assignment);
    ~Medoids();

    double objective() const;
    // Evaluates `count` candidates from `from` on, cyclically. Stops when `quiet`, the number of
    // candidates since the last swap, reaches n.
    Sweep sweep(Index from, Index count, Index quiet);

private:
    struct Trial {
        double change;
        std::int32_t place; // of the medoid to remove
    };
    double least_improvement(double objective) const;
    bool is_ruled_out(Index candidate, double threshold) const;
    Trial trial(Index candidate) const;
    void swap(std::int32_t place, Index candidate);
    void load_medoid_row(std::int32_t place);
    void search(Index o);
    void update_losses();
    double weight(Index o) const { return weights_.size ? weights_[o] : 1.0; }
    const double* medoid_row(std::int32_t place) const { return rows_[place]; }

    const Objects& objects_;
    Vector<const double> weights_;
    Vector<std::int32_t> medoids_;
    Assignment assignment_;
    std::vector<std::vector<double>> own_rows_; // of the medoids, where they are measured
    std::vector<const double*> rows_;
    std::vector<double> losses_;         // increase of the objective without each medoid
    std::unique_ptr<SwapFilter> filter_; // of measured objects
    std::vector<char> is_medoid_;
};

// The greedy initialization of PAM: the object of least weighted sum, then repeatedly the one that
// lowers the objective most.
void build(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids);

// The same, but step s chooses among the objects in row s of `samples` and evaluates the objective
// on these only.
void build_from_samples(const Objects& objects, Vector<const double> weights,
                        Matrix<const std::int32_t> samples, Vector<std::int32_t> medoids);

struct TrialCall {
    const double* weights; // may be null
    const std::int32_t* nearest;
    const double* first;
    const double* second;
    Index n;
    double* changes; // k, added to
};

// Objects in groups of kGroup, the last one filled up with zeros.
constexpr Index kGroup = linkage::kPadding;
struct CoarseTrialCall {
    const float* columns;
    Index stride, d; // stride: whole groups
    const float* query;
    const float* first;
    const float* second;
    const float* weights; // may be null
    const std::int32_t* nearest;
    const std::int32_t* shared; // nearest medoid of all objects of a group, or -1
    double* changes;
};

struct MedoidKernels {
    // Adds to changes[m] the change of the objective when the candidate replaces medoid m, apart
    // from the loss of m. Returns the gain that does not depend on m.
    double (*trial)(const TrialCall& call, const double* row);
    // The same by distances in float32.
    double (*coarse_trial)(const CoarseTrialCall& call);
    // sum_o w_o max(0, first[o] - row[o]).
    double (*gain)(const double* row, const double* weights, const double* first, Index n);
    double (*sum)(const double* row, const double* weights, Index n);
};
const MedoidKernels& medoid_kernels();

} // namespace gramian::medoids
