#include "core/boost/rows.hpp"

#include "core/runtime/isa.hpp"
#include "core/runtime/pool.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

GRAMIAN_DISPATCH(boost, HistKernels, hist_kernels, hist_table)

namespace gramian::boost {
namespace {

constexpr Index kSerialRows = 8192;        // below it a pass over rows takes a few microseconds
constexpr Index kFewRows = Index(1) << 18; // 2^25 units are a hundred each

int bits_for(Index n) {
    int bits = 1;
    while ((Index(1) << bits) <= n) ++bits;
    return bits;
}

std::array<std::uint8_t, 256> flags_of(const SlotSet& set) {
    std::array<std::uint8_t, 256> flags{};
    for (int slot = 0; slot < 256; ++slot) flags[slot] = has_slot(set, slot);
    return flags;
}

} // namespace

HistShape::HistShape(Index columns, const std::uint8_t* missing_code)
    : columns(columns), groups(groups_of(columns)), missing_code(missing_code) {
    for (Index g = 0; g < groups; ++g) {
        start.push_back(size);
        size += 3 * slots(g) * kGroup;
    }
}

// The units are so small that the mean gradient has about a hundred of them or more, so large that
// no field of a cell overflows before the cells are flushed. Samples of 14 bits do for that in
// blocks of 4096 rows. Where a few gradients are far above the others, either all rows together fit
// the fields, or blocks are shorter and samples have four bits more.
CellLayout choose_layout(const SampleSizes& sizes, Index rows, bool has_hessian) {
    const double n = static_cast<double>(rows);
    CellLayout layout{};
    layout.count_bits = 13;
    layout.hessian_bits = has_hessian ? 25 : 0;
    layout.rows = 4096;
    double gradient_unit = sizes.largest_gradient / 8191,
           hessian_unit = sizes.largest_hessian / 8191;
    if (!has_hessian) {
        gradient_unit = sizes.largest_gradient / std::ldexp(1.0, std::min(37, 50 - bits_for(rows)));
    } else if (sizes.largest_gradient * n > 64 * sizes.sum_of_gradients) {
        if (rows <= kFewRows) {
            const double most = std::ldexp(1.0, 25) - n; // rounding adds up to half a unit a row
            gradient_unit = sizes.sum_of_gradients / most;
            hessian_unit = sizes.sum_of_hessians / most;
        } else {
            layout.count_bits = 10;
            layout.hessian_bits = 27;
            layout.rows = 512;
            gradient_unit = sizes.largest_gradient / 131071;
            hessian_unit = sizes.largest_hessian / 262143;
        }
    }
    layout.gradient_scale = gradient_unit > 0 ? gradient_unit : 1.0;
    layout.hessian_scale = hessian_unit > 0 ? hessian_unit : 1.0;
    return layout;
}

LeafRows::LeafRows(const std::uint8_t* codes, Index rows, HistShape shape)
    : codes_(codes), rows_(rows), shape_(std::move(shape)) {
    for (int side : {0, 1}) {
        row_buffer_[side].resize(rows_);
        sample_buffer_[side].resize(rows_);
    }
}

SampleSizes LeafRows::largest(const float* gradient, const float* hessian, Index n) {
    const runtime::Blocks blocks{n, 4 * kRowBlock};
    std::vector<SampleSizes> parts(blocks.count());
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            parts[b] = hist_table().largest(gradient + begin, hessian ? hessian + begin : nullptr,
                                            blocks.end(b) - begin);
        },
        n < kSerialRows ? 1 : 0);
    SampleSizes all;
    for (const SampleSizes& part : parts) {
        all.largest_gradient = std::max(all.largest_gradient, part.largest_gradient);
        all.largest_hessian = std::max(all.largest_hessian, part.largest_hessian);
    }
    return all;
}

SizeSums LeafRows::size_sums(const float* gradient, const float* hessian, Index n,
                             const SumDigits& digits) {
    const runtime::Blocks blocks{n, 4 * kRowBlock};
    std::vector<SizeSums> parts(blocks.count());
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            parts[b] = hist_table().size_sums(gradient + begin, hessian ? hessian + begin : nullptr,
                                              blocks.end(b) - begin, digits);
        },
        n < kSerialRows ? 1 : 0);
    SizeSums all;
    for (const SizeSums& part : parts) {
        all.gradients.add(part.gradients);
        all.hessians.add(part.hessians);
    }
    return all;
}

void LeafRows::pack(const float* gradient, const float* hessian, const CellLayout& layout) {
    layout_ = layout;
    const runtime::Blocks blocks{rows_, kRowBlock};
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            const Index begin = blocks.begin(b);
            hist_table().pack(gradient + begin, hessian ? hessian + begin : nullptr,
                              blocks.end(b) - begin, layout_, root_samples() + begin);
        },
        rows_ < kSerialRows ? 1 : 0);
}

