// Logistic regression with an l1 and a squared penalty, by working sets and proximal Newton:
//
//     F(b, c) = sum_i s_i [log(1 + exp(z_i)) - y_i z_i] + l1 |b|_1 + l2 |b|^2 / 2,   z = X b + c,
//
// y_i in [0, 1], the intercept c not penalised. A step solves a lasso with the weighted Gram
// matrix X' diag(h) X of the columns that matter, h_i = s_i p_i (1 - p_i), and goes along it as
// far as F falls (Lee, Sun and Saunders 2014). With t_i = s_i (y_i - p_i) of sum 0 and the rates
// q_i = y_i - a t_i / s_i, any a in [0, 1] with a |x_j . t| <= l1 certifies
//
//     min F >= -sum_i s_i [q_i log q_i + (1 - q_i) log(1 - q_i)]
//
// and with l2 > 0 no a is needed: -sum_j max(|x_j . t| - l1, 0)^2 / (2 l2) is added instead.
#pragma once

#include "core/lasso/path.hpp"

namespace gramian::lasso {

class LogisticPath {
public:
    // The columns must be neither centred nor weighted.
    LogisticPath(Columns& columns, Vector<const double> y, Vector<const double> weights,
                 bool intercept);

    // x_j . t where all coefficients are 0 and the intercept is the best.
    const std::vector<double>& start() const { return start_; }
    // F there.
    double null_value() const { return null_value_; }
    // Solves from where the last one ended; writes coefficients and the intercept.
    Result solve(double l1, double l2, double tol, Index max_steps, Vector<double> coef,
                 double* intercept);

private:
    struct Rates { // at the current point
        double value = 0;
        std::vector<double> negative_gradient, curvature; // t and h
    };
    double loss(const std::vector<double>& z, Rates* rates);
    void fit_intercept();
    void solve_working_set(double l1, double l2, double tol, Index max_steps, Index& steps);
    double dual(double l1, double l2, const std::vector<Index>& candidates) const;

    Columns& columns_;
    Index n_, p_;
    std::vector<double> y_, s_, start_;
    bool intercept_;
    double null_value_ = 0;

    double c_ = 0;
    std::vector<double> z_, correlation_;
    Rates rates_;
    std::vector<Index> working_, place_;
    std::vector<double> b_;
};

} // namespace gramian::lasso
