#include "core/linalg/subsets.hpp"

#include "core/runtime/pool.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gramian::linalg {
namespace {

// Columns in their order of strength, the first `fixed` of which stay.
struct Node {
    Index size = 0;
    Index fixed = 0;
    double rss = 0;
    std::vector<std::int32_t> columns;
    std::vector<double> C, b; // C with rows of `size`
};

class Search {
public:
    Search(Index largest, Vector<double> best, Vector<std::uint64_t> sets)
        : largest_(largest), best_(best), sets_(sets) {}

    Index nodes = 0;

    void open(Node& node, std::size_t depth) {
        if (++nodes % 1024 == 0) runtime::poll_interrupt();
        std::array<double, kMostColumns> rise;
        for (Index j = 0; j < node.size; ++j) {
            const auto at = static_cast<std::size_t>(j);
            rise[at] =
                node.b[at] * node.b[at] / node.C[static_cast<std::size_t>(j * node.size + j)];
        }
        sort_free(node, rise);
        for (Index j = node.fixed; j < node.size; ++j) {
            const double rss = node.rss + rise[static_cast<std::size_t>(j)];
            note(node, j, rss);
            // Below this child the sizes are j (all free columns after j gone) .. size - 1.
            const Index least = std::max<Index>(j, 1), most = std::min(node.size - 1, largest_);
            if (least > most || rss >= best_[least]) continue;
            if (j + 1 == node.size) continue; // nothing free is left below it
            if (children_.size() <= depth) children_.resize(depth + 1);
            Node child = std::move(children_[depth]);
            leave_out(node, j, rss, child);
            open(child, depth + 1);
            children_[depth] = std::move(child); // its memory serves the next one
        }
    }

private:
    // The set of the node without column j.
    void note(const Node& node, Index j, double rss) {
        const Index size = node.size - 1;
        if (size > largest_ || rss >= best_[size]) return;
        std::uint64_t bits = 0;
        for (Index k = 0; k < node.size; ++k) {
            if (k != j) bits |= std::uint64_t{1} << node.columns[static_cast<std::size_t>(k)];
        }
        best_[size] = rss;
        sets_[size] = bits;
    }

    // Free columns from the largest rise to the least.
    void sort_free(Node& node, std::array<double, kMostColumns>& rise) {
        const Index k = node.size;
        std::array<Index, kMostColumns> order;
        for (Index j = 0; j < k; ++j) order[static_cast<std::size_t>(j)] = j;
        std::stable_sort(order.begin() + node.fixed, order.begin() + k, [&](Index a, Index b) {
            return rise[static_cast<std::size_t>(a)] > rise[static_cast<std::size_t>(b)];
        });
        Node& to = sorted_;
        to.columns.resize(static_cast<std::size_t>(k));
        to.b.resize(static_cast<std::size_t>(k));
        to.C.resize(static_cast<std::size_t>(k * k));
        std::array<double, kMostColumns> risen;
        for (Index i = 0; i < k; ++i) {
            const auto at = static_cast<std::size_t>(order[static_cast<std::size_t>(i)]);
            to.columns[static_cast<std::size_t>(i)] = node.columns[at];
            to.b[static_cast<std::size_t>(i)] = node.b[at];
            risen[static_cast<std::size_t>(i)] = rise[at];
            const double* row = node.C.data() + static_cast<Index>(at) * k;
            double* out = to.C.data() + i * k;
            for (Index j = 0; j < k; ++j) out[j] = row[order[static_cast<std::size_t>(j)]];
        }
        std::swap(node.columns, to.columns);
        std::swap(node.b, to.b);
        std::swap(node.C, to.C);
        std::copy_n(risen.begin(), k, rise.begin());
    }

    static void leave_out(const Node& node, Index j, double rss, Node& child) {
        const Index k = node.size, m = k - 1;
        child.size = m;
        child.fixed = j;
        child.rss = rss;
        child.columns.resize(static_cast<std::size_t>(m));
        child.b.resize(static_cast<std::size_t>(m));
        child.C.resize(static_cast<std::size_t>(m * m));
        const double* pivot = node.C.data() + j * k;
        for (Index i = 0, to = 0; i < k; ++i) {
            if (i == j) continue;
            const double* row = node.C.data() + i * k;
            const double factor = row[j] / pivot[j];
            child.columns[static_cast<std::size_t>(to)] = node.columns[static_cast<std::size_t>(i)];
            child.b[static_cast<std::size_t>(to)] =
                node.b[static_cast<std::size_t>(i)] - factor * node.b[static_cast<std::size_t>(j)];
            double* out = child.C.data() + to * m;
            for (Index l = 0; l < j; ++l) out[l] = row[l] - factor * pivot[l];
            for (Index l = j + 1; l < k; ++l) out[l - 1] = row[l] - factor * pivot[l];
            ++to;
        }
    }

    Index largest_;
    Vector<double> best_;
    Vector<std::uint64_t> sets_;
    std::vector<Node> children_; // memory of the child at each depth
    Node sorted_;
};

} // namespace

Index best_subsets(Matrix<const double> C, Vector<const double> b, double rss, Index largest,
                   Vector<double> best, Vector<std::uint64_t> sets) {
    Node root;
    root.size = b.size;
    root.rss = rss;
    root.b.assign(b.begin(), b.end());
    root.C.assign(C.data, C.data + C.rows * C.cols);
    for (Index j = 0; j < b.size; ++j) root.columns.push_back(static_cast<std::int32_t>(j));
    if (b.size <= largest && rss < best[b.size]) {
        best[b.size] = rss;
        sets[b.size] = b.size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << b.size) - 1;
    }
    Search search(largest, best, sets);
    search.open(root, 0);
    return search.nodes;
}

} // namespace gramian::linalg
