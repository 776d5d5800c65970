// AdaBoost: the best stump for changing weights, and the weights.
#include "bind/codes.hpp"
#include "core/boost/stump.hpp"
#include "core/boost/weights.hpp"

#include <memory>

namespace gramian::bind {
namespace {

// A search with the arrays it reads.
template <typename T>
struct Search {
    nb::list arrays;
    std::unique_ptr<boost::StumpSearch<T>> search;
};

template <typename T>
void bind_stump(nb::module_& m, const char* name) {
    nb::class_<Search<T>>(m, name, "Finds the best tree of one split for changing weights.")
        .def(
            "__init__",
            [](Search<T>* self, const In2<T>& X, const In1<Index>& starts,
               const In3<std::uint8_t>& codes, const In2<double>& cuts,
               const In1<std::int32_t>& n_cuts) {
                const Index d = static_cast<Index>(X.shape(1));
                require(length(starts) >= 2 && starts.data()[0] == 0 &&
                            starts.data()[length(starts) - 1] == length(X),
                        "starts from 0 to the number of rows");
                for (Index c = 1; c < length(starts); ++c) {
                    require(starts.data()[c - 1] <= starts.data()[c], "rising starts");
                }
                require(length(codes) == boost::groups_of(d) && codes.shape(1) == X.shape(0) &&
                            codes.shape(2) == boost::kGroup && length(cuts) == d &&
                            length(n_cuts) == d,
                        "codes of shape (groups, rows, 8), cuts of every column");
                nb::list arrays;
                for (const nb::object& array :
                     {nb::cast(X), nb::cast(codes), nb::cast(cuts), nb::cast(n_cuts)}) {
                    arrays.append(array);
                }
                std::unique_ptr<boost::StumpSearch<T>> search;
                {
                    const GilRelease release;
                    search = std::make_unique<boost::StumpSearch<T>>(
                        view<T>(X), view<Index>(starts), codes.data(), view<double>(cuts),
                        n_cuts.data());
                }
                new (self) Search<T>{std::move(arrays), std::move(search)};
            },
            "X"_a.noconvert(), "starts"_a.noconvert(), "codes"_a.noconvert(), "cuts"_a.noconvert(),
            "n_cuts"_a.noconvert())
        .def(
            "best",
            [](Search<T>& self, const In1<double>& weights, bool by_error,
               const Out1<std::uint8_t>& on_left) {
                require(length(weights) == self.search->rows() &&
                            length(on_left) == self.search->rows(),
                        "a weight and a side per row");
                boost::Stump stump;
                {
                    const GilRelease release;
                    stump = self.search->best(weights.data(),
                                              by_error ? boost::StumpCriterion::error
                                                       : boost::StumpCriterion::gini,
                                              on_left.data());
                }
                return std::tuple(stump.feature, stump.threshold, stump.left, stump.right);
            },
            "weights"_a.noconvert(), "by_error"_a, "on_left"_a.noconvert(),
            "Return feature (-1: none), threshold and each side's class weights of the best stump, "
            "and write\nthe side of each row.")
        .def(
            "wrong",
            [](const Search<T>& self, const In1<std::uint8_t>& on_left, Index left, Index right,
               const Out1<std::uint8_t>& wrong) {
                require(length(on_left) == self.search->rows() &&
                            length(wrong) == self.search->rows(),
                        "a side and an answer per row");
                self.search->wrong(on_left.data(), left, right, wrong.data());
            },
            "on_left"_a.noconvert(), "left"_a, "right"_a, "wrong"_a.noconvert(), Release(),
            "Write which rows are not of the class that their side predicts.");
}

} // namespace

void bind_adaboost(nb::module_& m) {
    m.def(
        "weight_of_wrong",
        [](const In1<double>& weights, const In1<std::uint8_t>& wrong) {
            require(length(weights) == length(wrong), "a weight and an answer per row");
            return boost::weight_of_wrong(weights.data(), wrong.data(), length(weights));
        },
        "weights"_a.noconvert(), "wrong"_a.noconvert(), Release(),
        "Return the weight of the wrong rows.");
    m.def(
        "reweigh",
        [](const Out1<double>& weights, const In1<std::uint8_t>& wrong, double factor) {
            require(length(weights) == length(wrong), "a weight and an answer per row");
            boost::reweigh(weights.data(), wrong.data(), length(weights), factor);
        },
        "weights"_a.noconvert(), "wrong"_a.noconvert(), "factor"_a, Release(),
        "Multiply the weights of wrong rows by a factor, then divide all by their sum.");
    bind_stump<float>(m, "StumpSearch32");
    bind_stump<double>(m, "StumpSearch64");
}

} // namespace gramian::bind
