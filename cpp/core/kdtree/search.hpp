// The k-d tree: exact and (1 + eps)-approximate nearest neighbours and balls under any l_p norm.
//
// Friedman, Bentley, Finkel, ACM TOMS 3(3), 1977; the approximation is that of Arya and Mount,
// SODA 1993. A node of the tree holds a range of points; it is divided at the median of the
// feature in which its points spread most, until a range is small enough for a leaf. The tree
// is complete: 2^levels leaves whose sizes differ by at most one, nodes numbered from 1 with
// children 2i and 2i + 1, so that no pointers are stored and n equal points do no harm.
//
// The measure of a point is evaluated in double precision as the sum over the features, in
// their order, of |x_j - q_j|^p (the greatest term for p = inf); its distance is the p-th root.
// Results are ordered by (measure, index). Two things make that exact and fast:
// - a box is measured by the same operations in the same order; each is monotone also in
//   floating point, so a box never measures more than a point inside and no neighbour is lost
//   (its corners are kept in single precision, rounded outwards);
// - leaves hold single precision copies of the points, relative to the corner of their box,
//   which rule out most points with a bound on their error; the others are measured exactly.
#pragma once

#include "core/runtime/views.hpp"

#include <type_traits>

namespace gramian::kdtree {

// The tree as plain arrays owned by the caller. Positions 0 .. n - 1 are the points in the
// order of the leaves; node i of level l (2^l <= i < 2^(l + 1)) holds positions
// [begin(i), begin(i + 1)), with begin(i) = floor((i - 2^l) n / 2^l).
template <typename T>
struct Tree {
    template <typename U>
    using Like = std::conditional_t<std::is_const_v<T>, const U, U>;

    const T* X;                  // (n, dims): the caller's rows
    Like<std::int32_t>* order;   // (n,): the row at each position; ascending within a leaf
    Like<float>* points;         // (leaves, dims, capacity): x - low corner, by features
    Like<float>* spread;         // (leaves,): sum of the widths of the leaf's box, or more
    Like<float>* boxes;          // (leaves, dims, 4): of nodes 2i and 2i + 1, lows, -highs
    Like<std::int32_t>* feature; // (leaves,): the feature that divides node i
    T* value;                    // (leaves,): the greatest value of it that went left
    Like<std::int32_t>* first;   // (2 leaves,): the lowest row of node i
    Index n;
    Index dims;
    Index levels;
    Index capacity;
};

struct Shape {
    Index levels;
    Index capacity; // of a leaf, a multiple of kLeafPad
};

constexpr Index kLeafPad = 8;

// The least number of levels that leaves at most max(leaf_size, 2) points in a leaf.
Shape shape_of(Index n, Index leaf_size);

// Fills every array of the tree from the rows of X. Rows with equal values of the dividing
// feature are divided in the order of their index.
template <typename T>
void build(const Tree<T>& tree);

struct Visits {
    Index boxes;  // measured
    Index points; // of the leaves visited, padding included
};

// The k nearest rows of each query, nearest first; k <= n. With eps > 0 a box is skipped when
// its distance times (1 + eps) exceeds the k-th best so far: the k-th distance is then at most
// (1 + eps) times the true one. `best_first` visits the boxes by their distance, from a heap;
// otherwise the search begins in the leaf of the query and works its way up to the root, which
// is faster.
template <typename T>
Visits nearest(const Tree<const T>& tree, Matrix<const T> queries, double p, double eps,
               bool best_first, Matrix<T> distances, Matrix<std::int64_t> indices);

// counts[i] = number of rows within radii[i] of query i.
template <typename T>
void count_within(const Tree<const T>& tree, Matrix<const T> queries, double p,
                  Vector<const double> radii, Vector<std::int64_t> counts);

// The rows within radii[i] of query i, written from offsets[i] on; `sorted` orders them by
// (distance, index), otherwise they come in the order of the tree. `distances` may be empty.
template <typename T>
void within(const Tree<const T>& tree, Matrix<const T> queries, double p,
            Vector<const double> radii, Vector<const std::int64_t> offsets, bool sorted,
            Vector<T> distances, Vector<std::int64_t> indices);

struct OpenBox {
    double distance;
    std::int32_t node;
};

// The input of a search for the nearest row of another component, by positions. The norm is
// Euclidean. With `cores` (squared core distances) the measure of a pair is at least both of
// theirs.
template <typename T>
struct OtherComponentCall {
    const std::int32_t* component;
    const std::int32_t* component_of_node; // -1: several
    const double* cores;                   // may be null
    double* query;                         // scratch: 4 dims
    float* shifted;                        // scratch: dims
    OpenBox* open;                         // scratch: levels + 1
};

// The position of the nearest row of another component from the row at a position, if its measure
// is below the limit, which becomes that measure; else -1. `leaf` is that of the position.
template <typename T>
Index nearest_of_other_component(const Tree<const T>& tree, const OtherComponentCall<T>& call,
                                 Index position, Index leaf, double* limit);

// The interface of the kernels of one instruction set. `rows` lists the queries of a call in
// search order; row r of the outputs belongs to query r.
constexpr Index kBestRoom = 8;
constexpr int kQueryGroup = 8; // queries of one leaf that are answered together

// A box that some queries of a group still have to visit, with its distance from each of them.
struct OpenBoxes {
    std::int32_t node;
    std::uint32_t wanted; // bit i: by query i
    double distance[kQueryGroup];
};

template <typename T>
struct NearestCall {
    const T* queries;
    const std::int32_t* rows;
    const std::int32_t* leaves; // where the search for each of `rows` begins
    Index count;
    Index k;
    double p;
    double eps;
    bool best_first;
    T* distances;
    std::int64_t* indices;
    double* query;            // scratch: kQueryGroup times 4 dims
    float* shifted;           // scratch: dims
    double* best_distance;    // scratch: kQueryGroup times k + kBestRoom
    std::int64_t* best_index; // scratch: the same
    OpenBoxes* open;          // scratch: levels + 1
    OpenBox* heap;            // scratch for best_first: the number of leaves
    Visits visits;            // added to
};

template <typename T>
struct WithinCall {
    const T* queries;
    const std::int32_t* rows;
    Index count;
    double p;
    const double* radii;         // as measures: |x - q|^p <= radii[r]
    std::int64_t* counts;        // written when indices is null
    const std::int64_t* offsets; // read when it is not
    std::int64_t* indices;
    T* distances;   // may be null
    double* query;  // scratch: 4 dims
    float* shifted; // scratch: dims
    OpenBox* open;  // scratch: levels + 1
};

struct NearestKernels {
    void (*f32)(const Tree<const float>&, NearestCall<float>&);
    void (*f64)(const Tree<const double>&, NearestCall<double>&);
};

struct WithinKernels {
    void (*f32)(const Tree<const float>&, const WithinCall<float>&);
    void (*f64)(const Tree<const double>&, const WithinCall<double>&);
};

struct OtherComponentKernels {
    Index (*f32)(const Tree<const float>&, const OtherComponentCall<float>&, Index, Index, double*);
    Index (*f64)(const Tree<const double>&, const OtherComponentCall<double>&, Index, Index,
                 double*);
};

} // namespace gramian::kdtree
