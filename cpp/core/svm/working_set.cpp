#include "core/svm/working_set.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr Index kNewPart = 4;    // one in so many of the working set is new in each round
constexpr Index kNewAtOnce = 16; // rows of the block that a thread fills at once

// The `count` smallest of all candidates pushed. Stores at most twice as many and drops the larger
// half when it is full.
template <typename Candidate>
class Smallest {
public:
    explicit Smallest(Index count) : count_(static_cast<std::size_t>(count)) {}

    // Whether a candidate of this score may be among the smallest.
    bool can_enter(double score) const { return !full_ || score <= largest_.score; }
    void push(const Candidate& candidate) {
        if (full_ && !(candidate < largest_)) return;
        candidates_.push_back(candidate);
        if (candidates_.size() >= 2 * count_) drop();
    }
    // At most as many as wanted, ascending.
    const std::vector<Candidate>& found() {
        if (candidates_.size() > count_) drop();
        std::sort(candidates_.begin(), candidates_.end());
        return candidates_;
    }

private:
    void drop() {
        if (count_ == 0) return candidates_.clear();
        const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(count_ - 1);
        std::nth_element(candidates_.begin(), last, candidates_.end());
        largest_ = *last;
        candidates_.resize(count_);
        full_ = true;
    }

    std::size_t count_;
    std::vector<Candidate> candidates_;
    Candidate largest_{};
    bool full_ = false;
};

} // namespace

template <typename V>
WorkingSet<V>::WorkingSet(const Points& points, const Variables& variables, Index most)
    : points_(points), all_(variables), most_(most),
      diagonals_(static_cast<std::size_t>(variables.points)),
      chosen_(static_cast<std::size_t>(variables.size()), 0) {
    for (Index i = 0; i < variables.points; ++i) {
        diagonals_[i] = static_cast<V>(points.diagonal(variables.machine.ids[i]));
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

// The variables of a group with the largest scores that may rise, or the smallest that may fall, if
// they violate optimality and are not yet chosen. The blocks with the best scores come first, so
// that nearly all others can be skipped.
template <typename V>
std::vector<typename WorkingSet<V>::Candidate> WorkingSet<V>::violators(int g, bool rising,
                                                                        Index count) {
    const double limit = rising ? -all_.bottom[g] : all_.top[g];
    block_scores_.clear();
    for (Index b = 0; b < all_.blocks(); ++b) {
        const double best = rising ? -all_.block_top(g, b) : all_.block_bottom(g, b);
        if (best < limit) block_scores_.push_back({best, static_cast<std::int32_t>(b)});
    }
    if (static_cast<Index>(block_scores_.size()) > count) {
        std::nth_element(block_scores_.begin(), block_scores_.begin() + count, block_scores_.end());
    }
    Smallest<Candidate> smallest(count);
    for (const Candidate& block : block_scores_) {
        if (!smallest.can_enter(block.score)) continue;
        all_.for_block(g, block.variable, [&](Index v, double rises, double falls) {
            const double score = rising ? -rises : falls;
            if (!(score < limit) || !smallest.can_enter(score) || chosen_[v] == stamp_) return;
            smallest.push({score, static_cast<std::int32_t>(v)});
        });
    }
    return smallest.found();
}

template <typename V>
void WorkingSet<V>::choose() {
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
    for (int g = 0; g < all_.groups; ++g) {
        for (const bool rising : {true, false}) {
            for (const Candidate& candidate : violators(g, rising, count)) {
                if (chosen_[candidate.variable] == stamp_) continue;
                chosen_[candidate.variable] = stamp_;
                next.push_back(candidate.variable);
            }
        }
    }
    working_ = std::move(next);
}

template <typename V>
Block<V> WorkingSet<V>::block(const std::vector<V*>& rows, double tol, Index max_steps) {
    fill_kernel(rows);
    fill_variables();
    return {padded(size()), kernel_.data(), diagonal_.data(), score_.data(),
            up_.data(),     down_.data(),   all_.groups,      sign_.data(),
            upper_.data(),  group_.data(),  alpha_.data(),    tol,
            max_steps};
}

// Values between variables that stayed are copied from the old block. Those of the new ones are
// computed once for both orders.
template <typename V>
void WorkingSet<V>::fill_kernel(const std::vector<V*>& rows) {
    const Index room = padded(size()), stayed = static_cast<Index>(kept_.size());
    std::swap(kernel_, old_kernel_);
    const bool contiguous = stayed > 0 && kept_[stayed - 1] - kept_[0] + 1 == stayed;
    for (Index k = 0; k < stayed; ++k) {
        V* const row = kernel_.data() + k * room;
        const V* const old = old_kernel_.data() + kept_[k] * old_room_;
        if (contiguous) {
            std::copy(old + kept_[0], old + kept_[0] + stayed, row);
        } else {
            for (Index l = 0; l < stayed; ++l) row[l] = old[kept_[l]];
        }
        std::fill(row + size(), row + room, V{0});
    }
    for (Index k = stayed; k < size(); ++k) {
        V* const row = kernel_.data() + k * room;
        std::fill(row + size(), row + room, V{0});
    }
    if (reads_rows()) {
        read_new(rows, stayed);
    } else {
        compute_new(stayed);
    }
    old_room_ = room;
}

template <typename V>
bool WorkingSet<V>::reads_rows() const {
    return all_.size() <= most_ || !points_.cheap_block(all_.points);
}

// Reads the values of new variables from their rows.
template <typename V>
void WorkingSet<V>::read_new(const std::vector<V*>& rows, Index stayed) {
    const Index room = padded(size());
    std::vector<std::int32_t> places(working_.size());
    for (Index k = 0; k < size(); ++k) places[k] = all_.place[all_.point(working_[k])];
    const runtime::Blocks blocks{size() - stayed, kNewAtOnce};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            // What the new ones add to a row of the block lies side by side.
            const Index first = stayed + blocks.begin(b), last = stayed + blocks.end(b);
            for (Index l = 0; l < last; ++l) {
                for (Index k = std::max(first, l); k < last; ++k) {
                    const V value = rows[k][places[l]];
                    kernel_[k * room + l] = value;
                    kernel_[l * room + k] = value;
                }
            }
        },
        (size() - stayed) * size() < 10000 ? 1 : 0);
}

