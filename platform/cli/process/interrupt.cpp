#include "platform/cli/process/interrupt.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string>

#include "foundation/source_root.h"
#include "platform/cli/exit_code.h"

namespace tvp::cli {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t received = 0;
volatile std::sig_atomic_t is_caught = 0;
void (*volatile listener)() = nullptr;
std::string message;  // complete text, since a handler can only write it

void on_interrupt(int signal) {
  if (is_caught == 0) {
    if (write(STDERR_FILENO, message.data(), message.size()) < 0)
      errno = 0;  // standard error is closed
    _exit(kInterrupted);
  }
  received = signal;
  if (listener != nullptr) listener();
  std::signal(signal, SIG_DFL);
}

sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

/// 101 is the first priority that programs may use: it precedes all constructors of global objects.
[[gnu::constructor(101)]] void hold_interrupts() {
  const sigset_t set = signals();
  sigprocmask(SIG_BLOCK, &set, nullptr);
}

}  // namespace

void end_on_interrupts() {
  message = foundation::program_name() + ": interrupted\n";
  for (const int signal : kSignals) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) continue;  // for example under nohup
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    // Without SA_RESTART, a wait for a child or a debugger returns and checks for the signal.
    sigaction(signal, &action, nullptr);
  }
}

void catch_interrupts() { is_caught = 1; }

void release_interrupts() {
  const sigset_t set = signals();
  sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

void tell_interrupts_to(void (*function)()) {
  listener = function;
  if (interrupted() && function != nullptr) function();
}

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

void wait_unless_interrupted(std::chrono::milliseconds time) {
  // Blocked until ppoll() waits, so that no signal arrives between the check and the wait.
  const sigset_t set = signals();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &set, &before);
  const timespec limit{.tv_sec = time.count() / 1000, .tv_nsec = time.count() % 1000 * 1'000'000};
  if (!interrupted()) ppoll(nullptr, 0, &limit, &before);
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void check_interrupted() {
  if (interrupted()) throw Interrupted();
}

}  // namespace tvp::cli
