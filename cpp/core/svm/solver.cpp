#include "core/svm/solver.hpp"

#include "core/runtime/pool.hpp"
#include "core/svm/row_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gramian::svm {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Index kWorkingSet = 256;   // its kernel values are 256 KB, half of an L2 cache
constexpr Index kNewPart = 4;        // one in so many of the working set is new in each round
constexpr Index kUpdateBlock = 2048; // columns of the gradient that stay in the L1 cache
constexpr Index kShrinkEvery = 8;    // rounds
constexpr double kWorthShrinking = 0.75;
constexpr int kMostUnshrinks = 2;
constexpr Index kLongRound = 1 << 18; // steps between two looks for Ctrl-C
constexpr Index kSideBySide = 4;      // machines from which on threads take one each
constexpr double kRounding = 1e-13;

class Solver {
public:
    Solver(const Points& points, const Machine& machine, const Settings& settings)
        : points_(points), machine_(machine), settings_(settings), n_(machine.ids.size),
          groups_(machine.by_sign ? 2 : 1),
          most_(std::clamp<Index>(settings.working / padded(n_), 16, kWorkingSet)),
          columns_(points.columns(machine.ids.data, n_)),
          cache_(n_, padded(n_), settings.cache, std::min(n_, most_)), active_(n_), place_(n_),
          gradient_(n_, 0.0), diagonal_(n_), chosen_(machine.halves * n_, 0) {
        std::iota(active_.begin(), active_.end(), 0);
        place_ = active_;
        for (Index i = 0; i < n_; ++i) {
            diagonal_[i] = static_cast<float>(points.diagonal(machine.ids[i]));
        }
        const Index room = padded(most_);
        kernel_.resize(static_cast<std::size_t>(room * room));
        old_kernel_.resize(kernel_.size());
        score_.resize(room);
        sign_.resize(room);
        upper_.resize(room);
        alpha_.resize(room);
        small_diagonal_.resize(room);
        group_.resize(room);
        up_.resize(2 * room);
        down_.resize(2 * room);
    }

    Solution run() {
        start_gradient();
        double past = kInfinity; // violation of the round before
        while (true) {
            runtime::poll_interrupt();
            find_extremes();
            const double violation = largest_violation();
            if (!(violation >= settings_.tol) || steps_ >= settings_.max_steps || stalled_) {
                if (shrunken() && restore()) continue;
                break;
            }
            if (settings_.shrinking && variables() > most_ && ++rounds_ % kShrinkEvery == 0 &&
                unshrinks_ < kMostUnshrinks) {
                shrink();
            }
            round(violation, past);
            past = violation;
        }
        return finish();
    }

private:
    Index variables() const { return machine_.halves * n_; }
    Index point(Index v) const { return v < n_ ? v : v - n_; }
    int group(Index v) const { return groups_ == 2 && machine_.sign[v] < 0; }
    bool shrunken() const { return static_cast<Index>(active_.size()) < n_; }
    double score(Index v) const { return -gradient_[place_[point(v)]] - machine_.offset[v]; }
    bool rises(Index v) const {
        return machine_.sign[v] > 0 ? machine_.alpha[v] < machine_.upper[v] : machine_.alpha[v] > 0;
    }
    bool falls(Index v) const {
        return machine_.sign[v] > 0 ? machine_.alpha[v] > 0 : machine_.alpha[v] < machine_.upper[v];
    }
    double value_of(Index i) const { // b_i
        double sum = 0;
        for (Index v = i; v < variables(); v += n_) sum += machine_.sign[v] * machine_.alpha[v];
        return sum;
    }

    // gradient = K b at the start.
    void start_gradient() {
        if (machine_.known) {
            std::copy(machine_.gradient, machine_.gradient + n_, gradient_.begin());
        } else {
            add_all(*columns_, gradient_.data());
        }
    }

