// k-medoids: k of n rows such that the weighted dissimilarities of all rows to the nearest of them
// are least in sum.
//
// FasterPAM (Schubert and Rousseeuw, Information Systems 101, 2021): each row knows its nearest and
// second nearest medoid, so that the change of the objective by each of the k swaps with a
// candidate follows from one look at the candidate's dissimilarities. A candidate whose best swap
// lowers the objective is swapped at once, and the candidates after it follow. Several candidates
// are looked at side by side, but the first that improves is taken, and those after it are looked
// at again: the swaps are those of one candidate after the other, for any number of threads.
#pragma once

#include "core/linkage/linkage.hpp"

#include <memory>
#include <vector>

namespace gramian::medoids {

// Symmetric dissimilarities: given as a matrix, or Euclidean distances of rows, measured when they
// are asked for.
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
    Index room() const { return linkage::whole_steps(n_); }
    // The dissimilarities of object j from all; `buffer` has room() values.
    const double* row(Index j, double* buffer) const;
    double between(Index i, Index j) const;

    // Of measured ones:
    Index dims() const { return d_; }
    const linkage::CoarseColumns& coarse() const { return coarse_; }

private:
    Index n_, d_ = 0;
    Matrix<const double> D_;
    linkage::Columns columns_{{}, 0};
    linkage::CoarseColumns coarse_{};
};

// Of each object the nearest and the second nearest medoid, by their place among the medoids, and
// how far they are; with one medoid the second is infinitely far.
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

class Screen;

class Medoids {
public:
    // Weights may be empty.
    Medoids(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids,
            Assignment assignment);
    ~Medoids();

    double objective() const;
    // Looks at `count` candidates from `from` on, around the end; stops where `quiet`, the number
    // of candidates since the last swap, reaches n.
    Sweep sweep(Index from, Index count, Index quiet);

private:
    struct Trial {
        double change;
        std::int32_t place; // of the medoid that goes
    };
    double least_improvement(double objective) const;
    bool is_ruled_out(Index candidate, double threshold) const;
    Trial trial(Index candidate) const;
    void swap(std::int32_t place, Index candidate);
    void load_medoid_row(std::int32_t place);
    void search(Index o);
    void update_losses();
    double weight(Index o) const { return weights_.size ? weights_[o] : 1.0; }
    const double* table(std::int32_t place) const { return rows_[place]; }

    const Objects& objects_;
    Vector<const double> weights_;
    Vector<std::int32_t> medoids_;
    Assignment to_;
    std::vector<std::vector<double>> own_rows_; // of the medoids, where they are measured
    std::vector<const double*> rows_;
    std::vector<double> losses_;     // by how much the objective rises without each medoid
    std::unique_ptr<Screen> screen_; // of measured objects
    std::vector<char> is_medoid_;
};

// The greedy start of PAM: the object of least weighted sum, then again and again the one that
// lowers the objective most.
void build(const Objects& objects, Vector<const double> weights, Vector<std::int32_t> medoids);

// The same among the objects of row s of `samples` for step s, judged by these alone.
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
constexpr Index kGroup = linkage::kWholeStep;
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
    // Adds to changes[m] what replacing medoid m by the candidate changes beyond its loss; returns
    // what the candidate gains whichever medoid goes.
    double (*trial)(const TrialCall& call, const double* row);
    // The same by distances in float32.
    double (*coarse_trial)(const CoarseTrialCall& call);
    // sum_o w_o max(0, first[o] - row[o]).
    double (*gain)(const double* row, const double* weights, const double* first, Index n);
    double (*sum)(const double* row, const double* weights, Index n);
};
const MedoidKernels& medoid_kernels();

} // namespace gramian::medoids
