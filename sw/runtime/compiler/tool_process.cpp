#include "sw/runtime/compiler/tool_process.h"

#include <poll.h>

#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

#include "foundation/host_error.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using foundation::HostError;

namespace {

constexpr int kPollMilliseconds = 100;

foundation::Process started(const std::vector<std::string>& command, const std::string& scratch) {
  try {
    // Uses the C locale, because messages are searched for the C library's error texts.
    return foundation::Process({.command = command,
                                .environment = {"TMPDIR=" + scratch, "LC_ALL=C"},
                                .output = "/dev/null"});
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::no_such_file_or_directory) {
      bad_use(command[0],
              "cannot be started; install Debian's gcc-riscv64-unknown-elf and "
              "picolibc-riscv64-unknown-elf");
    }
    throw HostError(command[0],
                    "cannot be started: " + foundation::reason_of(error.code().value()));
  }
}

}  // namespace

ToolProcess::ToolProcess(const std::vector<std::string>& command, const std::string& scratch)
    : process_(started(command, scratch)) {}

std::size_t ToolProcess::wait_for_one(std::vector<ToolProcess>& processes,
                                      const std::function<void()>& waiting) {
  std::vector<pollfd> pipes;
  for (const ToolProcess& tool : processes) {
    pipes.push_back({.fd = tool.process_.pipe(), .events = POLLIN, .revents = 0});
  }
  for (;;) {
    waiting();
    if (poll(pipes.data(), pipes.size(), kPollMilliseconds) <= 0) continue;
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      foundation::Process& process = processes[i].process_;
      if (pipes[i].revents == 0 || process.read_more()) continue;
      // No process can write to its standard error any more: the tool has ended or is about to end.
      process.finish();
      return i;
    }
  }
}

std::string ToolProcess::trouble_of_the_host() const {
  if (signal() != 0) {
    return "was killed by signal " + std::to_string(signal()) + " (" + strsignal(signal()) + ")";
  }
  if (succeeded()) return "";
  std::istringstream lines(messages());
  for (std::string line; std::getline(lines, line);) {
    // These words come from the source, not from the machine.
    if (line.find("#error") != std::string::npos || line.find(" static assertion ") < line.size()) {
      continue;
    }
    // The driver's message about a signal to one of its programs.
    if (line.find(" signal terminated program ") != std::string::npos) return "failed: " + line;
    for (const int error : {ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, EFBIG, EMFILE, ENFILE, EAGAIN}) {
      if (line.find(std::string(": ") + std::strerror(error)) < line.size()) {
        return "failed: " + line;
      }
    }
  }
  if (messages().empty()) {
    return "failed without a message, with exit code " + std::to_string(process_.exit_code());
  }
  return "";
}

}  // namespace tvp::runtime
