// Passes over the rows of a table: the value and derivatives of a loss, reading X once.
//
// For margins z_i = x_i . w the passes give the value of sum_i s_i l(z_i, y_i), its gradient
// X' r with r_i = s_i l'(z_i, y_i), and the weighted Gram matrix X' diag(h) X with
// h_i = s_i l''(z_i, y_i), which is its Hessian. A block of rows that fits in the L2 cache is
// read from memory for the margins and again, from the cache, for the sums.
//
// The coefficients are float64 whatever the type of X, and so are all sums. Where there is one
// coefficient more than columns, the last one is the intercept: the coefficient of a column of
// ones that is never stored.
//
// A product with the Hessian is the gradient pass of the squared loss with y = 0, s = h; the
// Gram matrix of X is that loss's Newton pass.
#pragma once

#include "core/losses/loss.hpp"
#include "core/passes/views.hpp"

namespace gramian::passes {

using losses::Loss;

// Targets and weights of the rows; no weights (size 0) means one each.
struct Targets {
    Vector<const double> y;
    Vector<const double> weights;
};

// Targets of several classes: either the class of each row, or its probability of each class.
struct ClassTargets {
    Vector<const std::int32_t> codes;
    Matrix<const double> proportions;
    Vector<const double> weights;
};

// z_i = x_i . w.
template <typename View>
void margins(const View& X, Vector<const double> coef, Vector<double> z);

// Returns the value and writes the gradient; writes h to `curvature` unless that is empty. `loss`
// is one of the first losses::kPassLosses, here and below.
template <typename View>
double loss_gradient(Loss loss, const View& X, Targets targets, Vector<const double> coef,
                     Vector<double> gradient, Vector<double> curvature);

// Returns the value and writes the gradient and the weighted Gram matrix, both triangles.
// For convex losses: h must not be negative.
template <typename View>
double loss_newton(Loss loss, const View& X, Targets targets, Vector<const double> coef,
                   Vector<double> gradient, Matrix<double> gram);

// Cross-entropy of the softmax of K margins: sum_i s_i sum_k y_ik log(1 / p_ik) with
// p_ik = exp(z_ik) / sum_l exp(z_il), z_ik = x_i . w_k. Returns the value and writes its
// gradient; column k of `coef` and of `gradient` belongs to class k.
template <typename View>
double softmax_gradient(const View& X, ClassTargets targets, Matrix<const double> coef,
                        Matrix<double> gradient);

// The same in single precision, twice as fast and right to about six digits: for the steps far
// from a minimum. The sums of blocks of rows are added in float64.
template <typename T>
double softmax_gradient_single(const Matrix<const T>& X, ClassTargets targets,
                               Matrix<const double> coef, Matrix<double> gradient);

// The arithmetic of a block of rows, one set per instruction set. A row of a dense block has
// `cols` values; the `Csr` of a block starts at its first row.
struct PassKernels {
    // Value of a block; writes s l' over the margins and s l'' to h unless that is null.
    using LossBlock = double (*)(Index n, double* z, const double* y, const double* s, double* h);
    LossBlock losses[losses::kPassLosses];

    template <typename View>
    struct ForView {
        // z_i = x_i . w + intercept
        void (*margins)(const View& X, const double* w, double intercept, double* z);
        // g += X' r
        void (*add_rows)(const View& X, const double* r, double* g);
        // Z_i = x_i W + b for W of (cols, K), K a multiple of the lanes
        void (*many_margins)(const View& X, const double* W, const double* b, Index K, double* Z);
        // G += X' R, with R of (rows, K)
        void (*add_many)(const View& X, const double* R, Index K, double* G);
    };
    KernelsByView<ForView> views;

    // Value of a block of margins (rows, K), of which the first n_classes columns count; writes
    // s (p - y) over them. Either codes or proportions is null.
    double (*softmax)(Index rows, Index n_classes, Index K, double* Z, const std::int32_t* codes,
                      const double* proportions, const double* s);
    // exp and log1p of an array, for tests.
    void (*exp)(Index n, const double* x, double* out);
    void (*log1p)(Index n, const double* x, double* out);
    Index lanes;
};
const PassKernels& pass_kernels();

// Coefficients of the classes for a block: W is (cols, K), K a multiple of the lanes, of which the
// first n_classes columns count.
struct SoftmaxCoef {
    const float* W;
    const float* b;
    Index n_classes, K;
};

// The same for softmax in single precision.
struct SingleSoftmaxKernels {
    // Value of a block of rows; adds its gradient to G of (n_classes, cols + 1), the bias last.
    // `work` has room for rows * (K + n_classes + cols) floats, rows and cols rounded up to
    // multiples of the lanes. Either codes or proportions is null.
    template <typename T>
    using Block = double (*)(const Matrix<const T>& X, const SoftmaxCoef& coef,
                             const std::int32_t* codes, const double* proportions, const double* s,
                             float* work, double* G);
    Block<float> f32;
    Block<double> f64;
    Index lanes;
};

} // namespace gramian::passes
