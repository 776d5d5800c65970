#include "core/boost/grower.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gramian::boost {
namespace {

constexpr Index kSerialRows = 8192; // below it a pass over rows takes a few microseconds

} // namespace

double careful_step(double x) {
    const double size = std::fabs(x);
    return size <= 2 ? x : std::copysign(2 + std::log1p(size - 2), x);
}

// Whether few of the parent's rows go to one of the children: then only the rows that are on the
// wrong side change places. A pass over so many rows takes about 100 microseconds on one thread.
bool TreeGrower::stays_in_place(const Leaf& parent, Index n_left) const {
    const Index n = parent.end - parent.begin;
    return parent.side >= 0 && n <= 16 * kRowBlock && 8 * std::min(n_left, n - n_left) <= n;
}

// Rows among the first n_left that go right change places with rows among the others that go left.
// Their places are listed in the buffer that the leaf does not use.
void TreeGrower::exchange(const Leaf& parent, Index n_left, const std::uint8_t* goes_left) {
    const Index feature = nodes_[parent.node].feature;
    const std::uint8_t* codes = codes_ + (feature / kGroup) * rows_ * kGroup + feature % kGroup;
    std::uint32_t* rows = row_buffer_[parent.side].data() + parent.begin;
    std::uint64_t* samples = sample_buffer_[parent.side].data() + parent.begin;
    const Index n = parent.end - parent.begin;
    // Each list is at most as long as the smaller child, which has an eighth of the places.
    std::uint32_t* wrong_left = row_buffer_[1 - parent.side].data() + parent.begin;
    std::uint32_t* wrong_right = wrong_left + n / 2;
    const auto list_wrong = [&](Index begin, Index end, std::uint8_t side, std::uint32_t* wrong) {
        Index found = 0;
        for (Index i = begin; i < end; ++i) {
            if (goes_left[codes[Index(rows[i]) * kGroup]] != side) {
                wrong[found++] = static_cast<std::uint32_t>(i);
            }
        }
        return found;
    };
    const Index found = list_wrong(0, n_left, 1, wrong_left);
    list_wrong(n_left, n, 0, wrong_right);
    for (Index k = 0; k < found; ++k) {
        std::swap(rows[wrong_left[k]], rows[wrong_right[k]]);
        std::swap(samples[wrong_left[k]], samples[wrong_right[k]]);
    }
}

// Rows [begin, end) of the parent go to the other buffer: the n_left of the first child, then the
// others, both in their order.
void TreeGrower::partition(const Leaf& parent, Index n_left, const std::uint8_t* goes_left) {
    const Index feature = nodes_[parent.node].feature;
    const std::uint8_t* codes = codes_ + (feature / kGroup) * rows_ * kGroup + feature % kGroup;
    const int to = parent.side == 0 ? 1 : 0;
    const std::uint32_t* from_rows = parent.side < 0 ? nullptr : row_buffer_[parent.side].data();
    const std::uint64_t* from_samples =
        parent.side < 0 ? root_samples() : sample_buffer_[parent.side].data();
    std::uint32_t* to_rows = row_buffer_[to].data();
    std::uint64_t* to_samples = sample_buffer_[to].data();
    const auto row_at = [&](Index i) {
        return from_rows ? from_rows[i] : static_cast<std::uint32_t>(i);
    };
    // Chosen by arithmetic: compilers make a condition a jump, which cannot be predicted here.
    const auto put = [&](bool first, Index left, Index right, std::uint32_t row, Index i) {
        const Index at = right + ((left - right) & -Index(first));
        to_rows[at] = row;
        to_samples[at] = from_samples[i];
    };
    const auto goes_first = [&](std::uint32_t row) {
        return goes_left[codes[Index(row) * kGroup]] != 0;
    };
    // Rows [begin, end) in order; children's rows are written from `left` and `right` upwards.
    const auto move = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = begin; i < end; ++i) {
            const std::uint32_t row = row_at(i);
            const bool first = goes_first(row);
            put(first, left, right, row, i);
            left += first;
            right += !first;
        }
    };
    // The same from the last row to the first, written downwards from below `left` and `right`.
    const auto move_back = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = end; i-- > begin;) {
            const std::uint32_t row = row_at(i);
            const bool first = goes_first(row);
            left -= first;
            right -= !first;
            put(first, left, right, row, i);
        }
    };
    const Index n = parent.end - parent.begin, middle = parent.begin + n / 2;
    const Index split = parent.begin + n_left;
    const runtime::Blocks blocks{n, kRowBlock};
    if (n < 2048) {
        move(parent.begin, parent.end, parent.begin, split);
        return;
    }
    // The number of rows that go left is known, so that two halves can be moved at once: one from
    // the front, one from the back.
    if (runtime::num_threads() <= 2 || blocks.count() < 8) {
        runtime::parallel_for(2, [&](Index half) {
            if (half == 0) {
                move(parent.begin, middle, parent.begin, split);
            } else {
                move_back(middle, parent.end, split, parent.end);
            }
        });
        return;
    }
    std::vector<Index> lefts(blocks.count());
    runtime::parallel_for(blocks.count(), [&](Index b) {
        Index count = 0;
        for (Index i = parent.begin + blocks.begin(b); i < parent.begin + blocks.end(b); ++i) {
            count += goes_first(row_at(i));
        }
        lefts[b] = count;
    });
    std::vector<Index> before(blocks.count());
    std::exclusive_scan(lefts.begin(), lefts.end(), before.begin(), Index(0));
    runtime::parallel_for(blocks.count(), [&](Index b) {
        const Index begin = blocks.begin(b);
        move(parent.begin + begin, parent.begin + blocks.end(b), parent.begin + before[b],
             split + begin - before[b]);
    });
}

