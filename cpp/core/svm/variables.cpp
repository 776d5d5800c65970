#include "core/svm/variables.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Whether a variable is at a bound and its score indicates that it will stay there.
bool stays_at_bound(const Variables& all, Index v) {
    const int g = all.group(v);
    const bool up = all.can_rise(v), down = all.can_fall(v);
    if (up && down) return false;
    if (up) return all.score(v) < all.bottom[g];
    if (down) return all.score(v) > all.top[g];
    return true; // upper is 0
}

} // namespace

Variables::Variables(const Machine& machine)
    : machine(machine), points(machine.ids.size), groups(machine.by_sign ? 2 : 1),
      active(static_cast<std::size_t>(points)), gradient(static_cast<std::size_t>(points), 0.0) {
    std::iota(active.begin(), active.end(), 0);
    place = active;
    rebuild_arrays();
}

void Variables::rebuild_arrays() {
    const Index count = static_cast<Index>(active.size());
    const Index size = (count + kScoreBlock - 1) / kScoreBlock * kScoreBlock;
    gradient.resize(static_cast<std::size_t>(count));
    gradient.resize(static_cast<std::size_t>(size), 0.0);
    offset_.assign(static_cast<std::size_t>(machine.halves * size), 0.0);
    up_.assign(static_cast<std::size_t>(groups * machine.halves * size), -kInfinity);
    down_.assign(up_.size(), kInfinity);
    block_top_.resize(up_.size() / kScoreBlock);
    block_bottom_.resize(block_top_.size());
    for (Index h = 0; h < machine.halves; ++h) {
        for (Index k = 0; k < count; ++k) {
            const Index v = h * points + active[k];
            offset_[h * size + k] = machine.offset[v];
            update_limits(v);
        }
    }
}

void Variables::update_limits(Index v) {
    const Index half = group(v) * machine.halves + (v < points ? 0 : 1);
    const Index at = half * padded_size() + place[point(v)];
    up_[at] = can_rise(v) ? 0.0 : -kInfinity;
    down_[at] = can_fall(v) ? 0.0 : kInfinity;
}

void Variables::set_alpha(Index v, double alpha) {
    machine.alpha[v] = alpha;
    update_limits(v);
}

std::vector<std::int32_t> Variables::ids_of(const std::vector<std::int32_t>& places) const {
    std::vector<std::int32_t> ids;
    ids.reserve(places.size());
    for (const std::int32_t i : places) ids.push_back(machine.ids[i]);
    return ids;
}

double Variables::norm_of_values() const {
    double sum = 0;
    for (Index i = 0; i < points; ++i) {
        const double b = value_of(i);
        sum += b * b;
    }
    return std::sqrt(sum);
}

void Variables::find_extremes() {
    const Index size = padded_size(), blocks = size / kScoreBlock;
    for (int g = 0; g < 2; ++g) {
        top[g] = -kInfinity;
        bottom[g] = kInfinity;
    }
    for (int g = 0; g < groups; ++g) {
        for (Index h = 0; h < machine.halves; ++h) {
            const Index half = g * machine.halves + h;
            double* const tops = block_top_.data() + half * blocks;
            double* const bottoms = block_bottom_.data() + half * blocks;
            solver_tables().extremes({blocks, gradient.data(), offset_.data() + h * size,
                                      up_.data() + half * size, down_.data() + half * size, tops,
                                      bottoms});
            for (Index b = 0; b < blocks; ++b) {
                if (std::isnan(tops[b]) || tops[b] > top[g]) top[g] = tops[b];
                if (std::isnan(top[g])) return;
                bottom[g] = std::min(bottom[g], bottoms[b]);
            }
        }
    }
}

double Variables::largest_violation() const {
    double most = 0;
    for (int g = 0; g < groups; ++g) {
        if (std::isnan(top[g]) || std::isnan(bottom[g])) return std::nan("");
        most = std::max(most, top[g] - bottom[g]);
    }
    return most;
}

double Variables::level(int g) const {
    double sum = 0;
    Index count = 0;
    for (Index b = 0; b < blocks(); ++b) {
        for_block(g, b, [&](Index, double rising, double falling) {
            if (rising != falling) return; // at a bound
            sum += rising;
            ++count;
        });
    }
    if (count > 0) return sum / static_cast<double>(count);
    const bool high = std::isfinite(bottom[g]), low = std::isfinite(top[g]);
    return high && low ? (top[g] + bottom[g]) / 2 : high ? bottom[g] : low ? top[g] : 0;
}

std::vector<std::int32_t> Variables::columns_to_keep() const {
    std::vector<std::int32_t> columns;
    for (std::size_t k = 0; k < active.size(); ++k) {
        bool all = true;
        for (Index v = active[k]; v < size(); v += points) all = all && stays_at_bound(*this, v);
        if (!all) columns.push_back(static_cast<std::int32_t>(k));
    }
    return columns;
}

void Variables::keep(const std::vector<std::int32_t>& columns) {
    RemovedPoints out;
    out.values.reserve(active.size());
    for (const std::int32_t i : active) out.values.push_back(value_of(i));
    std::vector<std::int32_t> kept;
    kept.reserve(columns.size());
    std::size_t next = 0;
    for (std::size_t k = 0; k < active.size(); ++k) {
        if (next < columns.size() && columns[next] == static_cast<std::int32_t>(k)) {
            place[active[k]] = static_cast<std::int32_t>(next);
            gradient[next++] = gradient[k];
            kept.push_back(active[k]);
        } else {
            place[active[k]] = -1;
            out.points.push_back(active[k]);
            out.gradient.push_back(gradient[k]);
        }
    }
    out.movable = std::move(active);
    active = std::move(kept);
    removed.push_back(std::move(out));
    rebuild_arrays();
    find_extremes(); // the same, but of other blocks
}

void Variables::restore_all() {
    std::vector<double> whole(static_cast<std::size_t>(points));
    for (std::size_t k = 0; k < active.size(); ++k) whole[active[k]] = gradient[k];
    for (const RemovedPoints& out : removed) {
        for (std::size_t k = 0; k < out.points.size(); ++k) {
            whole[out.points[k]] = out.gradient[k];
        }
    }
    removed.clear();
    gradient = std::move(whole);
    active.resize(static_cast<std::size_t>(points));
    std::iota(active.begin(), active.end(), 0);
    place = active;
    rebuild_arrays();
}

} // namespace gramian::svm
