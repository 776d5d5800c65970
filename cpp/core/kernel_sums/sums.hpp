// Sums of kernel weights, the step of kernel density estimation and of kernel regression:
//
//     S = sum_i w_i K(u(q, x_i)) a_i b_i^T,      u = |q - x_i|_p or its square.
//
// a_i = 1 and b_i = (1, y_i) for local constants; a_i = (1, z_i) and b_i = (1, z_i, y_i) with
// z_i = x_i - q for local straight lines. Several scales of one kernel share the distances.
//
// The rows lie in the leaves of a k-d tree, in double precision, feature by feature. A box is left
// out for a scale when all its u exceed reference + reach. For the exponential shape the weights
// are relative to those at the reference, which is the least u or a little more, so that a query
// far from all rows has a sum that is not 0; the given reach allows for a sum of the least weight,
// and is shortened by what is known to be in the sum: the rows of the query's own leaf, or, as exp
// is convex, W exp(-scale (|q - m|^2 + v)) of W rows with mean m and squared distances from it v.
// Where many queries have rows that are close compared with the bandwidth, a grid replaces the
// tree, and polynomials replace the rows of its cells (expansions.hpp). The sum of a query is added
// up in the order of the leaves or cells, in fixed groups: the result has the same bits for any
// number of threads.
#pragma once

#include "core/kdtree/search.hpp"

namespace gramian::kernel_sums {

enum class Shape {
    exponential, // exp(-scale (u - reference))
    box,         // 1 where u < reach
    slope,       // 1 - scale u where u < reach
    cosine,      // cos(pi / 2 scale u) where u < reach
};

struct Rows {
    kdtree::Tree<const double> tree;
    const double* points;  // (leaves, dims, capacity)
    const double* weights; // (leaves, capacity); 0 beyond the rows of a leaf
    const double* values;  // (leaves, outputs, capacity)
    Index outputs;
};

struct Kernel {
    Shape shape;
    bool squared; // u is the square of the distance; not for box and cosine
    double p;
    bool each; // one scale for each query, not all scales for every query
    Vector<const double> scales;
    Vector<const double> reaches; // beyond the reference, one for each scale

    Index count() const { return each ? 1 : scales.size; }
    Index place(Index h, Index row) const { return each ? row : h; }
};

struct Task {
    bool leave_one_out; // query i is row i, whose own weight counts as 0
    bool local_linear;  // local straight lines instead of local constants
};

// Values of one sum: the lengths of a_i and b_i.
inline Index left_size(const Rows& rows, const Task& task) {
    return task.local_linear ? 1 + rows.tree.dims : 1;
}
inline Index right_size(const Rows& rows, const Task& task) {
    return left_size(rows, task) + rows.outputs;
}

// sums(i, scale * left * right + ...) and references[i] for each query; references are 0 for the
// shapes that end.
void kernel_sums(const Rows& rows, Matrix<const double> queries, const Kernel& kernel,
                 const Task& task, Matrix<double> sums, Vector<double> references);

// Queries that share a walk through the tree, the polynomials of a cell, or the readings of a row.
constexpr int kMostGroup = 32, kGridGroup = 8, kQueriesAtOnce = 4;

// A box that some queries of a group still have to visit, with its distance from each of them.
struct SharedBox {
    std::int32_t node;
    std::uint32_t wanted; // bit i: by query i
    double distance[kMostGroup];
};

constexpr Index kMostExpanded = 3; // features
constexpr int kMostDegree = 30;
constexpr Index kBlockRows = 64;

// A cell of the grid of expansions.hpp.
struct Cell {
    double centre[kMostExpanded];
    double radius; // of the rows about the centre, in bandwidths
    Index rows;
    Index first_block;
    Index polynomials;            // place, -1 for none
    double rest[kMostDegree + 1]; // by degree, see expansions.hpp
};

struct CellView {
    Index count; // 0: walk through the tree
    const Cell* cells;
    const double* blocks;
    const double* polynomials;
    double root;
};

inline Index size_of_block(Index dims, Index outputs) {
    return (dims + 1 + outputs) * kBlockRows;
}

// Boxes that together contain all rows: weight, mean, mean square about it. Size 0 if unused.
struct BoxMoments {
    Index size;            // a multiple of kLeafPad; the last may weigh nothing
    const double* means;   // (dims, size)
    const double* spreads; // (size)
    const double* weights; // (size)
};

// The input of the kernels of an instruction set: queries first .. first + count - 1 of query_rows.
struct Call {
    Rows rows;
    Kernel kernel;
    Task task;
    CellView grid;
    BoxMoments box_moments;
    double least_weight; // above 0
    const double* queries;
    const std::int32_t* query_rows; // row numbers of the queries
    const std::int32_t* leaves;     // where they lie
    Index first;
    Index count;
    Index group; // queries of a group, which share a walk through the tree
    double* sums;
    double* references;
    double* query;           // scratch: group times 4 dims
    double* interleaved;     // scratch: group times dims
    double* scratch;         // scratch: (2 dims + 6) times capacity, kBlockRows at least
    double* reaches;         // scratch: group times scales
    SharedBox* open;         // scratch: levels + 1
    kdtree::OpenBox* nearer; // scratch: levels + 1
};

struct SumKernels {
    void (*sums)(const Call& call);
};

} // namespace gramian::kernel_sums
