// Python's lock while native code runs.
//
// Once the interpreter ends, Python before 3.14 ends every other thread that asks for the lock by
// pthread_exit, whose unwinding meets functions of nanobind that let no exception pass: the process
// would abort. Such a thread sleeps here until the process is gone, as Python 3.14 lets it do.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>

namespace gramian::bind {

template <typename Take>
auto take_or_sleep(const Take& take) {
    try {
        return take();
    } catch (...) {
        while (true) std::this_thread::sleep_for(std::chrono::hours(1));
    }
}

// Lets go of the lock, and takes it again at the end of the scope.
class GilRelease {
public:
    GilRelease() : state_(PyEval_SaveThread()) {}
    ~GilRelease() {
        take_or_sleep([this] { PyEval_RestoreThread(state_); });
    }
    GilRelease(const GilRelease&) = delete;
    GilRelease& operator=(const GilRelease&) = delete;

private:
    PyThreadState* state_;
};

// Takes the lock, and lets go of it at the end of the scope.
class GilAcquire {
public:
    GilAcquire() : state_(take_or_sleep([] { return PyGILState_Ensure(); })) {}
    ~GilAcquire() { PyGILState_Release(state_); }
    GilAcquire(const GilAcquire&) = delete;
    GilAcquire& operator=(const GilAcquire&) = delete;

private:
    PyGILState_STATE state_;
};

} // namespace gramian::bind
