// Releasing and acquiring Python's global interpreter lock (GIL).
//
// When the interpreter shuts down, Python before 3.14 ends every other thread that requests the GIL
// with pthread_exit. Its unwinding reaches noexcept functions of nanobind, which would abort the
// process. Such a thread sleeps here until the process ends, as in Python 3.14.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace gramian::bind {

template <typename Take>
auto lock_or_sleep(const Take& take) {
    try {
        return take();
    } catch (...) {
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

// Releases the GIL and acquires it again at the end of the scope.
class GilRelease {
public:
    GilRelease() : state_(PyEval_SaveThread()) {}
    ~GilRelease() {
        lock_or_sleep([this] { PyEval_RestoreThread(state_); });
    }
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

private:
    PyThreadState* state_;
};

// Acquires the GIL and releases it at the end of the scope.
class GilAcquire {
public:
    GilAcquire() : state_(lock_or_sleep([] { return PyGILState_Ensure(); })) {}
    ~GilAcquire() { PyGILState_Release(state_); }
    GilAcquire(const GilAcquire&) = delete;
    GilAcquire& operator=(const GilAcquire&) = delete;

private:
    PyGILState_STATE state_;
};

} // namespace gramian::bind
