#include "platform/cli/commands/exec_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "foundation/host_error.h"
#include "foundation/output_file.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/console.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/options.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/library_path.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/settings_check.h"

namespace tvp::cli {

void ExecCommand::add_options(CommandOptions& options) {
  options.option("--system", system_, "name of a system or a TOML file");
  options.option("--set", sets_, "key=value; may repeat");
  options.option("--record", record_,
                 "record accesses of the host to this file, for the command replay");
  options.words("program", program_, "the program and its arguments, after --");
}

/// Uses absolute file names, since the program may change its folder.
std::string ExecCommand::settings() const {
  check_named("--system", system_);
  check_named("--record", record_);
  std::string text;
  if (system_) {
    const bool is_file = system_->find('/') != std::string::npos || system_->ends_with(".toml");
    const std::string system = is_file ? std::filesystem::absolute(*system_).string() : *system_;
    check_line("--system", system);
    text += "system=" + system + "\n";
  }
  for (const auto& [key, value] : parse_sets(sets_)) text += key + "=" + value + "\n";
  if (record_) {
    const std::string record = std::filesystem::absolute(*record_).string();
    check_line("--record", record);
    foundation::check_writable(record, "the recording");
    text += "record.file=" + record + "\n";
  }
  return text;
}

int ExecCommand::execute() {
  const std::string text = settings();
  check_settings(text);  // the program itself may not report errors in them
  setenv("TENSIX_VP_CONFIGURE", text.c_str(), 1);
  setenv("TENSIX_VP_LIBRARY", library_path({}).c_str(), 1);
  setenv("TT_METAL_SIMULATOR", library_path({}).c_str(), 0);
  std::vector<char*> argv;
  for (std::string& word : program_) argv.push_back(word.data());
  argv.push_back(nullptr);
  check_interrupted();
  execvp(argv[0], argv.data());
  foundation::throw_errno(program_[0], "cannot be started", errno);
}

}  // namespace tvp::cli
