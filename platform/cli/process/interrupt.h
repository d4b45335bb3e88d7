#pragma once

#include <chrono>
#include <stdexcept>

namespace tvp::cli {

/// Thrown between two steps of simulated time, or of another long work, after Ctrl-C.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

// SIGINT, SIGTERM and SIGHUP are blocked from before main until release_interrupts(), so that none
// of them ends the process without its exit code. One that arrives earlier, in the dynamic loader,
// does.

/// Call this first in main. After release_interrupts(), these signals end the process with exit
/// code 130 and a message, unless catch_interrupts() was called.
void end_on_interrupts();
/// From now on the first of these signals is remembered, so that a run ends with its report and
/// without scratch files. The second one ends the process.
void catch_interrupts();
/// Delivers the signals that were blocked, also by the process that started this one.
void release_interrupts();
bool interrupted();
/// Name of the signal that interrupted the process.
const char* interruption();
/// Sets a function that the signal handler calls for the first signal; null for none. Calls it at
/// once if there was a signal already.
void tell_interrupts_to(void (*function)());
/// Waits this long; returns at once when there is or was a signal.
void wait_unless_interrupted(std::chrono::milliseconds time);
/// Throws Interrupted if there was a signal.
void check_interrupted();

}  // namespace tvp::cli