    void add_all(const Columns& columns, double* g) {
        std::vector<std::int32_t> ids;
        std::vector<double> factors;
        for (Index i = 0; i < n_; ++i) {
            const double b = value_of(i);
            if (b == 0) continue;
            ids.push_back(machine_.ids[i]);
            factors.push_back(b);
        }
        if (ids.empty()) return;
        add_kernel_rows(points_, columns, ids.data(), factors.data(),
                        static_cast<Index>(ids.size()), g);
        entries_ += static_cast<Index>(ids.size()) * columns.size();
    }

    template <typename Body>
    void for_active(const Body& body) const {
        for (Index h = 0; h < machine_.halves; ++h) {
            for (const std::int32_t i : active_) body(h * n_ + i);
        }
    }

    void find_extremes() {
        for (int g = 0; g < 2; ++g) {
            top_[g] = -kInfinity;
            bottom_[g] = kInfinity;
        }
        for_active([&](Index v) {
            const double s = score(v);
            const int g = group(v);
            if (rises(v) && !(s <= top_[g])) top_[g] = s;
            if (falls(v) && !(s >= bottom_[g])) bottom_[g] = s;
        });
    }

    double largest_violation() const {
        double most = 0;
        for (int g = 0; g < groups_; ++g) {
            if (std::isnan(top_[g]) || std::isnan(bottom_[g])) return std::nan("");
            most = std::max(most, top_[g] - bottom_[g]);
        }
        return most;
    }

    // Most of the old working set stays, the variables that violate most join it: those of largest
    // score that may rise and those of smallest that may fall, and so the pair that violates most.
    void choose() {
        if (variables() <= most_) { // all of them
            working_.resize(static_cast<std::size_t>(variables()));
            std::iota(working_.begin(), working_.end(), 0);
            return;
        }
        ++stamp_;
        std::vector<std::int32_t> next;
        const std::size_t keep = working_.size() - working_.size() / kNewPart;
        kept_.clear();
        for (std::size_t k = working_.size() - keep; k < working_.size(); ++k) {
            if (place_[point(working_[k])] < 0) continue; // left out
            kept_.push_back(static_cast<Index>(k));
            next.push_back(working_[k]);
            chosen_[working_[k]] = stamp_;
        }
        struct Candidate {
            double score;
            std::int32_t variable;
            bool operator<(const Candidate& other) const {
                return score < other.score || (score == other.score && variable < other.variable);
            }
        };
        std::vector<Candidate> rising[2], falling[2];
        for_active([&](Index v) {
            if (chosen_[v] == stamp_) return;
            const double s = score(v);
            const int g = group(v);
            if (rises(v) && s > bottom_[g]) rising[g].push_back({-s, static_cast<std::int32_t>(v)});
            if (falls(v) && s < top_[g]) falling[g].push_back({s, static_cast<std::int32_t>(v)});
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
        for (int g = 0; g < groups_; ++g) {
            take(rising[g], room / 2 / groups_);
            take(falling[g], room / 2 / groups_);
        }
        working_ = std::move(next);
    }

    // Kernel rows of the working set, computed where they are not kept.
    void fetch_rows() {
        rows_.assign(working_.size(), nullptr);
        std::vector<std::int32_t> missing;
        std::vector<float*> to;
        for (std::size_t k = 0; k < working_.size(); ++k) {
            rows_[k] = cache_.find(point(working_[k]));
        }
        for (std::size_t k = 0; k < working_.size(); ++k) {
            const Index i = point(working_[k]);
            if (rows_[k]) continue;
            rows_[k] = cache_.find(i); // made for the other variable of this point
            if (rows_[k]) continue;
            rows_[k] = cache_.make(i);
            missing.push_back(static_cast<std::int32_t>(i));
            to.push_back(rows_[k]);
        }
        if (!missing.empty()) compute_rows(missing, to);
    }

    void compute_rows(const std::vector<std::int32_t>& rows, const std::vector<float*>& to) {
        const Index count = static_cast<Index>(rows.size());
        const Index width = static_cast<Index>(active_.size());
        const std::vector<std::int32_t> ids = ids_of(rows);
        if (!machine_.shared.empty() && !shrunken()) return compute_shared(rows, ids, to);
        const runtime::Blocks blocks{width, kColumnBlock};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                columns_->rows(points_, ids.data(), count, blocks.begin(b), blocks.end(b),
                               to.data());
            },
            count * width < 20000 ? 1 : 0);
        entries_ += count * width;
    }