Index LeafRows::chunks_for(Index n) const {
    return std::clamp<Index>(n / (4 * kRowBlock), 1, std::max<Index>(1, 8 / shape_.groups));
}

void LeafRows::build(const Range& leaf, double* hist, Index group, Index chunk, Index chunks) {
    const HistKernels& kernels = hist_table();
    const Index size = shape_.slots(group) * kGroup;
    const Index n = leaf.size();
    const Index begin = leaf.begin + n * chunk / chunks,
                end = leaf.begin + n * (chunk + 1) / chunks;
    const std::uint8_t* codes = codes_ + group * rows_ * kGroup;
    const int columns = columns_in(group, shape_.columns);
    const Cells sums = shape_.cells(hist, group, layout_);
    thread_local std::array<std::uint64_t, 256 * kGroup> empty_cells{}; // a flush empties them
    std::uint64_t* block = empty_cells.data();
    for (Index i = begin; i < end; i += layout_.rows) {
        const Index m = std::min(layout_.rows, end - i);
        if (leaf.side < 0) {
            kernels.add(codes + i * kGroup, nullptr, root_samples() + i, m, columns, block);
        } else {
            kernels.add(codes, row_buffer_[leaf.side].data() + i,
                        sample_buffer_[leaf.side].data() + i, m, columns, block);
        }
        kernels.flush(block, size, columns, layout_, i == begin, sums);
    }
    if (begin == end) std::fill_n(sums.gradient, 3 * size, 0.0);
}

// How many rows of a leaf go left.
Index LeafRows::count(const Range& leaf, Index feature, const GoesLeft& goes_left) const {
    const std::uint8_t* codes = codes_of(feature);
    const runtime::Blocks blocks{leaf.size(), 4 * kRowBlock};
    std::vector<Index> parts(blocks.count());
    runtime::parallel_for(
        blocks.count(),
        [&](Index b) {
            Index found = 0;
            for (Index i = leaf.begin + blocks.begin(b); i < leaf.begin + blocks.end(b); ++i) {
                const Index row = leaf.side < 0 ? i : Index(row_buffer_[leaf.side][i]);
                found += goes_left[codes[row * kGroup]];
            }
            parts[b] = found;
        },
        leaf.size() < kSerialRows ? 1 : 0);
    return std::accumulate(parts.begin(), parts.end(), Index(0));
}

// Where few of the rows go to one of the children, only the rows that are on the wrong side change
// places. A pass over so many rows takes about 100 microseconds on one thread.
int LeafRows::divide(const Range& leaf, Index n_left, Index feature, const SlotSet& left) {
    const Index n = leaf.size();
    const GoesLeft goes_left = flags_of(left);
    if (leaf.side >= 0 && n <= 16 * kRowBlock && 8 * std::min(n_left, n - n_left) <= n) {
        exchange(leaf, n_left, feature, goes_left);
        return leaf.side;
    }
    partition(leaf, n_left, feature, goes_left);
    return leaf.side == 0 ? 1 : 0;
}

std::array<Range, 2> LeafRows::divide(const Range& leaf, Index feature, const SlotSet& left) {
    const GoesLeft goes_left = flags_of(left);
    Index n_left;
    int side = leaf.side == 0 ? 1 : 0;
    if (runtime::num_threads() == 1 || leaf.size() < kSerialRows) {
        n_left = partition_to_ends(leaf, feature, goes_left);
    } else {
        n_left = count(leaf, feature, goes_left);
        side = divide(leaf, n_left, feature, left);
    }
    const Index middle = leaf.begin + n_left;
    return {Range{leaf.begin, middle, side}, Range{middle, leaf.end, side}};
}

