#include "core/svm/working_set.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr Index kNewPart = 4; // one in so many of the working set is new in each round

struct Candidate {
    double score;
    std::int32_t variable;
    bool operator<(const Candidate& other) const {
        return score < other.score || (score == other.score && variable < other.variable);
    }
};

} // namespace

WorkingSet::WorkingSet(const Points& points, const Variables& variables, Index most)
    : all_(variables), most_(most), diagonals_(static_cast<std::size_t>(variables.points)),
      chosen_(static_cast<std::size_t>(variables.size()), 0) {
    for (Index i = 0; i < variables.points; ++i) {
        diagonals_[i] = static_cast<float>(points.diagonal(variables.machine.ids[i]));
    }
    const std::size_t room = static_cast<std::size_t>(padded(most_));
    kernel_.resize(room * room);
    old_kernel_.resize(kernel_.size());
    score_.resize(room);
    sign_.resize(room);
    upper_.resize(room);
    alpha_.resize(room);
    diagonal_.resize(room);
    group_.resize(room);
    up_.resize(2 * room);
    down_.resize(2 * room);
}

void WorkingSet::choose() {
    if (all_.size() <= most_) { // all of them
        working_.resize(static_cast<std::size_t>(all_.size()));
        std::iota(working_.begin(), working_.end(), 0);
        return;
    }
    ++stamp_;
    std::vector<std::int32_t> next;
    const std::size_t keep = working_.size() - working_.size() / kNewPart;
    kept_.clear();
    for (std::size_t k = working_.size() - keep; k < working_.size(); ++k) {
        if (all_.place[all_.point(working_[k])] < 0) continue; // left out
        kept_.push_back(static_cast<Index>(k));
        next.push_back(working_[k]);
        chosen_[working_[k]] = stamp_;
    }
    std::vector<Candidate> rising[2], falling[2];
    all_.for_active([&](Index v) {
        if (chosen_[v] == stamp_) return;
        const double s = all_.score(v);
        const int g = all_.group(v);
        const std::int32_t variable = static_cast<std::int32_t>(v);
        if (all_.rises(v) && s > all_.bottom[g]) rising[g].push_back({-s, variable});
        if (all_.falls(v) && s < all_.top[g]) falling[g].push_back({s, variable});
    });
    const Index room = most_ - static_cast<Index>(next.size());
    const auto take = [&](std::vector<Candidate>& from, Index count) {
        count = std::min(count, static_cast<Index>(from.size()));
        const auto end = from.begin() + count;
        if (end != from.end()) std::nth_element(from.begin(), end, from.end());
        std::sort(from.begin(), end);
        for (auto at = from.begin(); at != end; ++at) {
            if (chosen_[at->variable] == stamp_) continue;
            chosen_[at->variable] = stamp_;
            next.push_back(at->variable);
        }
    };
    for (int g = 0; g < all_.groups; ++g) {
        take(rising[g], room / 2 / all_.groups);
        take(falling[g], room / 2 / all_.groups);
    }
    working_ = std::move(next);
}

Block WorkingSet::block(const std::vector<float*>& rows, double tol, Index max_steps) {
    fill_kernel(rows);
    fill_variables();
    return {padded(size()), kernel_.data(), diagonal_.data(), score_.data(),
            up_.data(),     down_.data(),   all_.groups,      sign_.data(),
            upper_.data(),  group_.data(),  alpha_.data(),    tol,
            max_steps};
}

// Values between variables that stayed lie in the old block; those of the new ones are read from
// their rows, once for both orders.
void WorkingSet::fill_kernel(const std::vector<float*>& rows) {
    const Index room = padded(size());
    std::vector<std::int32_t> places(working_.size());
    for (Index k = 0; k < size(); ++k) places[k] = all_.place[all_.point(working_[k])];
    std::swap(kernel_, old_kernel_);
    const Index stayed = static_cast<Index>(kept_.size());
    for (Index k = 0; k < size(); ++k) {
        float* const row = kernel_.data() + k * room;
        if (k < stayed) {
            const float* const old = old_kernel_.data() + kept_[k] * old_room_;
            for (Index l = 0; l < stayed; ++l) row[l] = old[kept_[l]];
        } else {
            for (Index l = 0; l <= k; ++l) {
                const float value = rows[k][places[l]];
                row[l] = value;
                kernel_[l * room + k] = value;
            }
        }
        std::fill(row + size(), row + room, 0.0f);
    }
    old_room_ = room;
}

void WorkingSet::fill_variables() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const Index room = padded(size());
    std::fill(up_.begin(), up_.begin() + all_.groups * room, -kInfinity);
    std::fill(down_.begin(), down_.begin() + all_.groups * room, kInfinity);
    for (Index k = 0; k < size(); ++k) {
        const Index v = working_[k];
        score_[k] = all_.score(v);
        sign_[k] = all_.machine.sign[v];
        upper_[k] = all_.machine.upper[v];
        alpha_[k] = all_.machine.alpha[v];
        diagonal_[k] = diagonals_[all_.point(v)];
        group_[k] = all_.group(v);
        if (all_.rises(v)) up_[group_[k] * room + k] = 0;
        if (all_.falls(v)) down_[group_[k] * room + k] = 0;
    }
    for (Index k = size(); k < room; ++k) score_[k] = diagonal_[k] = 0;
}

} // namespace gramian::svm
