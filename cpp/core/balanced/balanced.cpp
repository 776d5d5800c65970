#include "core/balanced/balanced.hpp"

#include "core/runtime/pool.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace gramian::balanced {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

// The cheapest move of a row from one cluster to another.
struct Move {
    double cost = kFar;
    std::int32_t row = -1;
};

class Assignment {
public:
    Assignment(Matrix<const double> costs, Index capacity, Vector<std::int32_t> labels)
        : costs_(costs), capacity_(capacity), labels_(labels),
          k_(static_cast<std::int32_t>(costs.cols)), members_(static_cast<std::size_t>(k_)),
          moves_(static_cast<std::size_t>(k_) * static_cast<std::size_t>(k_)),
          distance_(members_.size()), before_(members_.size()) {}

    void place(std::int32_t row) {
        search(row);
        std::int32_t end = -1;
        for (std::int32_t c = 0; c < k_; ++c) {
            const bool room = static_cast<Index>(members_[c].size()) < capacity_;
            if (room && (end < 0 || distance_[c] < distance_[end])) end = c;
        }
        // Backwards along the path, so that each move is still valid when it is made.
        while (before_[end] >= 0) {
            const std::int32_t from = before_[end];
            const std::int32_t moved = move(from, end).row;
            leave(moved, from);
            enter(moved, end);
            end = from;
        }
        enter(row, end);
    }

private:
    Move& move(std::int32_t a, std::int32_t b) {
        return moves_[static_cast<std::size_t>(a) * static_cast<std::size_t>(k_) +
                      static_cast<std::size_t>(b)];
    }

    // The cheapest paths from a new row to all clusters (Bellman and Ford).
    void search(std::int32_t row) {
        for (std::int32_t c = 0; c < k_; ++c) {
            distance_[c] = costs_(row, c);
            before_[c] = -1;
        }
        bool shorter = true;
        for (std::int32_t round = 1; shorter && round < k_; ++round) {
            shorter = false;
            for (std::int32_t a = 0; a < k_; ++a) {
                if (static_cast<Index>(members_[a].size()) < capacity_) continue; // paths end here
                for (std::int32_t b = 0; b < k_; ++b) {
                    const double detour = distance_[a] + move(a, b).cost;
                    // A smaller improvement is rounding and might cause an endless loop.
                    if (detour < distance_[b] - 1e-13 * (std::abs(distance_[b]) + 1e-300) &&
                        !passes(a, b)) {
                        distance_[b] = detour;
                        before_[b] = a;
                        shorter = true;
                    }
                }
            }
        }
    }

    // Whether the path to `a` passes through `b`.
    bool passes(std::int32_t a, std::int32_t b) const {
        for (; a >= 0; a = before_[a]) {
            if (a == b) return true;
        }
        return false;
    }

    void enter(std::int32_t row, std::int32_t a) {
        labels_[row] = a;
        members_[a].push_back(row);
        update_best_moves(row, a);
    }

    void update_best_moves(std::int32_t row, std::int32_t a) {
        for (std::int32_t b = 0; b < k_; ++b) {
            const double cost = costs_(row, b) - costs_(row, a);
            if (b != a && cost < move(a, b).cost) move(a, b) = {cost, row};
        }
    }

    void leave(std::int32_t row, std::int32_t a) {
        std::vector<std::int32_t>& own = members_[a];
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i] == row) {
                own[i] = own.back();
                own.pop_back();
                break;
            }
        }
        for (std::int32_t b = 0; b < k_; ++b) {
            Move& best = move(a, b);
            if (best.row != row) continue;
            best = {};
            for (const std::int32_t other : own) {
                const double cost = costs_(other, b) - costs_(other, a);
                if (cost < best.cost) best = {cost, other};
            }
        }
    }

    Matrix<const double> costs_;
    Index capacity_;
    Vector<std::int32_t> labels_;
    std::int32_t k_;
    std::vector<std::vector<std::int32_t>> members_;
    std::vector<Move> moves_;
    std::vector<double> distance_;
    std::vector<std::int32_t> before_;
};

} // namespace

double assign(Matrix<const double> costs, Index capacity, Vector<std::int32_t> labels) {
    Assignment assignment(costs, capacity, labels);
    for (Index i = 0; i < costs.rows; ++i) {
        if (i % 64 == 0) runtime::poll_interrupt();
        assignment.place(static_cast<std::int32_t>(i));
    }
    double total = 0;
    for (Index i = 0; i < costs.rows; ++i) total += costs(i, labels[i]);
    return total;
}

} // namespace gramian::balanced
