#include "sw/replay/recorded_system.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/recording/message_reader.h"

namespace tvp::replay {
namespace {

bool is_name(const std::string& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::optional<std::string> recorded_system(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return {};
  foundation::MessageReader reader(file);
  try {
    reader.next();
  } catch (const foundation::Fault&) {
    // The replay reads that line later and reports the error.
  }
  std::istringstream words(reader.recorded_with());
  std::string word;
  while (words >> word) {
    if (word == "--system")
      return words >> word && is_name(word) ? std::optional(word) : std::nullopt;
  }
  return {};
}

}  // namespace tvp::replay
