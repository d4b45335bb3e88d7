#include "tests/prose/known_names.h"

#include <algorithm>
#include <cctype>

namespace tvp::prose {

namespace {

constexpr std::size_t kShortestName = 3;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Calls `use` with each identifier of `text` until it returns false.
template <typename Use>
void for_each_identifier(const std::string& text, Use use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      ++at;
      continue;
    }
    auto end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0 && !use(text.substr(at, end - at)))
      return;
    at = end;
  }
}

}  // namespace

void KnownNames::add_text(const std::string& text) {
  for_each_identifier(text, [this](const std::string& name) {
    names_.insert(name);
    return true;
  });
}

void KnownNames::add_file(const std::string& path) {
  names_.insert(path);
  add_text(path);
  const std::filesystem::path file(path);
  names_.insert(file.filename());
  names_.insert(file.stem());
  for (auto folder = file.parent_path(); !folder.empty(); folder = folder.parent_path())
    names_.insert(folder.string());
}

bool KnownNames::is_known(const std::string& name) const {
  const std::string stem = name.substr(0, name.find_last_not_of("0123456789") + 1);
  return names_.contains(name) || names_.contains(stem);
}

std::string KnownNames::unknown_in(const std::string& span) const {
  if (span.find_first_of(" <>*…$?") != std::string::npos || names_.contains(span)) return "";
  std::string unknown;
  for_each_identifier(span, [&](const std::string& name) {
    const bool is_metavariable = std::none_of(name.begin(), name.end(),
                                              [](unsigned char c) { return std::islower(c) != 0; });
    if (name.size() >= kShortestName && !is_metavariable && !is_known(name)) unknown = name;
    return unknown.empty();
  });
  return unknown;
}

}  // namespace tvp::prose
