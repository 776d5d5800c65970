#include "core/medoids/swap_filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::medoids {
namespace {

constexpr double kLargest = 1e18; // norm whose square is far from overflow in float32

} // namespace

SwapFilter::SwapFilter(const linkage::CoarseColumns& coarse, Index n, Index dims)
    : coarse_(coarse), n_(n), dims_(dims), stride_(coarse.stride),
      order_(static_cast<std::size_t>(n)), columns_(coarse.values),
      first_(static_cast<std::size_t>(stride_)), second_(first_.size()), nearest_(first_.size()),
      shared_(first_.size() / kGroup) {
    std::iota(order_.begin(), order_.end(), 0);
    const double row_error = *std::max_element(coarse.row_error.begin(), coarse.row_error.end());
    if (!(row_error < kLargest * 0x1p-24)) least_slack_ = std::numeric_limits<double>::infinity();
}

void SwapFilter::group_by_medoid(Vector<std::int32_t> nearest, Index n_medoids) {
    std::vector<Index> at(static_cast<std::size_t>(n_medoids + 1));
    for (Index o = 0; o < n_; ++o) ++at[static_cast<std::size_t>(nearest[o] + 1)];
    std::partial_sum(at.begin(), at.end(), at.begin());
    for (Index o = 0; o < n_; ++o) {
        order_[static_cast<std::size_t>(at[static_cast<std::size_t>(nearest[o])]++)] =
            static_cast<std::int32_t>(o);
    }
    for (Index t = 0; t < dims_; ++t) {
        const float* const from = coarse_.at(t);
        float* const to = columns_.data() + t * stride_;
        for (Index i = 0; i < n_; ++i) to[i] = from[order_[i]];
    }
}

void SwapFilter::set_assignment(const Assignment& to, Vector<const double> weights) {
    // Roundings of a distance, of the sums of a group, and of all factors.
    const double roundings = static_cast<double>(dims_ + 24) * 0x1p-24;
    const double least = std::sqrt(coarse_.least_slack);
    weights_.resize(weights.size > 0 ? first_.size() : 0);
    unit_ = coarse_.scale;
    double heaviest = 1;
    if (weights.size > 0) {
        heaviest = *std::max_element(weights.data, weights.data + n_);
        unit_ /= heaviest;
    }
    slack_ = least_slack_;
    slack_per_error_ = 0;
    for (Index i = 0; i < n_; ++i) {
        const Index o = order_[i];
        const double second = to.second_distance[o] * coarse_.scale;
        first_[i] = static_cast<float>(to.first_distance[o] * coarse_.scale);
        second_[i] = static_cast<float>(second);
        nearest_[i] = to.nearest[o];
        const double w = weights.size > 0 ? weights[o] / heaviest : 1.0;
        if (weights.size > 0) weights_[i] = static_cast<float>(w);
        // A weight below the least float has become 0.
        slack_ += 2 * w * (coarse_.row_error[o] + least + second * roundings) +
                  2 * std::numeric_limits<float>::min() * second;
        slack_per_error_ += 2 * w;
    }
    for (Index g = 0; g < static_cast<Index>(shared_.size()); ++g) {
        const auto begin = nearest_.begin() + g * kGroup;
        const auto end = nearest_.begin() + std::min((g + 1) * kGroup, n_);
        shared_[g] = std::all_of(begin, end, [&](auto m) { return m == *begin; }) ? *begin : -1;
    }
}

double SwapFilter::least_change(Index candidate, const std::vector<double>& losses) const {
    std::vector<double> changes(losses);
    for (double& change : changes) change *= unit_;
    std::vector<float> query(static_cast<std::size_t>(dims_));
    for (Index t = 0; t < dims_; ++t) query[t] = coarse_.at(t)[candidate];
    const double gained =
        medoid_kernels().coarse_trial({columns_.data(), stride_, dims_, query.data(), first_.data(),
                                       second_.data(), weights_.empty() ? nullptr : weights_.data(),
                                       nearest_.data(), shared_.data(), changes.data()});
    const double least = *std::min_element(changes.begin(), changes.end()) + gained;
    const double error = slack_ + slack_per_error_ * coarse_.row_error[candidate];
    return (least - error) / unit_;
}

} // namespace gramian::medoids
