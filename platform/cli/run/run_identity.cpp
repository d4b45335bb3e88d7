#include "platform/cli/run/run_identity.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "foundation/content_hash.h"
#include "foundation/read_file.h"
#include "foundation/source_root.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/run/library_path.h"
#include "platform/system/system_folder.h"
#include "sw/runtime/compiler/kernel_compiler.h"

namespace tvp::cli {

namespace fs = std::filesystem;
using foundation::ContentHash;

namespace {

void add_file(ContentHash& hash, const fs::path& file) { hash.add(foundation::read_file(file)); }

void add_folder(ContentHash& hash, const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (entry.is_regular_file(error)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    hash.add(file.lexically_relative(folder).string());
    add_file(hash, file);
  }
}

}  // namespace

RunIdentity::RunIdentity() {
  ContentHash hash;
  add_file(hash, own_program());
  add_file(hash, library_path({}));
  // Kernels are compiled from these, and see no other header.
  const fs::path root = runtime::KernelCompiler::default_root();
  for (const char* folder : {"firmware", "foundation/contract", "foundation/regs"})
    add_folder(hash, root / folder);
  add_folder(hash, platform::system_folder());
  const char* settings = std::getenv("TENSIX_VP_CONFIGURE");
  hash.add(settings == nullptr ? "" : settings);
  build_ = hash.hex();
}

std::string RunIdentity::of(
    const std::vector<std::pair<std::string, std::string>>& settings) const {
  ContentHash hash;
  hash.add(build_);
  for (const auto& [key, value] : settings) {
    hash.add(key).add(value);
    std::error_code error;
    if (fs::is_regular_file(value, error)) add_file(hash, value);
  }
  return hash.hex();
}

}  // namespace tvp::cli
