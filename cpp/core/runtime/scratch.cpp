#include "core/runtime/scratch.hpp"

namespace gramian::runtime {
namespace {

thread_local Scratch* first_of_this_thread = nullptr;

} // namespace

Scratch::Scratch() : next_(std::exchange(first_of_this_thread, this)) {}

Scratch::~Scratch() { // thread-local objects are destroyed in reverse order of construction
    first_of_this_thread = next_;
}

void Scratch::end_of_region() {
    for (Scratch* scratch = first_of_this_thread; scratch; scratch = scratch->next_) {
        scratch->free_if_large();
    }
}

} // namespace gramian::runtime
