#include "core/losses/loss.hpp"

#include <iterator>
#include <stdexcept>
#include <string>

namespace gramian::losses {
namespace {

constexpr std::string_view kNames[] = {
    "squared",  "logistic",    "poisson", "squared_sigmoid",     "squared_hinge",
    "absolute", "quantile",    "huber",   "epsilon_insensitive", "squared_epsilon_insensitive",
    "gamma",    "exponential", "hinge",   "perceptron",          "modified_huber",
    "softmax"};
static_assert(std::size(kNames) == static_cast<std::size_t>(Loss::softmax) + 1);

} // namespace

Loss loss_named(std::string_view name) {
    for (std::size_t k = 0; k < std::size(kNames); ++k) {
        if (name == kNames[k]) return static_cast<Loss>(k);
    }
    throw std::invalid_argument("there is no loss named  " + std::string(name));
}

} // namespace gramian::losses
