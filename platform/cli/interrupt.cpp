#include "platform/cli/interrupt.h"

#include <csignal>

namespace tvp::cli {

namespace {
volatile std::sig_atomic_t interrupted = 0;
void (*volatile listener)() = nullptr;
void on_interrupt(int signal) {
  interrupted = 1;
  if (listener != nullptr) listener();
  std::signal(signal, SIG_DFL);
}
}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }

void tell_interrupts_to(void (*function)()) { listener = function; }

void check_interrupted() {
  if (interrupted != 0) throw Interrupted();
}

}  // namespace tvp::cli
