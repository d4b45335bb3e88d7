#include "platform/cli/process/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "foundation/host_error.h"
#include "platform/cli/exit_code.h"

namespace tvp::cli {

namespace {

constexpr int kCannotStart = 127;

void redirect(const char* file, int flags, int stream) {
  const int opened = open(file, flags | O_CLOEXEC, 0644);
  if (opened < 0 || dup2(opened, stream) < 0) _exit(kCannotStart);
}

}  // namespace

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe").string(); }

/// Runs in the new process until it becomes the program.
void ChildProcess::become(pid_t parent) const {
  if (own_group) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(kCannotStart);
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  }
  // A signal that arrives meanwhile is for the program; this process's handler would swallow it.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (std::signal(signal, SIG_DFL) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  if (discard_output) redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  if (!error_file.empty()) {
    redirect(error_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  }
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(kCannotStart);
}

pid_t ChildProcess::start() const {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become(parent);
  // Also done here, so that the group exists when this process signals it.
  if (child > 0 && own_group) setpgid(child, child);
  return child;
}

int ChildProcess::exit_code(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool ChildProcess::failed_by_machine(int exit_code) {
  return exit_code == kHost || exit_code == kCannotStart || exit_code == 128 + SIGKILL;
}

void ChildProcess::check_machine(int exit_code, const std::string& what) {
  if (failed_by_machine(exit_code))
    throw foundation::HostError("'" + what + "'",
                                "ended with exit code " + std::to_string(exit_code));
}

}  // namespace tvp::cli
