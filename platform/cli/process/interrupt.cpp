#include "platform/cli/process/interrupt.h"

#include <csignal>

namespace tvp::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;
void (*volatile listener)() = nullptr;

void on_interrupt(int signal) {
  received = signal;
  if (listener != nullptr) listener();
  std::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;  // as nohup wants it
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    // No SA_RESTART: who waits for a child or a debugger looks again.
    sigaction(signal, &action, nullptr);
  }
}

void tell_interrupts_to(void (*function)()) { listener = function; }

bool interrupted() { return received != 0; }

const char* interruption() {
  switch (received) {
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "Ctrl-C";
  }
}

void check_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace tvp::cli
