#include "platform/cli/run/last_waves.h"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/output_file.h"
#include "foundation/source_root.h"
#include "platform/cli/console.h"
#include "platform/cli/run/save_file.h"
#include "sw/runtime/compiler/compile_cache.h"

namespace tvp::cli {

namespace {

namespace fs = std::filesystem;

fs::path record_of(const std::string& workload) {
  return fs::path(runtime::CompileCache::default_folder()) / "waves" / workload;
}

[[noreturn]] void no_waves(const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, "waves", text);
}

}  // namespace

void remember_waves(const std::string& workload, const std::string& wave_file) {
  std::error_code error;
  if (!fs::exists(wave_file, error)) return;
  // If the name of the wave file cannot be stored, the result of the run still counts.
  try {
    const fs::path record = record_of(workload);
    fs::create_directories(record.parent_path(), error);
    foundation::replace_file(record.string(), fs::absolute(wave_file).string() + "\n");
  } catch (const std::exception& failure) {
    complain(std::string("the command waves will not find these: ") + failure.what());
  }
}

std::string make_save_file(const std::string& workload, const std::string& wave_file) {
  const std::string file = record_of(workload).string() + ".gtkw";
  foundation::replace_file(file, save_file_of(wave_file));
  return file;
}

std::string last_waves(const std::string& workload) {
  std::string file;
  std::getline(std::ifstream(record_of(workload)), file);
  const std::string cure = ": '" + foundation::program_name() + " run " + workload + " --wave " +
                           workload + ".fst' writes one";
  if (file.empty()) no_waves("no run of " + workload + " has written a wave file yet" + cure);
  if (!fs::exists(file)) {
    no_waves("the last wave file of " + workload + ", " + file + ", is gone" + cure);
  }
  return file;
}

}  // namespace tvp::cli
