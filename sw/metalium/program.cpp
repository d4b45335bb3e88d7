#include "sw/metalium/program.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "foundation/content_hash.h"

namespace tt::tt_metal {

std::string kernel_file(const std::string& text) {
  namespace fs = std::filesystem;
  tvp::foundation::ContentHash hash;
  hash.add(text);
  const fs::path folder =
      fs::temp_directory_path() / ("tensix-vp-kernels." + std::to_string(getuid()));
  fs::create_directories(folder);
  const fs::path file = folder / (hash.hex() + ".cpp");
  if (!fs::exists(file)) {
    // Whoever else writes the same moves the same into its place.
    const fs::path part = file.string() + "." + std::to_string(getpid());
    std::ofstream(part) << text;
    fs::rename(part, file);
  }
  return file.string();
}

}  // namespace tt::tt_metal
