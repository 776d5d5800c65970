// Products of matrices by register tiles: the three that a layer needs.
//
// Every number of the result is one chain of multiply-adds over k = 0, 1, ..., whatever tile it
// falls into, so a row's result depends neither on neighbouring rows nor on the threads.
//
// The columns of B and C come in panels of 2 registers; the last panel may have one. In a packed
// matrix a panel's rows lie one after the other.
#pragma once

#include "core/runtime/views.hpp"

namespace gramian::network {

// C(i, j) = start(j) + sum_k A(i, k) B(k, j), or C(i, j) += that sum without the start.
template <typename T>
struct Product {
    const T* a; // A(i, k) = a[i * a_row + k * a_inner]
    Index a_row, a_inner;
    const T* b; // null b_row: packed; else B(k, j) = b[k * b_row + j]
    Index b_row;
    T* c; // null c_row: packed, with c_rows rows a panel; else C(i, j) = c[i * c_row + j]
    Index c_row, c_rows;
    Index rows, inner, cols; // inner >= 1; cols: a multiple of the lanes of a register
    const T* start;          // null: zeros
    bool add;
};

template <typename T>
struct ProductKernels {
    Index lanes; // numbers in a register
    void (*multiply)(const Product<T>& product);
    // z = bias + x W for one row, W (in, out) row by row: the same bits
    void (*multiply_row)(const T* x, const T* weights, const T* bias, Index in, Index out, T* z);
    // Two of the three of a layer with one output (units.hpp has the other), whose weights w are
    // one row. A and w have `cols` columns, a multiple of the lanes; beyond the inputs w is 0.
    //     c(i) = bias + sum_k A(i, k) w(k), with zeros after it to the end of the register
    void (*multiply_column)(const T* a, Index a_row, const T* w, T bias, Index rows, Index cols,
                            T* c, Index c_row);
    //     sums(k) (+)= sum_i d(i) A(i, k)
    void (*sum_rows)(const T* a, Index a_row, const T* d, Index d_row, Index rows, Index cols,
                     bool add, T* sums);
};

struct AllProductKernels {
    ProductKernels<float> single;
    ProductKernels<double> dbl;
};

template <typename T>
const ProductKernels<T>& products();

} // namespace gramian::network