    // The same where values within a class are at hand.
    void compute_shared(const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& ids,
                        const std::vector<float*>& to) {
        for (const SharedBlock& block : machine_.shared) {
            std::vector<std::int32_t> some;
            std::vector<float*> out;
            for (std::size_t k = 0; k < rows.size(); ++k) {
                if (rows[k] < block.begin || rows[k] >= block.begin + block.size) continue;
                some.push_back(ids[k]);
                out.push_back(to[k]);
            }
            const Index count = static_cast<Index>(some.size());
            const Index first = block.begin / kPanel * kPanel, end = block.begin + block.size;
            const Index last = end / kPanel * kPanel;
            if (first > 0) columns_->rows(points_, some.data(), count, 0, first, out.data());
            if (block.begin > first) {
                columns_->rows(points_, some.data(), count, first, block.begin, out.data());
            }
            if (end < n_) columns_->rows(points_, some.data(), count, last, n_, out.data());
            entries_ += count * (n_ - block.size);
            for (std::size_t k = 0; k < rows.size(); ++k) {
                if (rows[k] < block.begin || rows[k] >= end) continue;
                const float* const from = block.values + (rows[k] - block.begin) * block.size;
                std::copy(from, from + block.size, to[k] + block.begin);
            }
        }
    }

    void fill_block() {
        const Index size = static_cast<Index>(working_.size()), room = padded(size);
        std::vector<std::int32_t> places(static_cast<std::size_t>(size));
        for (Index k = 0; k < size; ++k) places[k] = place_[point(working_[k])];
        // Values between variables that stayed lie in the old block; those of the new ones are read
        // from their rows, once for both orders.
        std::swap(kernel_, old_kernel_);
        const Index stayed = static_cast<Index>(kept_.size());
        for (Index k = 0; k < size; ++k) {
            float* const row = kernel_.data() + k * room;
            if (k < stayed) {
                const float* const old = old_kernel_.data() + kept_[k] * old_room_;
                for (Index l = 0; l < stayed; ++l) row[l] = old[kept_[l]];
            } else {
                for (Index l = 0; l <= k; ++l) {
                    const float value = rows_[k][places[l]];
                    row[l] = value;
                    kernel_[l * room + k] = value;
                }
            }
            std::fill(row + size, row + room, 0.0f);
        }
        old_room_ = room;
        std::fill(up_.begin(), up_.begin() + groups_ * room, -kInfinity);
        std::fill(down_.begin(), down_.begin() + groups_ * room, kInfinity);
        for (Index k = 0; k < size; ++k) {
            const Index v = working_[k];
            score_[k] = score(v);
            sign_[k] = machine_.sign[v];
            upper_[k] = machine_.upper[v];
            alpha_[k] = machine_.alpha[v];
            small_diagonal_[k] = diagonal_[point(v)];
            group_[k] = group(v);
            if (rises(v)) up_[group_[k] * room + k] = 0;
            if (falls(v)) down_[group_[k] * room + k] = 0;
        }
        for (Index k = size; k < room; ++k) score_[k] = small_diagonal_[k] = 0;
    }

