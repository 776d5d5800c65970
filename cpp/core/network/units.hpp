// What the units of a layer compute, of many rows at once: activations and their derivatives, batch
// normalisation, and the loss of the outputs.
#pragma once

#include "core/network/shape.hpp"

namespace gramian::network {

// Rows of numbers, `cols` of them used, a multiple of the lanes of a register.
template <typename T>
struct Rows {
    T* data;
    Index rows, cols, stride;

    T* row(Index i) const { return data + i * stride; }
    Rows from(Index begin, Index end) const { return {row(begin), end - begin, cols, stride}; }
};

// Batch normalisation of some columns (Ioffe and Szegedy 2015), with weighted rows: a row of weight
// k counts as k rows.
template <typename T>
struct Normal {
    const T* share; // of each row in the weight of the batch
    T count;        // that weight
    const T *gamma, *beta;
    T *mean, *inverse_deviation;        // of the batch, out
    T *running_mean, *running_variance; // null: not kept
    T keep;                             // the share of the running values that stays
    T epsilon;                          // added to the variance
};

template <typename T>
struct UnitKernels {
    // z <- f(z)
    void (*activate)(Activation f, Rows<T> z);
    // d <- d * f'(z), a = f(z)
    void (*times_derivative)(Activation f, Rows<const T> a, Rows<T> d);
    // out(i, j) = d(i) w(j) f'(z(i, j)), a = f(z)
    void (*spread)(Activation f, const T* d, Index d_row, const T* w, Rows<const T> a, Rows<T> out);
    // d <- d * mask, or h <- a * mask
    void (*times)(Rows<const T> a, Rows<const T> mask, Rows<T> out);
    // z <- its standardised values, and y = gamma z + beta
    void (*normalise)(const Normal<T>& normal, Rows<T> z, Rows<T> y);
    // d, the derivative by y, becomes the one by the z before; out: those by gamma and beta
    void (*normalise_back)(const Normal<T>& normal, Rows<const T> z, Rows<T> d, T* by_gamma,
                           T* by_beta);
    // d <- scale_i * the derivative of the loss of row i by z; losses of the rows
    void (*loss_step)(Output output, Rows<T> z, Rows<const T> targets, Index outputs,
                      const T* scale, Rows<T> d, double* losses);
    // z <- the outputs
    void (*finish)(Output output, Rows<T> z, Index outputs);
    // sums[j] (+)= sum_i d(i, j)
    void (*add_up)(Rows<const T> d, bool add, T* sums);
};

struct AllUnitKernels {
    UnitKernels<float> single;
    UnitKernels<double> dbl;
};

template <typename T>
const UnitKernels<T>& units();

} // namespace gramian::network
