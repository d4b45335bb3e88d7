#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace tvp::runtime {

/// Whole content; empty when the file cannot be read.
inline std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in || std::filesystem::is_directory(path)) return {};
  std::string text(static_cast<std::size_t>(in.tellg()), '\0');
  in.seekg(0);
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  return text;
}

}  // namespace tvp::runtime