    void round(double violation, double past) {
        choose();
        fetch_rows();
        fill_block();
        // Where a round did not help, the next one goes further.
        const Index size = static_cast<Index>(working_.size());
        const bool whole = size == variables();
        const double share = whole ? 0 : violation < past ? 0.1 : 0.05;
        const double tol = std::max(share * violation, 0.5 * settings_.tol);
        const Index limit =
            std::min(settings_.max_steps - steps_, whole ? kLongRound : 40 * size + 1000);
        const BlockResult found =
            solver_kernels().solve({padded(size), kernel_.data(), small_diagonal_.data(),
                                    score_.data(), up_.data(), down_.data(), groups_, sign_.data(),
                                    upper_.data(), group_.data(), alpha_.data(), tol, limit});
        steps_ += found.steps;
        std::vector<const float*> rows;
        std::vector<double> factors;
        for (Index k = 0; k < size; ++k) {
            const Index v = working_[k];
            const double change = sign_[k] * (alpha_[k] - machine_.alpha[v]);
            machine_.alpha[v] = alpha_[k];
            if (change == 0) continue;
            rows.push_back(rows_[k]);
            factors.push_back(change);
            largest_change_ = std::max(largest_change_, std::abs(alpha_[k] * diagonal_[point(v)]));
        }
        // Below what rounding leaves of the scores, steps lead nowhere.
        const double noise =
            kRounding * (largest_change_ + std::max(std::abs(top_[0]), std::abs(bottom_[0])));
        stalled_ = factors.empty() || violation <= noise;
        const Index width = static_cast<Index>(active_.size());
        const Index count = static_cast<Index>(rows.size());
        const runtime::Blocks blocks{width, kUpdateBlock};
        runtime::parallel_for(
            blocks.count(),
            [&](Index b) {
                solver_kernels().add_rows(rows.data(), factors.data(), count, blocks.begin(b),
                                          blocks.end(b), gradient_.data());
            },
            count * width < 100000 ? 1 : 0);
    }

    // A variable at its bound whose score says that it will stay there.
    bool stays(Index v) const {
        const int g = group(v);
        const bool up = rises(v), down = falls(v);
        if (up && down) return false;
        if (up) return score(v) < bottom_[g];
        if (down) return score(v) > top_[g];
        return true; // upper is 0
    }

    void shrink() {
        std::vector<std::int32_t> kept, columns;
        for (std::size_t k = 0; k < active_.size(); ++k) {
            bool all = true;
            for (Index v = active_[k]; v < variables(); v += n_) all = all && stays(v);
            if (all) continue;
            kept.push_back(active_[k]);
            columns.push_back(static_cast<std::int32_t>(k));
        }
        if (static_cast<double>(kept.size()) >
            kWorthShrinking * static_cast<double>(active_.size())) {
            return;
        }
        const Index width = static_cast<Index>(kept.size());
        for (const std::int32_t i : active_) place_[i] = -1;
        for (Index k = 0; k < width; ++k) {
            place_[kept[k]] = static_cast<std::int32_t>(k);
            gradient_[k] = gradient_[columns[k]];
        }
        cache_.shrink(place_, columns, padded(width));
        active_ = std::move(kept);
        columns_ = points_.columns(ids_of(active_).data(), width);
    }

    std::vector<std::int32_t> ids_of(const std::vector<std::int32_t>& places) const {
        std::vector<std::int32_t> ids;
        ids.reserve(places.size());
        for (const std::int32_t i : places) ids.push_back(machine_.ids[i]);
        return ids;
    }

    // Brings all points back, the gradient of those left out computed anew. Tells whether there is
    // more to do.
    bool restore() {
        std::vector<std::int32_t> out;
        for (Index i = 0; i < n_; ++i) {
            if (place_[i] < 0) out.push_back(static_cast<std::int32_t>(i));
        }
        const Index count = static_cast<Index>(out.size());
        std::vector<double> g(static_cast<std::size_t>(padded(count)), 0.0);
        add_all(*points_.columns(ids_of(out).data(), count), g.data());
        std::vector<double> whole(static_cast<std::size_t>(n_));
        for (std::size_t k = 0; k < active_.size(); ++k) whole[active_[k]] = gradient_[k];
        for (Index k = 0; k < count; ++k) whole[out[k]] = g[k];
        gradient_ = std::move(whole);
        active_.resize(static_cast<std::size_t>(n_));
        std::iota(active_.begin(), active_.end(), 0);
        place_ = active_;
        ++unshrinks_;
        find_extremes();
        if (!(largest_violation() >= settings_.tol) || steps_ >= settings_.max_steps) return false;
        stalled_ = false;
        cache_.clear();
        columns_ = points_.columns(machine_.ids.data, n_);
        return true;
    }

