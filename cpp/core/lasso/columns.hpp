// The columns of a regression problem, read one by one: dense columns in memory order, or CSC.
//
// Column j stands for z_j = root o (x_j - mean_j), root the square roots of the rows' weights
// and mean_j the weighted mean (0 without centring); no centred copy of the table is made. The
// columns that entered the working set are its members, numbered in the order of entering.
#pragma once

#include "core/runtime/views.hpp"

#include <memory>
#include <vector>

namespace gramian::lasso {

class Columns {
public:
    virtual ~Columns() = default;

    Index rows() const { return static_cast<Index>(root_.size()); }
    Index count() const { return static_cast<Index>(mean_.size()); }
    const std::vector<double>& root() const { return root_; }
    const std::vector<double>& mean() const { return mean_; }
    // |z_j|^2; 0 for a column that is constant to rounding, which then never enters.
    const std::vector<double>& squares() const { return squares_; }

    // out[j] = z_j . r for the columns named.
    virtual void correlate(const std::vector<Index>& which, const double* r, double* out) = 0;
    // Takes columns into the working set and writes their products with all members, the new ones
    // included: gram[k * stride + l] and its mirror image, for each new member k. A null gram asks
    // for no products.
    virtual void enter(const std::vector<Index>& entering, double* gram, Index stride) = 0;
    // r -= sum_k b[k] z_member(k)
    virtual void subtract(const double* b, double* r) const = 0;
    // gram[s * stride + t] = sum_i h_i z_i,which[s] z_i,which[t] over members, both halves, and
    // sums[s] = sum_i h_i z_i,which[s].
    virtual void weighted_gram(const std::vector<Index>& which, const double* h, double* gram,
                               Index stride, double* sums) = 0;
    // Frees the memory that only products of members need; no more products until `clear`.
    virtual void end_products() {}
    // Forgets the working set.
    virtual void clear() = 0;
    // Values that reading a member takes, about.
    virtual Index values_per_column() const = 0;

    // Coordinate descent that keeps the residual, in a form of its own: `state`, which is affine
    // in the coefficients. One cycle of exact minimisations along the members named.
    virtual void set_residual(const double* r) = 0;
    virtual void residual(double* r) const = 0;
    virtual void sweep(const std::vector<Index>& members, double l1, double l2, bool positive,
                       double* b) = 0;
    std::vector<double>& state() { return state_; }

protected:
    std::vector<double> root_, mean_, squares_, state_;
};

// `weights` are the weights of the rows in the objective, for example 1/n each; each row of X is
// a column of the table.
template <typename T>
std::unique_ptr<Columns> dense_columns(Matrix<const T> X, Vector<const double> weights,
                                       bool centre);
// The CSC arrays of a table are the CSR arrays of its transpose.
template <typename T, typename I>
std::unique_ptr<Columns> sparse_columns(Csr<const T, I> X, Vector<const double> weights,
                                        bool centre);

} // namespace gramian::lasso
