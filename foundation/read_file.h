#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

namespace tvp::foundation {

/// The whole content of a file or pipe; nothing when it cannot be read.
inline std::optional<std::string> try_read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  if (!in || std::filesystem::is_directory(path, error)) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

/// Likewise; empty when it cannot be read.
inline std::string read_file(const std::filesystem::path& path) {
  return try_read_file(path).value_or("");
}

}  // namespace tvp::foundation
