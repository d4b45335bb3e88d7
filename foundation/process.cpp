#include "foundation/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace tvp::foundation {

namespace {

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> list;
  for (std::string& word : words) list.push_back(word.data());
  list.push_back(nullptr);
  return list;
}

/// The environment of this process with changes.
std::vector<std::string> environment(const std::vector<std::string>& changes) {
  const auto changed = [&](const std::string& variable) {
    const std::string name = variable.substr(0, variable.find('='));
    return std::any_of(changes.begin(), changes.end(), [&](const std::string& change) {
      return change.substr(0, change.find('=')) == name;
    });
  };
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!changed(*variable)) variables.emplace_back(*variable);
  }
  for (const std::string& change : changes) {
    if (change.find('=') != std::string::npos) variables.push_back(change);
  }
  // Without PATH, tools would start from the default places but not find their own parts.
  if (std::getenv("PATH") == nullptr && !changed("PATH="))
    variables.emplace_back("PATH=/usr/local/bin:/usr/bin:/bin");
  return variables;
}

/// The file actions, folder and process group of the new process.
class SpawnActions {
 public:
  SpawnActions(const ProcessStart& start, int pipe) {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    if (!start.folder.empty()) {
      posix_spawn_file_actions_addchdir_np(&files_, start.folder.c_str());
    }
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, start.input.c_str(), O_RDONLY, 0);
    take(start.output, STDOUT_FILENO, pipe);
    take(start.errors, STDERR_FILENO, pipe);
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
  void take(const std::string& to, int stream, int pipe) {
    constexpr int kAnew = O_WRONLY | O_CREAT | O_TRUNC;
    if (to.empty()) {
      posix_spawn_file_actions_adddup2(&files_, pipe, stream);
    } else if (to != "-") {
      posix_spawn_file_actions_addopen(&files_, stream, to.c_str(), kAnew, 0644);
    }
  }

  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

[[noreturn]] void cannot_start(const std::string& program, int error) {
  throw std::system_error(error, std::generic_category(), program + ": cannot be started");
}

}  // namespace

Process::Process(const ProcessStart& start) {
  std::vector<std::string> words = start.command;
  std::vector<std::string> variables = environment(start.environment);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) cannot_start(words[0], errno);
  const SpawnActions actions(start, ends[1]);
  const int error = posix_spawnp(&id_, words[0].c_str(), actions.files(), actions.attributes(),
                                 pointers(words).data(), pointers(variables).data());
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    cannot_start(words[0], error);
  }
  pipe_ = ends[0];
}

Process::~Process() { kill_group(); }

Process::Process(Process&& other) noexcept { *this = std::move(other); }

Process& Process::operator=(Process&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(pipe_, other.pipe_);
  std::swap(status_, other.status_);
  std::swap(said_, other.said_);
  return *this;
}

Process Process::run(const ProcessStart& start) {
  Process process(start);
  process.finish();
  return process;
}

bool Process::read_more() {
  if (pipe_ < 0) return false;
  std::array<char, 4096> part;
  const ssize_t n = read(pipe_, part.data(), part.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  said_.append(part.data(), static_cast<std::size_t>(n));
  return n > 0;
}

bool Process::finish(std::optional<unsigned> seconds) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::milliseconds;
  const auto limit = Clock::now() + std::chrono::seconds(seconds.value_or(0));
  for (;;) {
    if (seconds) {
      const auto left = std::chrono::duration_cast<milliseconds>(limit - Clock::now()).count();
      pollfd waiting{.fd = pipe_, .events = POLLIN, .revents = 0};
      const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
      if (ready == 0) {
        kill_group();
        return false;
      }
      if (ready < 0) continue;
    }
    if (!read_more()) break;
  }
  reap();
  return true;
}

void Process::kill_group() {
  if (id_ > 0) kill(-id_, SIGKILL);
  reap();
}

void Process::reap() {
  if (id_ > 0) {
    while (waitpid(id_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  id_ = -1;
  if (pipe_ >= 0) close(std::exchange(pipe_, -1));
}

int Process::exit_code() const {
  return WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
}
int Process::signal() const { return WIFSIGNALED(status_) ? WTERMSIG(status_) : 0; }

}  // namespace tvp::foundation
