// Agglomerative (hierarchical) clustering in quadratic time.
//
// A tree is written in SciPy's format: row i of Z joins clusters Z(i, 0) < Z(i, 1), at the height
// Z(i, 2), to cluster n + i of Z(i, 3) rows. Clusters below n are the rows themselves.
//
// - Single linkage is a minimum spanning tree whose edges are sorted (Gower and Ross 1969).
// - Complete, average, weighted and Ward linkage are reducible: a merged cluster is no nearer to
//   another cluster than the nearer of its two parts was. The nearest-neighbour chain algorithm
//   then finds the tree (Murtagh 1983), and a nearest neighbour stays valid until it is merged.
// - Centroid, median and medoid linkage are not reducible: each cluster stores a lower bound of its
//   distance to the clusters after it, which is made exact when it is the least (Muellner 2011).
//
// All comparisons are in float64 and in a fixed order: the tree is the same for any number of
// threads.
#pragma once

#include "core/kdtree/search.hpp"
#include "core/runtime/views.hpp"

#include <cstdint>
#include <vector>

namespace gramian::linkage {

enum class Method { single, complete, average, weighted, ward, centroid, median };

// A merge of two clusters, each given by one of its rows.
struct Merge {
    std::int32_t a, b;
    double height;
};

// Writes the tree of n - 1 merges in their order, or sorted by height (stable).
void write_tree(const std::vector<Merge>& merges, bool sorted, Matrix<double> Z);

// The tree of n rows with precomputed dissimilarities. Reads the values above the diagonal and
// overwrites D.
void matrix_linkage(Matrix<double> D, Method method, Matrix<double> Z);

// The tree of rows under the Euclidean distance, for complete, average and weighted linkage. Stores
// only the dissimilarities of clusters of two or more rows. nearest[i] is the nearest other row of
// row i.
template <typename T>
void rows_linkage(Matrix<const T> X, Vector<const Index> nearest, Method method, Matrix<double> Z);

// Ward's tree in O(n d) memory. nearest[i] is the nearest other row of row i.
template <typename T>
void ward_linkage(Matrix<const T> X, Vector<const Index> nearest, Matrix<double> Z);

// The tree of centroids, or of medians, under the Euclidean distance, in O(n d) memory.
template <typename T>
void center_linkage(Matrix<const T> X, Method method, Matrix<double> Z);

// The tree of medoids; medoids[i] is the medoid of cluster n + i.
void medoid_linkage(Matrix<const double> D, Matrix<double> Z, Vector<std::int32_t> medoids);

// The edges (a, b, weight) of a minimum spanning tree under given dissimilarities.
void matrix_spanning_tree(Matrix<const double> D, Matrix<double> edges);

// The same under the Euclidean distance, or under max(core_i, core_j, distance) where core is not
// empty; by Prim's algorithm in O(n d) memory.
template <typename T>
void rows_spanning_tree(Matrix<const T> X, Vector<const double> core, Matrix<double> edges);

// The same by Boruvka's algorithm on a k-d tree, for few features.
template <typename T>
void kdtree_spanning_tree(const kdtree::Tree<const T>& tree, Vector<const double> core,
                          Matrix<double> edges);

// The single-linkage tree of the edges of a spanning tree.
void tree_of_edges(Matrix<const double> edges, Matrix<double> Z);

// D(i, j) = |x_i - x_j|, by differences in float64.
template <typename T>
void all_distances(Matrix<const T> X, Matrix<double> D);

// The transposed table: value t of row j is values[t * stride + j].
struct Columns {
    std::vector<double> values;
    Index stride;

    double* at(Index t) { return values.data() + t * stride; }
    const double* at(Index t) const { return values.data() + t * stride; }
};
template <typename T>
Columns columns_of(Matrix<const T> X);

// The same in float32, (x - shift) * scale, to rule out distant rows.
//
// The error of a row in this frame is `row_error`, 2^-24 of its norm. The float32 squared distance
// of rows q and j whose distance is at most r is, with b = scale r, at most
//
//     (b + slip_j + slip_q)^2 e <= (b + slip_j)^2 (1 + c) e + slip_q^2 (1 + 1 / c) e,
//
// where e bounds the rounding of d terms: a limit of row j plus a slack of the query.
struct CoarseColumns {
    std::vector<float> values;
    Index stride;
    std::vector<double> row_error;
    double scale;
    double growth; // (1 + c) e
    double slack;  // (1 + 1 / c) e
    double least_slack;

    float* at(Index t) { return values.data() + t * stride; }
    const float* at(Index t) const { return values.data() + t * stride; }
    float query_slack(Index j) const {
        return static_cast<float>(row_error[j] * row_error[j] * slack + least_slack);
    }
};
template <typename T>
CoarseColumns coarse_columns_of(Matrix<const T> X);

// Whether the update formula of a linkage uses squared dissimilarities.
bool uses_squares(Method method);

// The update formula: a merged cluster's dissimilarities from those of its two parts.
struct Rule {
    enum class Kind { greatest, least, linear, ward } kind;
    double a = 0, b = 0, constant = 0; // linear: a x + b y + constant, at least 0
    double size_a = 0, size_b = 0;     // ward
    const double* sizes = nullptr;     // ward: of the others

    static Rule of(Method method, double size_a, double size_b, double dissimilarity,
                   const double* sizes);
};

// The kernels read columns in steps of this many values; arrays are padded to a multiple.
constexpr Index kPadding = 32;
inline Index padded_size(Index n) {
    return (n + kPadding - 1) / kPadding * kPadding;
}

// The rows outside the tree of Prim's algorithm, transposed, each with its least squared distance
// from the tree and the nearest row of the tree. If max(square, core[j], own_core) is below
// best[j], it replaces best[j]. limit[j] is the limit of CoarseColumns for sqrt(best[j]).
struct PrimCall {
    const double* points;
    const float* coarse;
    Index stride, n, d;
    const double* query;
    const float* coarse_query;
    float slack;
    const double* core; // may be null
    double own_core;
    std::int32_t id;
    const double* row_error;
    double scale, growth;
    double* best;
    std::int32_t* from;
    float* limit;
    float* key; // scale sqrt(best), rounded
};

struct LinkageKernels {
    // The least of row[j] + dead[j], and the first j that has it.
    void (*least)(const double* row, const double* dead, Index n, double* value, Index* place);
    // out[j] = rule(x[j], y[j]), where out may be x; and what `least` finds in it.
    void (*join)(const Rule& rule, const double* x, const double* y, const double* dead, Index n,
                 double* out, double* value, Index* place);
    // out[j] = sum_t (points[t * stride + j] - query[t])^2; writes padded arrays, like ward and
    // prim.
    void (*squares)(const double* points, Index stride, Index n, Index d, const double* query,
                    double* out);
    // The same in float32, times size * sizes[j] / (size + sizes[j]); out[own] = inf. Returns the
    // least.
    float (*ward)(const float* points, Index stride, Index n, Index d, const float* query,
                  const float* sizes, float size, Index own, float* out);
    // The indices of the values that are not above the limit; returns their number.
    Index (*indices_at_most)(const float* values, Index n, float limit, std::int32_t* places);
    // A step of Prim's algorithm: adds row `id` to the tree. Returns the index of the least best.
    Index (*prim)(const PrimCall& call);
    void (*roots)(double* values, Index n);
};
const LinkageKernels& linkage_kernels();

} // namespace gramian::linkage
