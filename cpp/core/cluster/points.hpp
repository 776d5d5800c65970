// The interface between k-means and its data, the same for dense and sparse rows.
//
// Distances are in the frame of the points (see distance/frame.hpp): distances of the data are
// comparable after multiplying by scale(). Every result is exact: the nearest centre is the one
// that float64 sums of squared differences give.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>
#include <memory>

namespace gramian::cluster {

// Squared distances of all rows to a few candidates among them, in the frame, as float32.
class CandidateDistances {
public:
    virtual ~CandidateDistances() = default;
    virtual void set_candidates(const Index* rows, int n) = 0;
    // out[c * stride + i - begin] = min(closest[i - begin], |x_i - candidate_c|^2) for the rows
    // begin .. end - 1; begin and stride are multiples of kRowsTogether, and the arrays are padded
    // to a multiple of it.
    static constexpr Index kRowsTogether = 16;
    virtual void nearer(Index begin, Index end, const float* closest, float* out,
                        Index stride) const = 0;
};

class Points {
public:
    virtual ~Points() = default;

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    // A distance of the data times this is a distance of the frame.
    virtual double scale() const = 0;
    // Where the frame's origin lies; null is zero.
    virtual const double* origin() const = 0;

    // Sets the centres of the functions below; they are copied.
    virtual void set_centers(Matrix<const double> centers) = 0;

    // For each of the n listed rows: the nearest centre, an upper bound on its distance and a
    // lower bound on the distance of every other centre. Among equally near centres the
    // row's own, labels[row], wins if it is one of them, else the lowest; null or negative labels
    // own none.
    virtual void nearest(const Index* rows, Index n, const std::int32_t* labels,
                         std::int32_t* index, float* upper, float* lower) const = 0;

    // out[r] = |x_i - c|^2 for the n listed rows i = rows[r] and their centres c = labels[i], in
    // the units of the data.
    virtual void squared_to_assigned(const Index* rows, Index n, const std::int32_t* labels,
                                     double* out) const = 0;
    // out[j] = |x - c_j|^2 for all centres.
    virtual void squared_to_all(Index row, double* out) const = 0;

    // Moves the rows begin .. end - 1 whose label changed, times their weights (null: ones), from
    // the sum of `before` (unless negative) to that of `after`, and sets `before` to `after`. sums
    // is k x d; totals are the weights of the clusters, members their rows of positive weight.
    virtual void move(Index begin, Index end, const double* weights, std::int32_t* before,
                      const std::int32_t* after, double* sums, double* totals,
                      double* members) const = 0;

    // Holds up to one float32 copy of the rows.
    virtual std::unique_ptr<CandidateDistances> candidate_distances() const = 0;

    // sum_i w_i |x_i - origin|^2, and the mean over columns of the (unweighted) variance.
    struct Scatter {
        double total;
        double mean_variance;
    };
    virtual Scatter scatter(const double* weights) const = 0;

    Points(const Points&) = delete;
    Points& operator=(const Points&) = delete;

protected:
    Points(Index rows, Index cols) : rows_(rows), cols_(cols) {}

private:
    Index rows_, cols_;
};

template <typename T>
std::unique_ptr<Points> dense_points(Matrix<const T> X);
template <typename T, typename I>
std::unique_ptr<Points> csr_points(Csr<const T, I> X);

} // namespace gramian::cluster
