#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace tvp::foundation {

/// The content of a file or pipe. Nothing if it cannot be read, or if it is endless (like
/// /dev/zero) or larger than any file that the platform reads.
inline std::optional<std::string> try_read_file(const std::filesystem::path& path) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 30;
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  const bool has_end = std::filesystem::is_regular_file(status) ||
                       std::filesystem::is_fifo(status) || path == "/dev/null";
  std::ifstream in;
  if (has_end) in.open(path, std::ios::binary);
  if (!in.is_open()) return std::nullopt;
  std::string text;
  if (const auto bytes = std::filesystem::file_size(path, error); !error && bytes <= kMostBytes) {
    text.reserve(static_cast<std::size_t>(bytes));
  }
  std::array<char, 65536> part;
  do {
    in.read(part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostBytes) return std::nullopt;
  } while (in);
  return text;
}

/// The same; empty if it cannot be read.
inline std::string read_file(const std::filesystem::path& path) {
  return try_read_file(path).value_or("");
}

}  // namespace tvp::foundation
