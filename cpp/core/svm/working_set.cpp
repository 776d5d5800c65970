#include "core/svm/working_set.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr Index kNewPart = 4;    // one in so many of the working set is new in each round
constexpr Index kNewAtOnce = 16; // rows of the block that a thread fills at once

struct Candidate {
    double score;
    std::int32_t variable;
    bool operator<(const Candidate& other) const {
        return score < other.score || (score == other.score && variable < other.variable);
    }
};

// The smallest ones of all candidates offered: twice as many as wanted are held at most, and once
// there are that many the larger half is dropped.
class Smallest {
public:
    explicit Smallest(Index count) : count_(static_cast<std::size_t>(count)) {}

    // Whether one of this score may be among them.
    bool may_take(double score) const { return !full_ || score <= largest_.score; }
    void offer(const Candidate& candidate) {
        if (full_ && !(candidate < largest_)) return;
        held_.push_back(candidate);
        if (held_.size() >= 2 * count_) drop();
    }
    // At most as many as wanted, ascending.
    const std::vector<Candidate>& found() {
        if (held_.size() > count_) drop();
        std::sort(held_.begin(), held_.end());
        return held_;
    }

private:
    void drop() {
        if (count_ == 0) return held_.clear();
        const auto last = held_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
        std::nth_element(held_.begin(), last, held_.end());
        largest_ = *last;
        held_.resize(count_);
        full_ = true;
    }

    std::size_t count_;
    std::vector<Candidate> held_;
    Candidate largest_{};
    bool full_ = false;
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
    const Index count = (most_ - static_cast<Index>(next.size())) / 2 / all_.groups;
    Smallest rising[2]{Smallest(count), Smallest(count)}, falling[2] = {rising[0], rising[1]};
    const auto none_of = [&](int g, double top, double bottom) {
        return !(top > all_.bottom[g] && rising[g].may_take(-top)) &&
               !(bottom < all_.top[g] && falling[g].may_take(bottom));
    };
    all_.for_blocks(none_of, [&](Index v, double rises, double falls) {
        const int g = all_.group(v);
        const bool up = rises > all_.bottom[g] && rising[g].may_take(-rises);
        const bool down = falls < all_.top[g] && falling[g].may_take(falls);
        if ((!up && !down) || chosen_[v] == stamp_) return;
        const std::int32_t variable = static_cast<std::int32_t>(v);
        if (up) rising[g].offer({-rises, variable});
        if (down) falling[g].offer({falls, variable});
    });
    for (int g = 0; g < all_.groups; ++g) {
        for (Smallest* const side : {&rising[g], &falling[g]}) {
            for (const Candidate& candidate : side->found()) {
                if (chosen_[candidate.variable] == stamp_) continue;
                chosen_[candidate.variable] = stamp_;
                next.push_back(candidate.variable);
            }
        }
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
    const Index room = padded(size()), stayed = static_cast<Index>(kept_.size());
    std::vector<std::int32_t> places(working_.size());
    for (Index k = 0; k < size(); ++k) places[k] = all_.place[all_.point(working_[k])];
    std::swap(kernel_, old_kernel_);
    const bool side_by_side = stayed > 0 && kept_[stayed - 1] - kept_[0] + 1 == stayed;
    for (Index k = 0; k < stayed; ++k) {
        float* const row = kernel_.data() + k * room;
        const float* const old = old_kernel_.data() + kept_[k] * old_room_;
        if (side_by_side) {
            std::copy(old + kept_[0], old + kept_[0] + stayed, row);
        } else {
            for (Index l = 0; l < stayed; ++l) row[l] = old[kept_[l]];
        }
        std::fill(row + size(), row + room, 0.0f);
    }
    const runtime::Blocks blocks{size() - stayed, kNewAtOnce};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            for (Index k = stayed + blocks.begin(b); k < stayed + blocks.end(b); ++k) {
                float* const row = kernel_.data() + k * room;
                for (Index l = 0; l <= k; ++l) {
                    const float value = rows[k][places[l]];
                    row[l] = value;
                    kernel_[l * room + k] = value;
                }
                std::fill(row + size(), row + room, 0.0f);
            }
        },
        (size() - stayed) * size() < 10000 ? 1 : 0);
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
