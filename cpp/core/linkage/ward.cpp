#include "core/distance/frame.hpp"
#include "core/linkage/chain.hpp"
#include "core/linkage/linkage.hpp"
#include "core/runtime/check.hpp"

#include <algorithm>
#include <cmath>

namespace gramian::linkage {
namespace {

// Clusters represented by size and centroid. The value of a pair, |a| |b| / (|a| + |b|) times the
// squared distance of the centroids, is the increase of the sum of squares by their merge. A search
// compares all centroids in float32, shifted and scaled, and measures those that may be the nearest
// in float64.
class WardClusters {
public:
    template <typename T>
    explicit WardClusters(Matrix<const T> X)
        : d_(X.cols), live_(X.rows), stride_(padded_size(X.rows)),
          centers_(static_cast<std::size_t>(X.rows * X.cols)),
          sizes_(static_cast<std::size_t>(X.rows), 1.0),
          points_(static_cast<std::size_t>(stride_ * d_)),
          float_sizes_(static_cast<std::size_t>(stride_), 1.0f), ids_(sizes_.size()),
          slot_of_(2 * sizes_.size() - 1, -1), values_(float_sizes_.size()),
          candidates_(float_sizes_.size()), query_(static_cast<std::size_t>(d_)) {
        const distance::Frame<T> frame = distance::frame_of(X);
        scale_ = static_cast<double>(frame.scale);
        shift_.assign(frame.shift.begin(), frame.shift.end());
        double farthest = 0;
        for (Index i = 0; i < X.rows; ++i) {
            double norm = 0;
            for (Index t = 0; t < d_; ++t) {
                const double x = static_cast<double>(X(i, t));
                center(i)[t] = x;
                norm += (x - shift_[t]) * (x - shift_[t]);
            }
            farthest = std::max(farthest, norm);
            ids_[i] = slot_of_[i] = static_cast<std::int32_t>(i);
            write_float32(i);
        }
        // Each coordinate is rounded once; then d differences, squares and sums.
        row_error_ = std::sqrt(farthest) * scale_ * 0x1p-22;
        factor_ = static_cast<double>(d_ + 16) * 0x1p-23;
    }

    bool alive(std::int32_t id) const { return slot_of_[id] >= 0; }
    double dissimilarity(std::int32_t a, std::int32_t b) const {
        return value(slot_of_[a], slot_of_[b]);
    }
    double height(double value) const { return std::sqrt(2 * value); }

    Neighbor nearest(std::int32_t id) {
        const Index own = slot_of_[id];
        for (Index t = 0; t < d_; ++t) query_[t] = points_[t * stride_ + own];
        const float least =
            linkage_kernels().ward(points_.data(), stride_, live_, d_, query_.data(),
                                   float_sizes_.data(), float_sizes_[own], own, values_.data());
        const double reach = (std::sqrt(static_cast<double>(least)) * (1 + factor_) +
                              2 * std::sqrt(sizes_[own]) * row_error_) /
                             (1 - factor_);
        const Index count = linkage_kernels().indices_at_most(
            values_.data(), live_, static_cast<float>(reach * reach * (1 + 1e-6) + 0x1p-120),
            candidates_.data());
        Neighbor best{-1, 0.0};
        for (Index c = 0; c < count; ++c) {
            const Index slot = candidates_[c];
            if (slot == own) continue;
            const double here = value(own, slot);
            if (best.id < 0 || here < best.value) best = {ids_[slot], here};
            if (here == 0) break;
        }
        return best;
    }

    Neighbor join(std::int32_t a, std::int32_t b, std::int32_t made) {
        const Index kept = slot_of_[a], gone = slot_of_[b], last = live_ - 1;
        const double size = sizes_[kept] + sizes_[gone];
        for (Index t = 0; t < d_; ++t) {
            center(kept)[t] =
                (sizes_[kept] * center(kept)[t] + sizes_[gone] * center(gone)[t]) / size;
        }
        sizes_[kept] = size;
        ids_[kept] = made;
        slot_of_[a] = slot_of_[b] = -1;
        slot_of_[made] = static_cast<std::int32_t>(kept);
        write_float32(kept);
        if (gone != last) {
            std::copy(center(last), center(last) + d_, center(gone));
            sizes_[gone] = sizes_[last];
            ids_[gone] = ids_[last];
            slot_of_[ids_[gone]] = static_cast<std::int32_t>(gone);
            write_float32(gone);
        }
        --live_;
        return {-1, 0.0};
    }

private:
    double* center(Index slot) { return centers_.data() + slot * d_; }
    const double* center(Index slot) const { return centers_.data() + slot * d_; }

    void write_float32(Index slot) {
        for (Index t = 0; t < d_; ++t) {
            points_[t * stride_ + slot] =
                static_cast<float>((center(slot)[t] - shift_[t]) * scale_);
        }
        float_sizes_[slot] = static_cast<float>(sizes_[slot]);
    }

    // The same bits for (a, b) and (b, a).
    double value(Index a, Index b) const {
        double square = 0;
        for (Index t = 0; t < d_; ++t) {
            const double gap = center(a)[t] - center(b)[t];
            square += gap * gap;
        }
        return sizes_[a] * sizes_[b] / (sizes_[a] + sizes_[b]) * square;
    }

    Index d_, live_, stride_;
    std::vector<double> centers_, sizes_; // by slot
    std::vector<float> points_, float_sizes_;
    std::vector<std::int32_t> ids_, slot_of_;
    std::vector<float> values_;
    std::vector<std::int32_t> candidates_;
    std::vector<float> query_;
    std::vector<double> shift_;
    double scale_, row_error_, factor_;
};

} // namespace

template <typename T>
void ward_linkage(Matrix<const T> X, Vector<const Index> nearest, Matrix<double> Z) {
    if (X.rows < 2) return;
    WardClusters clusters(X);
    std::vector<Neighbor> known;
    known.reserve(static_cast<std::size_t>(X.rows));
    for (Index i = 0; i < X.rows; ++i) {
        runtime::require(nearest[i] >= 0 && nearest[i] < X.rows && nearest[i] != i,
                         "Ward linkage: nearest must hold the index of another row for each row");
        const auto other = static_cast<std::int32_t>(nearest[i]);
        known.push_back({other, clusters.dissimilarity(static_cast<std::int32_t>(i), other)});
    }
    write_tree(merges_by_chains(clusters, X.rows, std::move(known)), true, Z);
}

template void ward_linkage(Matrix<const float>, Vector<const Index>, Matrix<double>);
template void ward_linkage(Matrix<const double>, Vector<const Index>, Matrix<double>);

} // namespace gramian::linkage
