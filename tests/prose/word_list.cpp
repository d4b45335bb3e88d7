#include "tests/prose/word_list.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tvp::prose {

WordList WordList::read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(file.string() + ": cannot be read");
  WordList list;
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const std::string at = file.string() + ":" + std::to_string(number) + ": ";
    line.resize(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const auto arrow = line.find("->");
    if (arrow == std::string::npos) throw std::runtime_error(at + "expected PHRASE -> REPLACEMENT");
    std::string replacement = line.substr(arrow + 2);
    replacement.erase(0, replacement.find_first_not_of(' '));
    if (replacement.empty()) throw std::runtime_error(at + "expected a replacement behind '->'");
    std::istringstream phrases(line.substr(0, arrow));
    for (std::string phrase; std::getline(phrases, phrase, '|');) {
      std::istringstream words(phrase);
      std::string joined;
      std::size_t count = 0;
      for (std::string word; words >> word; ++count) joined += (joined.empty() ? "" : " ") + word;
      if (joined.empty()) throw std::runtime_error(at + "expected a phrase");
      if (!list.phrases_.emplace(joined, replacement).second)
        throw std::runtime_error(at + "'" + joined + "' is listed twice");
      list.longest_ = std::max(list.longest_, count);
    }
  }
  return list;
}

const std::string* WordList::replacement(const std::vector<std::string>& words, std::size_t at,
                                         std::size_t& length) const {
  const std::string* found = nullptr;
  std::string phrase;
  for (std::size_t n = 0; n < longest_ && at + n < words.size(); ++n) {
    phrase += (n == 0 ? "" : " ") + words[at + n];
    if (const auto entry = phrases_.find(phrase); entry != phrases_.end()) {
      found = &entry->second;
      length = n + 1;
    }
  }
  return found;
}

}  // namespace tvp::prose