// Rows among the first n_left that go right change places with rows among the others that go left.
// Their places are listed in the buffer that the leaf does not use.
void LeafRows::exchange(const Range& parent, Index n_left, Index feature,
                        const GoesLeft& goes_left) {
    const std::uint8_t* codes = codes_of(feature);
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

// What a partition reads and writes: the rows of the parent and their samples go from one buffer to
// the other.
struct LeafRows::Transfer {
    const std::uint8_t* codes;
    const GoesLeft& goes_left;
    const std::uint32_t* from_rows; // none: row i is at place i
    const std::uint64_t* from_samples;
    std::uint32_t* to_rows;
    std::uint64_t* to_samples;

    std::uint32_t row_at(Index i) const {
        return from_rows ? from_rows[i] : static_cast<std::uint32_t>(i);
    }
    bool goes_first(std::uint32_t row) const { return goes_left[codes[Index(row) * kGroup]] != 0; }
    // Chosen by arithmetic: compilers make a condition a jump, which cannot be predicted here.
    void put(bool first, Index left, Index right, std::uint32_t row, Index i) const {
        const Index at = right + ((left - right) & -Index(first));
        to_rows[at] = row;
        to_samples[at] = from_samples[i];
    }
};

LeafRows::Transfer LeafRows::transfer(const Range& parent, Index feature,
                                      const GoesLeft& goes_left) {
    const int to = parent.side == 0 ? 1 : 0;
    const bool is_root = parent.side < 0;
    return {codes_of(feature),
            goes_left,
            is_root ? nullptr : row_buffer_[parent.side].data(),
            is_root ? root_samples() : sample_buffer_[parent.side].data(),
            row_buffer_[to].data(),
            sample_buffer_[to].data()};
}

// Rows [begin, end) of the parent go to the other buffer: the n_left of the first child, then the
// others, both in their order.
void LeafRows::partition(const Range& parent, Index n_left, Index feature,
                         const GoesLeft& goes_left) {
    const Transfer rows = transfer(parent, feature, goes_left);
    // Rows [begin, end) in order; children's rows are written from `left` and `right` upwards.
    const auto move = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = begin; i < end; ++i) {
            const std::uint32_t row = rows.row_at(i);
            const bool first = rows.goes_first(row);
            rows.put(first, left, right, row, i);
            left += first;
            right += !first;
        }
    };
    // The same from the last row to the first, written downwards from below `left` and `right`.
    const auto move_back = [&](Index begin, Index end, Index left, Index right) {
        for (Index i = end; i-- > begin;) {
            const std::uint32_t row = rows.row_at(i);
            const bool first = rows.goes_first(row);
            left -= first;
            right -= !first;
            rows.put(first, left, right, row, i);
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
            count += rows.goes_first(rows.row_at(i));
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

// The same in one pass, where the number of rows that go left is not known: these are written from
// the front, the others from the back, so that their order turns round. Returns how many go left.
Index LeafRows::partition_to_ends(const Range& parent, Index feature, const GoesLeft& goes_left) {
    const Transfer rows = transfer(parent, feature, goes_left);
    Index left = parent.begin, right = parent.end - 1;
    for (Index i = parent.begin; i < parent.end; ++i) {
        const std::uint32_t row = rows.row_at(i);
        const bool first = rows.goes_first(row);
        rows.put(first, left, right, row, i);
        left += first;
        right -= !first;
    }
    return left - parent.begin;
}

// body(number of the leaf, first and last place of a block of its rows, block number).
template <typename Body>
void LeafRows::for_leaf_blocks(const std::vector<Range>& leaves, Body&& body) const {
    std::vector<std::pair<Index, Index>> tasks;
    for (std::size_t l = 0; l < leaves.size(); ++l) {
        for (Index i = leaves[l].begin; i < leaves[l].end; i += kRowBlock) {
            tasks.emplace_back(static_cast<Index>(l), i);
        }
    }
    runtime::parallel_for(
        static_cast<Index>(tasks.size()),
        [&](Index t) {
            const auto [l, begin] = tasks[t];
            body(l, begin, std::min(begin + kRowBlock, leaves[l].end), t);
        },
        rows_ < kSerialRows ? 1 : 0);
}

std::vector<LeafSums> LeafRows::sums(const std::vector<Range>& leaves, const float* gradient,
                                     const float* hessian, const SumDigits& digits) const {
    Index n_blocks = 0;
    for (const Range& leaf : leaves) n_blocks += (leaf.size() + kRowBlock - 1) / kRowBlock;
    std::vector<std::pair<Index, LeafSums>> parts(n_blocks);
    for_leaf_blocks(leaves, [&](Index l, Index begin, Index end, Index t) {
        const int side = leaves[l].side;
        const Index first = side < 0 ? begin : 0;
        parts[t] = {l, hist_table().leaf_sums(gradient + first, hessian ? hessian + first : nullptr,
                                              side < 0 ? nullptr : row_buffer_[side].data() + begin,
                                              end - begin, digits)};
    });
    std::vector<LeafSums> sums(leaves.size());
    for (const auto& [leaf, part] : parts) sums[leaf].add(part);
    return sums;
}

void LeafRows::add(const std::vector<Range>& leaves, const double* values, double* score) const {
    for_leaf_blocks(leaves, [&](Index l, Index begin, Index end, Index) {
        const double value = values[l];
        if (leaves[l].side < 0) {
            for (Index i = begin; i < end; ++i) score[i] += value;
        } else {
            const std::uint32_t* rows = row_buffer_[leaves[l].side].data();
            for (Index i = begin; i < end; ++i) score[rows[i]] += value;
        }
    });
}

void LeafRows::name(const std::vector<Range>& leaves, const std::int32_t* names,
                    std::int32_t* out) const {
    for_leaf_blocks(leaves, [&](Index l, Index begin, Index end, Index) {
        const int side = leaves[l].side;
        for (Index i = begin; i < end; ++i)
            out[side < 0 ? i : Index(row_buffer_[side][i])] = names[l];
    });
}

double LeafRows::quantile(const Range& leaf, const double* residual, const double* weights,
                          double q) const {
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
    return value;
}

} // namespace gramian::boost
