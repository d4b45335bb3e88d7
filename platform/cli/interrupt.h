#pragma once

#include <stdexcept>

namespace tvp::cli {

/// Thrown between two steps of simulated time after Ctrl-C.
class Interrupted : public std::runtime_error {
 public:
  Interrupted() : std::runtime_error("interrupted") {}
};

/// From now on, the first Ctrl-C is remembered and the second ends the process.
void catch_interrupts();
/// Whom the first one is told, from inside the signal handler; null for nobody.
void tell_interrupts_to(void (*function)());
/// Throws Interrupted when there was a Ctrl-C.
void check_interrupted();

}  // namespace tvp::cli
