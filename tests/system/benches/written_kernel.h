#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace tvp::test {

/// Writes a kernel's source to the test's folder and returns its path.
inline std::string written(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(TVP_KERNEL_FOLDER) / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path.string();
}

}  // namespace tvp::test
