// Memory in large pages, where the system has some at hand.
//
// A page is cleared when it is first written. Pages of 2 MB make that several times cheaper than
// pages of 4 KB; but a system whose free memory is in pieces moves other pages together to make
// each of them, which takes longer than many small ones. So they are asked for only where pieces of
// their size are free.
#pragma once

#include <cstddef>

namespace gramian::svm {

// Memory of so many bytes that is not touched until it is written; throws std::bad_alloc. To be
// given back with std::free.
void* allocate_untouched(std::size_t bytes);

// The bytes that are free in pieces of 2 MB or more, as the text of /proc/buddyinfo counts them:
// a line for each zone of memory, in it after the zone's name the number of free pieces of 1, 2, 4,
// ... pages. 0 for a text of another form.
std::size_t free_in_large_pieces(const char* text, std::size_t page_bytes);

} // namespace gramian::svm
