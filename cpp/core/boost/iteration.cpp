#include "core/boost/iteration.hpp"

#include "core/runtime/pool.hpp"

#include <utility>

namespace gramian::boost {

IterationGrower::IterationGrower(const std::uint8_t* codes, Index rows, GrowColumns columns,
                                 Options options, Index scores)
    : codes_(codes), rows_(rows), columns_(std::move(columns)), options_(options), nodes_(scores) {}

std::unique_ptr<TreeGrower> IterationGrower::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            std::unique_ptr<TreeGrower> grower = std::move(idle_.back());
            idle_.pop_back();
            return grower;
        }
    }
    return std::make_unique<TreeGrower>(codes_, rows_, columns_, options_);
}

void IterationGrower::give_back(std::unique_ptr<TreeGrower> grower) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(grower));
}

void IterationGrower::grow(const float* gradient, const float* hessian, bool damped,
                           std::uint64_t seed, std::uint64_t first_tree, double rate,
                           double* score) {
    const auto grow_one = [&](Index k) {
        std::unique_ptr<TreeGrower> grower = take();
        grower->grow(gradient + k * rows_, hessian ? hessian + k * rows_ : nullptr, damped, seed,
                     first_tree + static_cast<std::uint64_t>(k));
        nodes_[k] = grower->nodes();
        std::vector<double> values;
        for (const GrownNode& node : nodes_[k]) values.push_back(rate * node.value);
        grower->add(values.data(), score + k * rows_);
        give_back(std::move(grower));
    };
    // One tree that would be left over while the other threads rest is grown by all of them.
    const Index left_over = scores() % runtime::num_threads() == 1 ? 1 : 0;
    runtime::parallel_for(scores() - left_over, grow_one);
    if (left_over > 0) grow_one(scores() - 1);
}

} // namespace gramian::boost