    // The level of the scores: their mean over the free variables, or the middle of what the
    // bounds leave (Chang and Lin 2011, section 4.1.5).
    double level(int g) const {
        double sum = 0;
        Index count = 0;
        for_active([&](Index v) {
            if (group(v) != g || !rises(v) || !falls(v)) return;
            sum += score(v);
            ++count;
        });
        if (count > 0) return sum / static_cast<double>(count);
        const bool high = std::isfinite(bottom_[g]), low = std::isfinite(top_[g]);
        return high && low ? (top_[g] + bottom_[g]) / 2 : high ? bottom_[g] : low ? top_[g] : 0;
    }

    Solution finish() {
        find_extremes();
        double value = 0;
        for (Index i = 0; i < n_; ++i) value += 0.5 * value_of(i) * gradient_[i];
        for (Index v = 0; v < variables(); ++v) {
            value += machine_.offset[v] * machine_.sign[v] * machine_.alpha[v];
        }
        std::copy(gradient_.begin(), gradient_.begin() + n_, machine_.gradient);
        const double first = level(0), second = groups_ == 2 ? level(1) : first;
        // Scores are -(K b): b_i k(x_i, x) - rho is zero on the boundary.
        const double rho = -(first + second) / 2, r = (second - first) / 2;
        return {rho, r, value, largest_violation(), steps_, entries_};
    }

    const Points& points_;
    const Machine& machine_;
    const Settings& settings_;
    Index n_;
    int groups_;
    Index most_; // size of the working set
    std::unique_ptr<Columns> columns_;
    RowCache cache_;
    std::vector<std::int32_t> active_; // points, ascending
    std::vector<std::int32_t> place_;  // of a point in active_, -1 where it is left out
    std::vector<double> gradient_;     // K b at the active points
    std::vector<float> diagonal_;
    std::vector<std::uint32_t> chosen_; // the round in which a variable was chosen last
    std::uint32_t stamp_ = 0;
    double top_[2], bottom_[2];
    std::vector<std::int32_t> working_;
    std::vector<float*> rows_;
    // The block of the working set.
    std::vector<float> kernel_, old_kernel_, small_diagonal_;
    std::vector<Index> kept_; // places in the working set before of those that stayed
    Index old_room_ = 0;
    std::vector<double> score_, sign_, upper_, alpha_, up_, down_;
    std::vector<std::int32_t> group_;
    Index steps_ = 0, entries_ = 0, rounds_ = 0;
    int unshrinks_ = 0;
    bool stalled_ = false;
    double largest_change_ = 0;
};

} // namespace

void solve_all(const Points& points, const std::vector<Machine>& machines, Settings settings,
               Solution* solutions) {
    const Index count = static_cast<Index>(machines.size());
    const bool side_by_side = count >= kSideBySide;
    // The size of working sets must not depend on the threads; what is kept of the rows may.
    settings.working = settings.cache / (side_by_side ? 2 * kSideBySide : 2);
    if (side_by_side) settings.cache /= std::min<Index>(count, runtime::num_threads());
    const auto one = [&](Index k) { solutions[k] = Solver(points, machines[k], settings).run(); };
    if (side_by_side) {
        runtime::parallel_for(count, one);
    } else {
        for (Index k = 0; k < count; ++k) one(k);
    }
}

} // namespace gramian::svm
