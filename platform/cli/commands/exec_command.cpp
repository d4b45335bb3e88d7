#include "platform/cli/commands/exec_command.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "foundation/fault.h"
#include "foundation/host_error.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/read_file.h"
#include "foundation/scratch/scratch_folder.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/options.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/library_path.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/run_origin.h"
#include "platform/cli/run/settings_check.h"
#include "sw/report/report_page.h"
#include "sw/report/run_report.h"

namespace tvp::cli {

namespace {

namespace fs = std::filesystem;

/// The program may change its folder.
void make_absolute(std::optional<std::string>& file) {
  if (file) file = fs::absolute(*file).string();
}

std::string reason_of(int status) {
  if (WIFSIGNALED(status))
    return std::string("the program was ended by signal ") + sigabbrev_np(WTERMSIG(status));
  return "the program ended with exit code " + std::to_string(WEXITSTATUS(status));
}

/// Adds how the program ended and what the library wrote to the file of record.report.
void complete(report::RunReport& made, int status, const std::string& file) {
  const auto written = nlohmann::ordered_json::parse(foundation::read_file(file));
  made.system = written.at("system").get<std::string>();
  made.library_report = foundation::json_text(written.at("report"));
  made.library_settings = foundation::json_text(written.at("settings"));
  if (const int known = written.at("exit_code").get<int>(); known != 0) {
    made.status = static_cast<report::Status>(known);
    made.reason = written.at("error").get<std::string>();
  } else if (status == 0) {
    made.status = report::Status::kPassed;
    made.result.passed = true;
  } else {
    made.status = report::Status::kWrongResult;
    made.reason = reason_of(status);
  }
}

}  // namespace

void ExecCommand::add_options(CommandOptions& options) {
  arguments_.add_program_options(options);
  options.words("program", program_, "the program and its arguments, after --");
}

std::string ExecCommand::settings(const RunOptions& options) {
  check_named("--system", options.system);
  std::string text;
  if (options.system) {
    const bool is_file =
        options.system->find('/') != std::string::npos || options.system->ends_with(".toml");
    const std::string system = is_file ? fs::absolute(*options.system).string() : *options.system;
    check_line("--system", system);
    text += "system=" + system + "\n";
  }
  if (options.lockstep) text += "lockstep=true\n";
  if (options.max_time_ns)
    text +=
        "max_time_ns=" + std::to_string(static_cast<std::uint64_t>(*options.max_time_ns)) + "\n";
  for (const auto& [key, value] : options.settings) text += key + "=" + value + "\n";
  return text + observer_settings(options);
}

/// Checks that all output files can be written and differ.
void ExecCommand::check_outputs(const RunOptions& options) {
  OutputNames names;
  for (const auto& [option, file] :
       {std::pair("--report", &options.report_file), std::pair("--page", &options.page_file),
        std::pair("--wave", &options.wave_file), std::pair("--trace", &options.trace_file),
        std::pair("--profile", &options.profile_file),
        std::pair("--record", &options.record_file)}) {
    if (!*file) continue;
    names.add(option, **file);
    foundation::check_writable(**file, option);
  }
}

int ExecCommand::execute() {
  RunOptions options = arguments_.take();
  for (std::optional<std::string>* file :
       {&options.report_file, &options.page_file, &options.wave_file, &options.trace_file,
        &options.profile_file, &options.record_file})
    make_absolute(*file);
  check_outputs(options);
  const std::string text = settings(options);
  check_settings(text);  // the program itself may not report errors in them
  setenv("TENSIX_VP_LIBRARY", library_path({}).c_str(), 1);
  setenv("TT_METAL_SIMULATOR", library_path({}).c_str(), 0);
  if (options.report_file || options.page_file) return run_with_report(options, text);
  setenv("TENSIX_VP_CONFIGURE", text.c_str(), 1);
  check_interrupted();
  become_program();
}

void ExecCommand::become_program() {
  std::vector<char*> argv;
  for (std::string& word : program_) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  foundation::throw_errno(program_[0], "cannot be started", errno);
}

int ExecCommand::run_with_report(const RunOptions& options, const std::string& text) {
  const foundation::ScratchFolder folder;
  const std::string file = folder.path() + "/report.json";
  setenv("TENSIX_VP_CONFIGURE", (text + "record.report=" + file + "\n").c_str(), 1);
  catch_interrupts();
  report::RunReport made;
  set_origin(made);
  made.workload = fs::path(program_[0]).filename().string();
  const auto started = std::chrono::steady_clock::now();
  const pid_t child = fork();
  if (child < 0) foundation::throw_errno(program_[0], "cannot be started", errno);
  if (child == 0) {
    try {
      become_program();
    } catch (const std::exception& error) {
      complain(error.what());
      _exit(kHost);
    }
  }
  int status = 0;
  // Ctrl-C reaches the program, too; other signals only this process.
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    if (std::string_view(interruption()) != "Ctrl-C") kill(child, SIGTERM);
  const int exit_code = ChildProcess::exit_code(status);
  if (!fs::exists(file)) {
    // The child has printed why it could not become the program.
    if (exit_code == kHost) return kHost;
    complain(reason_of(status) + " before it used the platform, so there is no report");
    return exit_code == 0 ? kUsage : exit_code;
  }
  complete(made, status, file);
  made.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  made.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  auto json = made.to_json();
  for (const char* unknown : {"error", "seed"}) json.erase(unknown);
  if (options.report_file)
    foundation::write_file(*options.report_file, foundation::json_text(json, 2) + "\n");
  if (options.page_file) foundation::write_file(*options.page_file, report::report_page(json));
  return exit_code;
}

}  // namespace tvp::cli
