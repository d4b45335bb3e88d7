#include "platform/cli/waves_command.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "foundation/fault.h"
#include "foundation/source_root.h"
#include "sw/runtime/compile_cache.h"

namespace tvp::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "waves", text);
}

fs::path record_of(const std::string& workload) {
  return fs::path(runtime::CompileCache::default_folder()) / "waves" / workload;
}

std::string last_waves(const std::string& workload) {
  std::string file;
  std::getline(std::ifstream(record_of(workload)), file);
  const std::string cure = ": './vp run " + workload + " --wave " + workload + ".fst' writes one";
  if (file.empty()) cannot("no run of " + workload + " has written a wave file yet" + cure);
  if (!fs::exists(file))
    cannot("the last wave file of " + workload + ", " + file + ", is gone" + cure);
  return file;
}

bool has_display() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

}  // namespace

void remember_waves(const std::string& workload, const std::string& wave_file) {
  std::error_code error;
  if (!fs::exists(wave_file, error)) return;
  fs::create_directories(record_of(workload).parent_path(), error);
  std::ofstream(record_of(workload)) << fs::absolute(wave_file).string() << "\n";
}

int waves_command(const WorkloadRegistry& workloads, const std::string& workload) {
  const std::string name = workloads.find(workload).name();
  const std::string waves = last_waves(name);
  if (!has_display()) {
    cannot("GTKWave needs a display and DISPLAY is not set; the file is " + waves);
  }
  std::vector<std::string> words{"gtkwave", waves};
  const fs::path save_file = fs::path(foundation::source_root()) / "waves" / (name + ".gtkw");
  if (fs::exists(save_file)) words.push_back(save_file.string());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  cannot(errno == ENOENT ? "gtkwave is not installed: apt-get install gtkwave"
                         : "gtkwave: " + std::string(std::strerror(errno)));
}

}  // namespace tvp::cli
