#include "sw/runtime/tool_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <utility>

#include "foundation/host_error.h"
#include "sw/runtime/errors.h"

namespace tvp::runtime {

using foundation::HostError;

namespace {

constexpr int kPollMilliseconds = 100;

/// This process's environment with some variables of its own.
std::vector<std::string> environment(const std::string& scratch) {
  // Messages are searched for what the C library says of the machine.
  std::vector<std::string> variables = {"TMPDIR=" + scratch, "LC_ALL=C"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    if (!text.starts_with("TMPDIR=") && !text.starts_with("LC_ALL=")) variables.emplace_back(text);
  }
  return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

class SpawnActions {
 public:
  explicit SpawnActions(int standard_error) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files_, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, standard_error, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnActions() {
    posix_spawnattr_destroy(&attributes_);
    posix_spawn_file_actions_destroy(&files_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  const posix_spawn_file_actions_t* files() const { return &files_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

ToolProcess::ToolProcess(const std::vector<std::string>& command, const std::string& scratch) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw HostError(command[0], std::string("cannot be started: ") + std::strerror(errno));
  }
  pipe_ = ends[0];
  std::vector<std::string> words = command;
  std::vector<std::string> variables = environment(scratch);
  const SpawnActions actions(ends[1]);
  const int error = posix_spawnp(&pid_, words[0].c_str(), actions.files(), actions.attributes(),
                                 pointers(words).data(), pointers(variables).data());
  close(ends[1]);
  if (error == 0) return;
  pid_ = -1;
  close(std::exchange(pipe_, -1));
  if (error == ENOENT) {
    bad_use(command[0],
            "cannot be started; install Debian's gcc-riscv64-unknown-elf and "
            "picolibc-riscv64-unknown-elf");
  }
  throw HostError(command[0], std::string("cannot be started: ") + std::strerror(error));
}

ToolProcess::~ToolProcess() { end(); }

ToolProcess::ToolProcess(ToolProcess&& other) noexcept { *this = std::move(other); }

ToolProcess& ToolProcess::operator=(ToolProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pipe_, other.pipe_);
  std::swap(status_, other.status_);
  std::swap(messages_, other.messages_);
  return *this;
}

void ToolProcess::end() {
  if (pid_ > 0) {
    kill(-pid_, SIGKILL);
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
}

bool ToolProcess::read_messages() {
  std::array<char, 4096> part;
  const ssize_t n = read(pipe_, part.data(), part.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  messages_.append(part.data(), static_cast<std::size_t>(n));
  return n > 0;
}

std::size_t ToolProcess::wait_for_one(std::vector<ToolProcess>& processes,
                                      const std::function<void()>& waiting) {
  std::vector<pollfd> pipes;
  for (const ToolProcess& process : processes) {
    pipes.push_back({.fd = process.pipe_, .events = POLLIN, .revents = 0});
  }
  for (;;) {
    waiting();
    if (poll(pipes.data(), pipes.size(), kPollMilliseconds) <= 0) continue;
    for (std::size_t i = 0; i < pipes.size(); ++i) {
      ToolProcess& process = processes[i];
      if (pipes[i].revents == 0 || process.read_messages()) continue;
      // Nobody can write to its standard error any more: it has ended, or is about to.
      close(std::exchange(process.pipe_, -1));
      while (waitpid(process.pid_, &process.status_, 0) < 0 && errno == EINTR) {
      }
      process.pid_ = -1;
      return i;
    }
  }
}

bool ToolProcess::succeeded() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == 0; }
int ToolProcess::signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

std::string ToolProcess::trouble_of_the_host() const {
  if (signal() != 0) {
    return "was killed by signal " + std::to_string(signal()) + " (" + strsignal(signal()) + ")";
  }
  if (succeeded()) return "";
  std::istringstream lines(messages_);
  for (std::string line; std::getline(lines, line);) {
    // What a source says is its own.
    if (line.find("#error") != std::string::npos || line.find(" static assertion ") < line.size()) {
      continue;
    }
    // So the driver tells of a signal to one of the programs behind it.
    if (line.find(" signal terminated program ") != std::string::npos) return "failed: " + line;
    for (const int error : {ENOSPC, EDQUOT, EROFS, EIO, ENOMEM, EFBIG, EMFILE, ENFILE, EAGAIN}) {
      if (line.find(std::string(": ") + std::strerror(error)) < line.size()) {
        return "failed: " + line;
      }
    }
  }
  if (messages_.empty()) {
    return "failed without a word, with exit code " + std::to_string(WEXITSTATUS(status_));
  }
  return "";
}

}  // namespace tvp::runtime