// body(number of the leaf in done_, first and last place of a block of its rows, block number).
template <typename Body>
void TreeGrower::for_leaf_blocks(Body&& body) const {
    std::vector<std::pair<Index, Index>> tasks;
    for (std::size_t l = 0; l < done_.size(); ++l) {
        for (Index i = done_[l].begin; i < done_[l].end; i += kRowBlock) {
            tasks.emplace_back(static_cast<Index>(l), i);
        }
    }
    runtime::parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index t) {
            const auto [l, begin] = tasks[t];
            body(l, begin, std::min(begin + kRowBlock, done_[l].end), t);
        },
        rows_ < kSerialRows ? 1 : 0);
}

// Exact sums of the leaves from the gradients themselves, then of all nodes, then the values.
void TreeGrower::finish(const float* gradient, const float* hessian, bool careful) {
    struct Part {
        Index leaf = 0;
        double gradient = 0, hessian = 0, squares = 0;
    };
    Index n_parts = 0;
    for (const Leaf& leaf : done_) n_parts += (leaf.end - leaf.begin + kRowBlock - 1) / kRowBlock;
    std::vector<Part> parts(n_parts);
    for_leaf_blocks([&](Index l, Index begin, Index end, Index t) {
        const Leaf& leaf = done_[l];
        const std::uint32_t* rows = leaf.side < 0 ? nullptr : row_buffer_[leaf.side].data();
        double g = 0, h = 0, squares = 0;
        for (Index i = begin; i < end; ++i) {
            const Index row = rows ? Index(rows[i]) : i;
            g += gradient[row];
            squares += double(gradient[row]) * gradient[row];
            h += hessian ? hessian[row] : 1.0f;
        }
        parts[t] = {l, g, h, squares};
    });
    for (const Part& part : parts) {
        GrownNode& node = nodes_[done_[part.leaf].node];
        node.gradient += part.gradient;
        node.hessian += part.hessian;
        node.squares += part.squares;
    }
    for (const Leaf& leaf : done_) nodes_[leaf.node].count = leaf.end - leaf.begin;
    for (std::size_t k = nodes_.size(); k-- > 0;) {
        GrownNode& node = nodes_[k];
        if (node.first_child > 0) {
            for (const int child : {node.first_child, node.first_child + 1}) {
                node.count += nodes_[child].count;
                node.gradient += nodes_[child].gradient;
                node.hessian += nodes_[child].hessian;
                node.squares += nodes_[child].squares;
            }
        }
        const double curvature = node.hessian + options_.l2;
        node.value = curvature > 0 ? -node.gradient / curvature : 0.0;
        if (careful) node.value = careful_step(node.value);
    }
    const double unit = layout_.gradient_scale / layout_.hessian_scale; // of a value
    for (const Leaf& leaf : done_) {
        double& value = nodes_[leaf.node].value;
        value = std::clamp(value, leaf.low * unit, leaf.high * unit);
    }
}

void TreeGrower::add(const double* values, double* score) const {
    for_leaf_blocks([&](Index l, Index begin, Index end, Index) {
        const Leaf& leaf = done_[l];
        const double value = values[leaf.node];
        if (leaf.side < 0) {
            for (Index i = begin; i < end; ++i) score[i] += value;
        } else {
            const std::uint32_t* rows = row_buffer_[leaf.side].data();
            for (Index i = begin; i < end; ++i) score[rows[i]] += value;
        }
    });
}

void TreeGrower::leaves(std::int32_t* out) const {
    for_leaf_blocks([&](Index l, Index begin, Index end, Index) {
        const Leaf& leaf = done_[l];
        for (Index i = begin; i < end; ++i) {
            out[leaf.side < 0 ? i : Index(row_buffer_[leaf.side][i])] = leaf.node;
        }
    });
}

void TreeGrower::leaf_quantiles(const double* residual, const double* weights, double q,
                                double* values) const {
    runtime::parallel_for(
        static_cast<Index>(done_.size()),
        [&](Index l) {
            const Leaf& leaf = done_[l];
            std::vector<std::pair<double, double>> pairs; // residual and weight
            double total = 0;
            for (Index i = leaf.begin; i < leaf.end; ++i) {
                const Index row = leaf.side < 0 ? i : Index(row_buffer_[leaf.side][i]);
                pairs.emplace_back(residual[row], weights ? weights[row] : 1.0);
                total += pairs.back().second;
            }
            std::sort(pairs.begin(), pairs.end());
            // Half-way between the two values where q falls exactly between them.
            const double level = q * total, tolerance = 1e-12 * total;
            double sum = 0, value = pairs.back().first;
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                sum += pairs[i].second;
                if (sum < level - tolerance) continue;
                value = pairs[i].first;
                if (sum <= level + tolerance && i + 1 < pairs.size()) {
                    value = (value + pairs[i + 1].first) / 2;
                }
                break;
            }
            values[leaf.node] = value;
        },
        rows_ < kSerialRows ? 1 : 0);
}

} // namespace gramian::boost
