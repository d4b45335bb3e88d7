#include "platform/cli/sweep/slurm_job.h"

#include <algorithm>
#include <sstream>
#include <system_error>

#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "foundation/process.h"
#include "foundation/read_file.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::HostError;
using foundation::Process;

namespace {

struct Answer {
  int exit_code = 0;
  std::string text;
};

Answer ask(const std::vector<std::string>& command) {
  try {
    const Process process = Process::run({.command = command});
    std::string text = process.said();
    text.erase(text.find_last_not_of(" \n") + 1);
    return {process.exit_code(), text};
  } catch (const std::system_error& error) {
    throw HostError("--slurm", std::string(error.what()) +
                                   "; expected the programs of Slurm (Debian: slurm-client)");
  }
}

Answer ask_or_fail(const std::vector<std::string>& command) {
  Answer answer = ask(command);
  if (answer.exit_code != 0) throw HostError("--slurm", command[0] + " failed: " + answer.text);
  return answer;
}

bool is_active(const std::string& state) {
  static const std::vector<std::string> kOver{"COMPLETED", "CANCELLED", "FAILED",
                                              "TIMEOUT",   "NODE_FAIL", "PREEMPTED",
                                              "BOOT_FAIL", "DEADLINE",  "OUT_OF_MEMORY"};
  return std::find(kOver.begin(), kOver.end(), state) == kOver.end();
}

/// Largest number of tasks of a job array.
std::size_t largest_array() {
  const std::string text = ask_or_fail({"scontrol", "show", "config"}).text;
  const std::string name = "MaxArraySize";
  const std::size_t at = text.find(name);
  const std::size_t value = text.find_first_of("0123456789", at == std::string::npos ? at : at + 1);
  if (value == std::string::npos) throw HostError("--slurm", "scontrol show config has no " + name);
  return std::max<std::size_t>(1, std::stoul(text.substr(value)));
}

std::string shell_quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

bool SlurmJob::State::stuck() const {
  const auto lost = [](const Loss& loss) { return loss.state == "NODE_FAIL"; };
  // Slurm's reasons: "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher
  // priority partitions", "ReqNodeNotAvail, UnavailableNodes:n1". Some versions write _ for spaces.
  const bool down = reason.find("DOWN") != std::string::npos ||
                    reason.find("UnavailableNodes") != std::string::npos;
  return running == 0 && active > 0 && down && std::any_of(losses.begin(), losses.end(), lost);
}

std::size_t SlurmJob::processors() {
  // A line for each group of nodes: allocated/idle/other/total.
  std::istringstream lines(ask_or_fail({"sinfo", "--noheader", "--format=%C"}).text);
  std::size_t sum = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t slash = line.rfind('/');
    if (slash != std::string::npos) sum += std::strtoul(line.c_str() + slash + 1, nullptr, 10);
  }
  return std::max<std::size_t>(1, sum);
}

bool SlurmJob::attach() {
  if (!fs::exists(job_file())) return false;
  id_ = foundation::read_file(job_file());
  if (id_.empty() || id_.find_first_not_of("0123456789") != std::string::npos) return false;
  return state().active > 0;
}

void SlurmJob::submit(const std::vector<std::string>& command, std::size_t tasks,
                      const std::vector<std::string>& options) {
  fs::create_directories(folder_);
  std::string script = "#!/bin/sh\nexec";
  for (const std::string& word : command) script += " " + shell_quoted(word);
  const std::string file = folder_ / "task.sh";
  foundation::replace_file(file, script + "\n");
  const std::size_t last = std::min(tasks, largest_array()) - 1;
  // The other tasks take over what a lost one leaves, so Slurm need not repeat it.
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 "--no-requeue",
                                 "--job-name=tensix-vp-sweep",
                                 "--array=0-" + std::to_string(last),
                                 "--output=" + (folder_ / "%a.log").string(),
                                 "--open-mode=truncate"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(file);
  const Answer answer = ask(words);
  if (answer.exit_code != 0)
    throw HostError("--slurm", "the queue rejected the job: " + answer.text);
  // Warnings may come first; a cluster's name may follow the number.
  id_ = answer.text.substr(answer.text.find_last_of('\n') + 1);
  id_ = id_.substr(0, id_.find(';'));
  foundation::replace_file(job_file(), id_);
}

SlurmJob::State SlurmJob::state() const {
  State state;
  const Answer answer = ask(
      {"squeue", "--noheader", "--array", "--states=all", "--jobs=" + id_, "--format=%K|%T|%N|%r"});
  if (answer.exit_code != 0) {
    // Slurm forgets a job some minutes after its end.
    if (answer.text.find("Invalid job id") != std::string::npos) return state;
    state.active = 1;
    state.reason = answer.text;
    return state;
  }
  std::istringstream lines(answer.text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string task;
    std::string name;
    std::string node;
    std::string reason;
    std::getline(fields, task, '|');
    std::getline(fields, name, '|');
    std::getline(fields, node, '|');
    std::getline(fields, reason, '|');
    if (is_active(name)) {
      ++state.active;
      if (name == "PENDING") {
        state.reason = reason;
      } else {
        ++state.running;
      }
    } else if (name != "COMPLETED" && name != "CANCELLED") {
      state.losses.push_back({task, node, name});
    }
  }
  return state;
}

std::string SlurmJob::output_of(const std::string& task) const {
  const std::string text = foundation::read_file(folder_ / (task + ".log"));
  return text.substr(0, text.find('\n'));
}

void SlurmJob::cancel() const { ask({"scancel", id_}); }

void SlurmJob::close() const { fs::remove(job_file()); }

}  // namespace tvp::cli
