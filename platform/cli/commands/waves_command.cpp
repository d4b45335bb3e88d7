#include "platform/cli/commands/waves_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "foundation/fault.h"
#include "platform/cli/commands/command_options.h"
#include "platform/cli/run/last_waves.h"
#include "platform/cli/run/workload_registry.h"

namespace tvp::cli {

namespace {

[[noreturn]] void cannot(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "waves", text);
}

bool has_display() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

}  // namespace

void WavesCommand::add_options(CommandOptions& options) {
  options.word("workload", workload_, "name of a workload");
}

int WavesCommand::execute() {
  const std::string name = WorkloadRegistry().find(workload_).name();
  const std::string waves = last_waves(name);
  if (!has_display()) {
    cannot("GTKWave needs a display and DISPLAY is not set; the file is " + waves);
  }
  std::vector<std::string> words{"gtkwave", waves, make_save_file(name, waves)};
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  cannot(errno == ENOENT ? "gtkwave is not installed: apt-get install gtkwave"
                         : "gtkwave: " + std::string(std::strerror(errno)));
}

}  // namespace tvp::cli
