// The fused distance tile.
//
// Each lane holds a point: a panel stores `width` points dimension by dimension, so that one
// vector register holds one coordinate of many points. Rows (centres, a database) are read in
// their own order, broadcasting one coordinate at a time. A register tile of 6 rows by one panel
// accumulates
//
//     v = |b|^2 - 2 x.b        (= |x - b|^2 - |x|^2)
//
// in float32. The accumulator starts at the norm, and the panel contains the factor -2. A
// reduction (two nearest, selection below a threshold) consumes the value in the registers.
//
// Both sides are first shifted and multiplied by a power of two (see frame.hpp), which avoids
// cancellation far from the origin, and overflow. For points x and rows b in that frame the
// computed value differs from the exact value on the original data by at most
//
//     E = gamma (|b|^2 + 2 |x| |b|),      gamma = (d + 8) 2^-24 1.01,
//
// for any order of the sum, fused or not: d roundings of partial sums, each at most 2^-24 of
// |b|^2 + 2|x||b|; one of each coordinate, product and norm (Higham 2002, section 3.1). Pairs
// that differ by less than E are decided in float64, by sums of squared differences of the
// original data.
#pragma once

#include "core/runtime/views.hpp"

#include <cstdint>

namespace gramian::distance {

// The parameters of the error bound of a float32 value, for rows with |b| <= radius.
struct TileError {
    float gamma;
    float radius;
};

// The candidates of each lane of a panel: rows whose value is below the lane's threshold. When a
// lane has `capacity` candidates, full(owner, lane) must make room.
struct Selection {
    float* threshold;
    std::int32_t* count;
    float* value;     // capacity per lane
    std::int32_t* id; // capacity per lane
    std::int32_t capacity;
    void* owner;
    void (*full)(void* owner, int lane);
};

enum class TileMetric { squared_euclidean, manhattan, chebyshev };

// How the bounds of the rows of a cluster change when the centres move. The cluster's own centre
// moved by `own`, no other centre by more than `others`. A row nearer to its centre than
// `half_way` keeps it.
struct CenterMove {
    float own;
    float others;
    float half_way;
    float padding; // to the size of a register
};

// Packed points, one per lane, and packed rows, one after the other, with their squared norms.
struct PanelView {
    const float* values;
    const float* norms;
    Index d;
};
struct PackedRowsView {
    const float* values;
    const float* norms;
    Index n;
};

// What nearest_two writes for each lane.
struct TwoNearestOut {
    std::int32_t* index;
    float *upper, *lower;
    float *best, *second;
};

// The kernels that do not depend on the type of the data.
struct TileKernels {
    int width; // points in a panel

    // For each lane the nearest row (the lowest among equals), an upper bound on its distance, a
    // lower bound on the distance of every other row, and the two values themselves. Returns a
    // mask of the lanes whose nearest row is uncertain.
    unsigned (*nearest_two)(PanelView panel, PackedRowsView rows, TileError error,
                            const TwoNearestOut& out);

    // Adds the candidates among rows first_id, first_id + 1, ... to the selection. Manhattan and
    // Chebyshev panels are packed with factor 1 and use no norms.
    void (*select)(TileMetric metric, const float* panel, Index d, const float* rows,
                   const float* row_norms, Index n_rows, std::int32_t first_id,
                   const Selection& selection);

    // Selects in both directions at once. value = |x - b|^2 is a candidate of a lane if it is
    // below `lanes.threshold`, and of a row if it is below the row's threshold.
    void (*select_both)(PanelView panel, PackedRowsView rows, std::int32_t first_panel_id,
                        int n_lanes, std::int32_t first_row_id, const Selection& lanes,
                        const Selection& row_side);

    // nearer[c * stride + lane] = min(closest[lane], |x_lane - candidate_c|^2), by differences.
    void (*nearer)(const float* panel, Index d, const float* candidates, int n_candidates,
                   const float* closest, float* nearer, Index stride);

    // Loosens the bounds of rows begin .. end - 1 by the moves of the centres and by rounding, and
    // lists the rows with upper > max(lower, half_way). Returns their number.
    Index (*relax_bounds)(Index begin, Index end, const std::int32_t* labels,
                          const CenterMove* moves, float* upper, float* lower, Index* uncertain);

    // A value v such that at least k of the n values, but few more, are <= v.
    float (*approximate_kth)(const float* values, Index n, Index k);

    // sum_i weights[i] * values[i]; null weights are ones.
    double (*weighted_sum)(const float* values, const double* weights, Index n);
};

// For each cluster the sum of its rows, their total weight, and the number of rows of positive
// weight.
struct ClusterSums {
    double* sums;
    double* totals;
    double* members;
};

// The kernels that read data of type T.
template <typename T>
struct RowKernels {
    // panel[t * width + lane] = factor * (points[lane][t] - shift[t]) * scale, and the squared
    // norms without the factor.
    void (*pack_panel)(const T* const* points, Index d, const T* shift, T scale, float factor,
                       float* panel, float* norms);
    // packed[i * d + t] = (rows[i][t] - shift[t]) * scale; returns the largest squared norm. The
    // norms are those of the unrounded rows.
    double (*pack_rows)(const T* rows, Index n, Index d, const T* shift, T scale, float* packed,
                        float* norms);
    // The same without the norms.
    void (*convert_rows)(const T* rows, Index n, Index d, const T* shift, T scale, float* packed);
    // |x - c|^2 in float64, by differences.
    double (*squared)(const T* x, const T* c, Index d);
    double (*squared_to_double)(const T* x, const double* c, Index d);
    // out[r] = |x_i - c_labels[i]|^2 for the n listed rows i = rows[r].
    void (*squared_to_assigned)(const T* X, Index d, const double* centers, const Index* rows,
                                Index n, const std::int32_t* labels, double* out);
    // out[j] = |x - c_j|^2 for n rows of c.
    void (*squared_to_all)(const T* x, const double* rows, Index n, Index d, double* out);
    // sum_t |x_t - c_t| and max_t |x_t - c_t| in float64.
    double (*manhattan)(const T* x, const T* c, Index d);
    double (*chebyshev)(const T* x, const T* c, Index d);
    // For every i in [begin, end) with before[i] != after[i]: subtracts row i times its weight from
    // the sum of before[i] (unless negative), adds it to that of after[i], and sets before[i] to
    // after[i]. `totals` are the weights of the clusters, `members` their rows of positive weight.
    void (*move)(const T* X, Index begin, Index end, Index d, const double* weights,
                 std::int32_t* before, const std::int32_t* after, ClusterSums clusters);
    // Adds to sum[t], square[t] the first two moments of x_t - shift_t over n rows; returns the
    // weighted sum of |x - shift|^2.
    double (*moments)(const T* X, Index n, Index d, const T* shift, const double* weights,
                      double* sum, double* square);
};

struct RowKernelTable {
    RowKernels<float> f32;
    RowKernels<double> f64;
};

const TileKernels& tile_kernels();
template <typename T>
const RowKernels<T>& row_kernels();

} // namespace gramian::distance