// Recomputes the values of new variables, which is faster than gathering them from distant rows.
template <typename V>
void WorkingSet<V>::compute_new(Index stayed) {
    const Index room = padded(size()), fresh = size() - stayed, width = padded(fresh);
    if (fresh == 0) return;
    std::vector<std::int32_t> ids(working_.size());
    std::vector<V*> to(working_.size());
    fresh_.resize(static_cast<std::size_t>(size() * width));
    for (Index k = 0; k < size(); ++k) {
        ids[k] = all_.machine.ids[all_.point(working_[k])];
        to[k] = fresh_.data() + k * width;
    }
    points_.columns(ids.data() + stayed, fresh)
        ->rows(points_, ids.data(), size(), 0, fresh, to.data());
    entries_ += size() * fresh;
    for (Index first = 0; first < size(); first += kPanel) {
        const Index last = std::min(size(), first + kPanel);
        for (Index l = first; l < last; ++l) {
            std::copy(to[l], to[l] + fresh, kernel_.data() + l * room + stayed);
        }
        for (Index k = 0; k < fresh; ++k) {
            V* const row = kernel_.data() + (stayed + k) * room;
            for (Index l = first; l < std::min(last, stayed); ++l) row[l] = to[l][k];
        }
    }
}

template <typename V>
void WorkingSet<V>::fill_variables() {
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
        if (all_.can_rise(v)) up_[group_[k] * room + k] = 0;
        if (all_.can_fall(v)) down_[group_[k] * room + k] = 0;
    }
    for (Index k = size(); k < room; ++k) score_[k] = diagonal_[k] = 0;
}

template class WorkingSet<float>;
template class WorkingSet<double>;

} // namespace gramian::svm
