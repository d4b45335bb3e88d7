#include "platform/debug/history.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <iostream>

#include "foundation/host_error.h"
#include "platform/debug/supervisor.h"

namespace tvp::debug {

namespace {

/// Least host time between checkpoints. A way back repeats at least about as much.
constexpr double kLeastInterval_s = 0.2;
/// The part of the host time that checkpoints may take.
constexpr double kShare = 0.02;
/// For the process that runs, one that counts stops, and one that comes after it.
constexpr unsigned kMoreLines = 3;
constexpr int kLookAround_ms = 100;

double host_time_s() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Otherwise each copy would write what is in the buffers.
void flush_output() {
  std::cout.flush();
  std::cerr.flush();
  std::fflush(nullptr);
}

}  // namespace

History::History(unsigned checkpoints, const std::function<void()>& detach)
    : lines_(checkpoints + kMoreLines), supervisor_(::getpid()) {
  for (ProcessLine& line : lines_) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) refuse(errno);
    line = {ends[0], ends[1]};
  }
  output_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  errors_ = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  flush_output();
  const pid_t copy = copy_process(false);
  if (copy < 0) refuse(errno);
  if (copy > 0) {
    detach();
    Supervisor(lines_, checkpoints, line_, copy).run();
  }
  end_with_supervisor();
}

void History::refuse(int error) const {
  for (const ProcessLine& line : lines_) {
    ::close(line.supervisor);
    ::close(line.process);
  }
  ::close(output_);
  ::close(errors_);
  throw foundation::HostError("gdb.checkpoints", foundation::reason_of(error));
}

void History::end_with_supervisor() const {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != supervisor_) ::_exit(1);
}

bool History::is_due() {
  // The process's own time excludes waits, but a look at it takes microseconds.
  const Clock::time_point now = Clock::now();
  if (now < next_look_) return false;
  const double left_s = last_s_ + interval_s_ - host_time_s();
  next_look_ =
      now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(left_s));
  return left_s <= 0;
}

std::optional<Replay> History::checkpoint(const Position& position, bool after_write) {
  const Clock::time_point begin = Clock::now();
  last_s_ = host_time_s();
  const int socket = lines_[line_].process;
  send_message(socket,
               {{"what", "checkpoint"}, {"position", position}, {"after_write", after_write}});
  std::optional<nlohmann::json> answer;
  while (!(answer = receive_message(socket, kLookAround_ms))) {
  }
  const int line = answer->value("line", -1);
  if (line < 0) return std::nullopt;
  flush_output();
  const pid_t copy = copy_process(true);
  if (copy != 0) {
    send_message(socket, {{"process", copy}});
    const std::chrono::duration<double> cost = Clock::now() - begin;
    interval_s_ = std::max(kLeastInterval_s, cost.count() / kShare);
    last_s_ = host_time_s();
    return std::nullopt;
  }
  line_ = static_cast<unsigned>(line);
  end_with_supervisor();
  return wait_as_checkpoint();
}

/// Signals are for the process that runs.
std::optional<Replay> History::wait_as_checkpoint() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, &before);
  while (true) {
    const auto message = receive_message(lines_[line_].process, -1);
    if (!message) continue;
    const pid_t copy = copy_process(true);
    if (copy != 0) {
      send_message(lines_[line_].process, {{"process", copy}});
      continue;
    }
    line_ = message->at("line").get<unsigned>();
    end_with_supervisor();
    last_s_ = host_time_s();
    mute();
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return message->at("replay").get<Replay>();
  }
}

void History::drop() {
  send_message(lines_[line_].process, {{"what", "drop"}});
  // Until then they hold the debugger's port.
  while (!receive_message(lines_[line_].process, kLookAround_ms)) {
  }
}

std::string History::travel(const Replay& replay, const std::function<bool()>& interrupted) {
  flush_output();
  const int socket = lines_[line_].process;
  if (!send_message(socket, {{"what", "travel"}, {"replay", replay}}))
    return "the supervisor of the run does not answer";
  bool told = false;
  while (true) {
    if (const auto answer = receive_message(socket, kLookAround_ms))
      return answer->value("failed", "");
    if (told || !interrupted()) continue;
    told = true;
    send_message(socket, {{"what", "interrupt"}});
  }
}

void History::counted(std::uint64_t stops) {
  send_message(lines_[line_].process, {{"stops", stops}});
  ::_exit(0);
}

void History::failed(const std::string& why) {
  send_message(lines_[line_].process, {{"failed", why}});
  ::_exit(0);
}

void History::arrived() {
  send_message(lines_[line_].process, {{"arrived", true}});
  while (!receive_message(lines_[line_].process, kLookAround_ms)) {
  }
}

void History::mute() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
  ::close(nowhere);
}

void History::unmute() {
  flush_output();
  ::dup2(output_, STDOUT_FILENO);
  ::dup2(errors_, STDERR_FILENO);
}

}  // namespace tvp::debug
