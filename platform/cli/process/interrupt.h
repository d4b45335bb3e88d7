#pragma once

#include <stdexcept>

namespace tvp::cli {

/// Thrown between two steps of simulated time, or of another long work, after Ctrl-C.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// From now on, the first Ctrl-C (or SIGTERM, SIGHUP) is remembered, so that a run ends with its
/// report and without its scratch files; the second ends the process.
void catch_interrupts();
bool interrupted();
/// What it was.
const char* interruption();
/// Whom the first one is told, from inside the signal handler; null for nobody.
void tell_interrupts_to(void (*function)());
/// Throws Interrupted when there was a Ctrl-C.
void check_interrupted();

}  // namespace tvp::cli
