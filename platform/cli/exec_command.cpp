#include "platform/cli/exec_command.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "platform/cli/command_options.h"
#include "platform/cli/exit_code.h"
#include "platform/cli/library_path.h"
#include "platform/cli/options.h"

namespace tvp::cli {

void ExecCommand::add_options(CommandOptions& options) {
  options.option("--system", system_, "name of a system, or a TOML file");
  options.option("--set", sets_, "key=value");
  options.option("--record", record_, "write what the host does to the chips here, for vp replay");
  options.words("program", program_, "the program and its arguments, after --");
}

int ExecCommand::execute() {
  check_line("--system", system_);
  const std::string record = record_ ? std::filesystem::absolute(*record_).string() : std::string();
  check_line("--record", record);
  std::string text = system_.empty() ? "" : "system=" + system_ + "\n";
  for (const auto& [key, value] : parse_sets(sets_)) text += key + "=" + value + "\n";
  // The program may go to another folder first.
  if (record_) text += "record.file=" + record + "\n";
  setenv("TENSIX_VP_CONFIGURE", text.c_str(), 1);
  setenv("TENSIX_VP_LIBRARY", library_path({}).c_str(), 1);
  setenv("TT_METAL_SIMULATOR", library_path({}).c_str(), 0);
  std::vector<char*> argv;
  for (std::string& word : program_) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  std::perror(("vp: " + program_[0]).c_str());
  return kUsage;
}

}  // namespace tvp::cli
