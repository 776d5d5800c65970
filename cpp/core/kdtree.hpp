// The k-d tree: exact and (1 + eps)-approximate nearest neighbours and balls under any l_p norm.
//
// Friedman, Bentley, Finkel, ACM TOMS 3(3), 1977; the approximation is that of Arya and Mount,
// SODA 1993. A node of the tree holds a range of points; it is divided at the median of the
// feature in which its points spread most, until a range is small enough for a leaf. The tree
// is complete: 2^levels leaves whose sizes differ by at most one, nodes numbered from 1 with
// children 2i and 2i + 1, so that no pointers are stored and n equal points do no harm.
//
// Distances are evaluated in double precision as the sum over the features, in their order, of
// |x_j - q_j|^p (the greatest term for p = inf). Results are ordered by (distance, index). A
// box is measured by the same operations in the same order; each is monotone also in floating
// point, so the measure never exceeds that of a point inside and pruning loses no neighbour.
#pragma once

#include "core/views.hpp"

#include <type_traits>

namespace gramian {

// The tree as plain arrays that someone else owns. Positions 0 .. n - 1 are the points in the
// order of the leaves; node i of level l (2^l <= i < 2^(l + 1)) holds positions
// [begin(i), begin(i + 1)), with begin(i) = floor((i - 2^l) n / 2^l).
template <typename T>
struct KdTree {
    using Row = std::conditional_t<std::is_const_v<T>, const std::int32_t, std::int32_t>;

    T* points;    // (leaves, dims, capacity): each leaf by features, padded with NaN
    Row* order;   // (n,): the caller's row at each position; ascending within a leaf
    T* boxes;     // (leaves - 1, dims, 4): of node i's children, lows then highs
    Row* feature; // (leaves - 1,): the feature that divides node i, at i - 1
    T* value;     // (leaves - 1,): the greatest value of it that went left
    Row* first;   // (2 leaves - 1,): the lowest row of node i, at i - 1
    Index n;
    Index dims;
    Index levels;
    Index capacity;
};

struct KdTreeShape {
    Index levels;
    Index capacity; // of a leaf, a multiple of kLeafPad
};

constexpr Index kLeafPad = 4;

// The least number of levels that leaves at most max(leaf_size, 2) points in a leaf.
KdTreeShape kdtree_shape(Index n, Index leaf_size);

// Fills every array of the tree from the rows of X. Rows with equal values of the dividing
// feature are divided in the order of their index.
template <typename T>
void kdtree_build(Matrix<const T> X, const KdTree<T>& tree);

struct KdTreeVisits {
    Index boxes;  // measured
    Index points; // measured, padding included
};

// The k nearest rows of each query, nearest first; k <= n. With eps > 0 a box is skipped when
// its distance times (1 + eps) exceeds the k-th best so far: the k-th distance is then at most
// (1 + eps) times the true one. `best_first` visits the boxes by their distance, from a heap;
// otherwise the search begins in the leaf of the query and works its way up to the root, which
// is faster.
template <typename T>
KdTreeVisits kdtree_nearest(const KdTree<const T>& tree, Matrix<const T> queries, double p,
                            double eps, bool best_first, Matrix<T> distances,
                            Matrix<std::int64_t> indices);

// counts[i] = number of rows within radii[i] of query i.
template <typename T>
void kdtree_count(const KdTree<const T>& tree, Matrix<const T> queries, double p,
                  Vector<const double> radii, Vector<std::int64_t> counts);

// The rows within radii[i] of query i, written from offsets[i] on; `sorted` orders them by
// (distance, index), otherwise they come in the order of the tree. `distances` may be empty.
template <typename T>
void kdtree_within(const KdTree<const T>& tree, Matrix<const T> queries, double p,
                   Vector<const double> radii, Vector<const std::int64_t> offsets, bool sorted,
                   Vector<T> distances, Vector<std::int64_t> indices);

// What the kernels of one instruction set offer. `rows` lists the queries of a call in the
// order in which to answer them; row r of the outputs belongs to query r.
struct OpenBox {
    double distance;
    std::int32_t node;
};

constexpr Index kBestRoom = 8;

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
    double* query;            // scratch: dims
    double* best_distance;    // scratch: k + kBestRoom
    std::int64_t* best_index; // scratch: the same
    OpenBox* open;            // scratch: max(levels, 1), for best_first leaves
    KdTreeVisits visits;      // added to
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
    T* distances; // may be null
    double* query;
    OpenBox* open;
};

struct KdTreeNearestKernels {
    void (*f32)(const KdTree<const float>&, NearestCall<float>&);
    void (*f64)(const KdTree<const double>&, NearestCall<double>&);
};

struct KdTreeWithinKernels {
    void (*f32)(const KdTree<const float>&, const WithinCall<float>&);
    void (*f64)(const KdTree<const double>&, const WithinCall<double>&);
};

} // namespace gramian
