// The steps of k-means (Bishop 2006, section 9.1; Lloyd 1982): exact assignment, and one iteration
// of Lloyd's algorithm that skips what the triangle inequality rules out (Hamerly 2010).
#pragma once

#include "core/cluster/points.hpp"
#include "core/distance/tile.hpp"

#include <vector>

namespace gramian::cluster {

// labels[i] = argmin_j |x_i - c_j|^2, the lowest j among equals. With `squares` not null also
// squares[i] = that minimum, with `gaps` gaps[i] = a lower bound on how much farther every other
// centre is, |x_i - c_j| - |x_i - c_labels[i]|. Returns sum_i w_i min_j |x_i - c_j|^2 (weights
// null: ones).
double kmeans_assign(Points& points, Matrix<const double> centers, const double* weights,
                     std::int32_t* labels, double* squares, float* gaps);

// out(i, j) = |x_i - c_j|.
template <typename T>
void kmeans_transform(Points& points, Matrix<const double> centers, Matrix<T> out);

// sums(j) += sum of w_i x_i over the rows with labels[i] = j, totals[j] += the sum of their w_i.
void kmeans_sums(const Points& points, const double* weights, const std::int32_t* labels,
                 Matrix<double> sums, double* totals);

// Greedy k-means++ (Arthur & Vassilvitskii 2007, section 5): the first centre is a row drawn by
// weight; for each further one, `trials` rows are drawn with probability proportional to
// w_i min_j |x_i - c_j|^2, and the one that leaves the smallest potential
// sum_i w_i min_j |x_i - c_j|^2 is chosen. Writes the rows chosen; the draws depend on the seed
// alone.
void kmeans_plusplus(const Points& points, const double* weights, int trials, std::uint64_t seed,
                     Vector<Index> chosen);

// Lloyd's algorithm, one iteration per call. The state between iterations: labels, and for each row
// an upper bound u on the distance to its own centre and a lower bound l on the distance to any
// other. When centre j moves by delta_j, u grows by at most delta_own and l falls by at most the
// largest delta of the others. While u <= l, or u <= half the distance from the own centre to the
// nearest other one, no other centre is strictly nearer and the row is skipped.
class Lloyd {
public:
    struct Iteration {
        Index moved;      // rows that changed their cluster
        Index computed;   // rows whose distances were computed
        Index empty;      // clusters without weight; their means are their old centres
        double shift;     // sum_j |mean_j - center_j|^2
        double objective; // sum_i w_i |x_i - mean of its cluster|^2
    };

    // Writes labels (n), sums (k x d) and totals (k) in every iteration; they must outlive this.
    Lloyd(Points& points, const double* weights, std::int32_t* labels, Matrix<double> sums,
          double* totals);

    // Assigns each row to its nearest centre and moves the centres to the means. A row moves only
    // to a strictly nearer centre.
    Iteration iterate(Matrix<const double> centers, Matrix<double> means);

    // Assigns each row to its nearest centre, the lowest among equals, and returns
    // sum_i w_i |x_i - its centre|^2. Skips the rows that the bounds of the iterations rule out.
    // No iteration may follow.
    double finish(Matrix<const double> centers);

    double mean_variance() const { return scatter_.mean_variance; }

private:
    struct Counts {
        Index moved = 0, computed = 0, tightened = 0, still_uncertain = 0;
    };

    void measure_centers(Matrix<const double> centers);
    Counts assign_block(Index begin, Index end, const std::int32_t* labels);
    Index tighten_upper_bounds(Index* rows, Index n);
    Index assign_rows(const Index* rows, Index n, const std::int32_t* labels);
    void sum_moved();
    Iteration means_of(Matrix<const double> centers, Matrix<double> means) const;

    Points& points_;
    const double* weights_;
    Vector<std::int32_t> labels_;
    Matrix<double> sums_;
    double* totals_;
    Points::Scatter scatter_;

    Index iterations_ = 0;
    bool tighten_ = true;
    std::vector<double> members_;
    std::vector<double> centers_; // of the iteration before
    std::vector<float> upper_, lower_;
    std::vector<std::int32_t> before_; // the labels that the sums are based on
    std::vector<distance::CenterMove> moves_;
};

} // namespace gramian::cluster
