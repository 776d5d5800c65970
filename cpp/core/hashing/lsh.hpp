// Locality-sensitive hashing: near rows fall into the same bucket more often than far ones.
//
// A table has K hash functions. Each maps a row to the index of a cell along a direction a_j:
//
//     h_j(x) = [v > 0]     with v = a_j.x - b_j                  (Charikar, STOC 2002)
//     h_j(x) = floor(v)    with v = (a_j.x - b_j) / width        (Datar et al., SCG 2004)
//
// The bucket of a row is given by the top bits of sum_j m_j h_j mod 2^64. Multipliers that are
// powers of two concatenate the bits h_j of hyperplanes; random odd multipliers hash integers.
// Either way, adding +m_j or -m_j leads to a neighbouring cell of function j.
//
// A query probes its own bucket of each table, then those of neighbouring cells over all tables, in
// the order of the sum of squared distances to the borders crossed (multi-probe: Lv et al., VLDB
// 2007).
//
// The rows found are scattered in memory, so they are first compared by a copy rounded to bytes,
// a quarter of the traffic of float32. With x~ the rounded row and e_x = |x - x~|,
//
//     |q - x| >= |q~ - x~| - e_q - e_x,
//
// and only rows whose bound does not exceed the k-th best distance are measured, in float64 and by
// differences. The rounding therefore does not change the result.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::hashing {

template <typename T>
struct Functions {
    Matrix<const T> directions; // d x (tables * per_table, padded to a multiple of 16), columns a_j
    Vector<const double> offsets;            // b_j
    double width;                            // of a cell; 0: hyperplanes, which have two
    Matrix<const std::uint64_t> multipliers; // tables x per_table
    int bits;                                // of a bucket's number

    Index tables() const { return multipliers.rows; }
    Index per_table() const { return multipliers.cols; }
};

constexpr Index kMostFunctions = 32; // of a table, so that two moves of each fit into 64 bits
constexpr Index kDirectionPadding = 16;

// Bucket b of a table holds the rows members[starts[b] .. starts[b + 1]), ascending.
template <typename I>
struct Buckets {
    Matrix<I> starts;  // tables x (2^bits + 1)
    Matrix<I> members; // tables x n
};

// Rows rounded to bytes: x_t ~ low_t + step * codes_t.
template <typename U, typename F>
struct Codes {
    Vector<const double> low;
    double step;
    Matrix<U> codes;
    Vector<F> errors; // e_x, rounded up
};

struct HashKernels {
    // out (n x m) = X (n x d) directions (d x m); m is a multiple of kDirectionPadding. A row's
    // result does not depend on the others.
    void (*project32)(const float* X, Index n, Index d, const float* directions, Index m,
                      float* out);
    void (*project64)(const double* X, Index n, Index d, const double* directions, Index m,
                      double* out);
    // out[c] <= |q~ - x~| - e_x for the n listed rows x, short of it by rounding only.
    void (*bound)(const std::uint8_t* codes, const float* errors, double step, Index d,
                  const std::uint8_t* q, const std::int32_t* rows, Index n, float* out);
};

// out(i, :) = row i of X times the directions.
template <typename T>
void project(Matrix<const T> X, Matrix<const T> directions, Matrix<T> out);

template <typename T>
void build(Matrix<const T> X, const Functions<T>& functions, Buckets<std::int32_t> buckets,
           Codes<std::uint8_t, float> codes);

// The k nearest rows of each query, nearest first.
template <typename T>
struct Neighbors {
    Matrix<T> distances;
    Matrix<Index> indices;
};

// distances(i, :), indices(i, :) = the k = distances.cols nearest of the rows in the first `probes`
// buckets of query i, by (distance, index). A query that finds fewer than k rows probes more
// buckets, and is finally compared with all rows; so is one that would probe many more buckets
// than there are rows. With `self` the queries are X, and row i is not a neighbour of itself.
// Returns the number of rows compared.
template <typename T>
Index nearest(Matrix<const T> X, const Functions<T>& functions, Buckets<const std::int32_t> buckets,
              Codes<const std::uint8_t, const float> codes, Matrix<const T> queries, Index probes,
              bool self, const Neighbors<T>& out);

} // namespace gramian::hashing
