#include "tests/mutation/scratch_build.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <set>
#include <stdexcept>

#include "tests/mutation/plan.h"

namespace tvp::mutation {

namespace fs = std::filesystem;

namespace {

/// What a program writes until it ends or the time is over.
std::string collect(int end, pid_t child, unsigned seconds, bool& in_time) {
  using Clock = std::chrono::steady_clock;
  const auto limit = Clock::now() + std::chrono::seconds(seconds);
  std::string output;
  std::array<char, 4096> buffer;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(limit - Clock::now()).count();
    pollfd waiting{end, POLLIN, 0};
    in_time = left > 0 && poll(&waiting, 1, static_cast<int>(left)) > 0;
    if (!in_time) {
      kill(-child, SIGKILL);
      return output;
    }
    const ssize_t n = read(end, buffer.data(), buffer.size());
    if (n <= 0) return output;
    output.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

void copy_what_is_new(const fs::path& source, const fs::path& copy) {
  const std::set<std::string> left_out{".git", "build"};
  for (const fs::directory_entry& entry : fs::directory_iterator(source)) {
    if (left_out.count(entry.path().filename().string()) != 0) continue;
    if (!entry.is_directory()) {
      if (!fs::exists(copy / entry.path().filename()) ||
          read_text(copy / entry.path().filename()) != read_text(entry.path()))
        fs::copy_file(entry.path(), copy / entry.path().filename(),
                      fs::copy_options::overwrite_existing);
      continue;
    }
    for (const fs::directory_entry& inner : fs::recursive_directory_iterator(entry.path())) {
      const fs::path to = copy / inner.path().lexically_relative(source);
      if (inner.is_directory()) {
        fs::create_directories(to);
      } else if (!fs::exists(to) || read_text(to) != read_text(inner.path())) {
        fs::create_directories(to.parent_path());
        fs::copy_file(inner.path(), to, fs::copy_options::overwrite_existing);
      }
    }
  }
}

}  // namespace

Outcome run(const std::vector<std::string>& command, const fs::path& folder, unsigned seconds) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  if (failed != 0) {
    close(ends[0]);
    throw std::runtime_error(command[0] + " cannot be started");
  }
  bool in_time = true;
  Outcome outcome;
  outcome.output = collect(ends[0], child, seconds, in_time);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  outcome.status = in_time && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

ScratchBuild::ScratchBuild(const fs::path& source, const fs::path& work)
    : tree_(work / "tree"), build_(work / "build") {
  fs::create_directories(tree_);
  copy_what_is_new(source, tree_);
  // One file of a library is compiled for a change, not those that are joined with it; what a
  // change leaves unused is no error.
  const Outcome configured =
      run({"cmake", "--preset", "release", "-B", build_.string(), "-DCMAKE_UNITY_BUILD=OFF",
           "-DCMAKE_CXX_FLAGS=-w", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"},
          tree_, kLongestSeconds);
  if (configured.status != 0)
    throw std::runtime_error("the copy cannot be configured\n" + configured.output);
}

Outcome ScratchBuild::build(const std::vector<std::string>& targets) const {
  std::vector<std::string> command{"ninja", "-C", build_.string()};
  command.insert(command.end(), targets.begin(), targets.end());
  return run(command, tree_, kLongestSeconds);
}

Outcome ScratchBuild::test(const std::string& regular_expression, unsigned seconds) const {
  // ctest ends a test that takes too long, since that one has a process group of its own.
  return run({"ctest", "--test-dir", build_.string(), "--stop-on-failure", "--no-tests=error",
              "--timeout", std::to_string(seconds), "-R", regular_expression},
             tree_, 2 * seconds);
}

}  // namespace tvp::mutation
