#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tvp::foundation {

/// The whole content of a file or pipe; nothing when it cannot be read.
inline std::optional<std::string> try_read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::error_code error;
  if (!in || std::filesystem::is_directory(path, error)) return std::nullopt;
  std::string text;
  std::array<char, 65536> part;
  do {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
  } while (in);
  return text;
}

/// Likewise; empty when it cannot be read.
inline std::string read_file(const std::filesystem::path& path) {
  return try_read_file(path).value_or("");
}

}  // namespace tvp::foundation
