#include "tests/docs/document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "foundation/process.h"
#include "tests/support/words.h"

namespace tvp::docs {

namespace {

constexpr const char* kMark = "<!-- output";
constexpr const char* kWithErrors = " with errors, exit code ";
constexpr const char* kEndOfMark = " -->\n";
constexpr const char* kRest = "  …\n";

}  // namespace

Document::Document(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) throw std::runtime_error(file_.string() + " cannot be read");
  text_.assign(std::istreambuf_iterator<char>(stream), {});
}

unsigned Document::line_at(std::size_t at) const {
  return static_cast<unsigned>(
             std::count(text_.begin(), text_.begin() + static_cast<long>(at), '\n')) +
         1;
}

std::vector<OutputBlock> Document::outputs() const {
  std::vector<OutputBlock> blocks;
  const std::string mark = kMark;
  const std::string open = "```\n$ ";
  for (std::size_t at = text_.find(mark); at != std::string::npos; at = text_.find(mark, at + 1)) {
    const std::size_t end_of_mark = text_.find(kEndOfMark, at);
    const std::string kind =
        text_.substr(at + mark.size(), end_of_mark - std::min(end_of_mark, at + mark.size()));
    const bool with_errors = kind.starts_with(kWithErrors);
    const std::size_t fence = std::min(end_of_mark, text_.size()) + std::string(kEndOfMark).size();
    const std::size_t line_end = text_.find('\n', fence + open.size());
    const std::size_t close = text_.find("\n```\n", fence + open.size());
    if ((!kind.empty() && !with_errors) || fence > text_.size() ||
        text_.compare(fence, open.size(), open) != 0 || close == std::string::npos) {
      throw std::runtime_error(file_.string() + ":" + std::to_string(line_at(at)) +
                               ": expected a block that begins with '$ COMMAND' after the mark");
    }
    const std::size_t from = fence + open.size();
    blocks.push_back(
        {test::words_of(text_.substr(from, line_end - from)),
         text_.substr(line_end + 1, close + 1 - (line_end + 1)), line_end + 1, line_at(from),
         with_errors ? std::optional(std::stoi(kind.substr(std::string(kWithErrors).size())))
                     : std::nullopt});
  }
  return blocks;
}

std::vector<std::string> Document::block_at(std::size_t fence) const {
  std::vector<std::string> lines;
  std::istringstream text(text_.substr(fence));
  std::string line;
  if (!std::getline(text, line) || !line.starts_with("```")) {
    throw std::runtime_error(file_.string() + ":" + std::to_string(line_at(fence)) +
                             ": expected a block after the mark");
  }
  while (std::getline(text, line) && line != "```") lines.push_back(line);
  return lines;
}

std::vector<GdbSession> Document::gdb_sessions() const {
  std::vector<GdbSession> sessions;
  const std::string mark = "<!-- gdb ";
  const std::string end = " -->\n";
  for (auto at = text_.find(mark); at != std::string::npos; at = text_.find(mark, at + 1)) {
    const auto close = text_.find(end, at);
    const std::string what = text_.substr(at + mark.size(), close - at - mark.size());
    const auto lines = block_at(close + end.size());
    if (what == "output") {
      if (sessions.empty()) {
        throw std::runtime_error(file_.string() + ":" + std::to_string(line_at(at)) +
                                 ": expected '<!-- gdb WORKLOAD -->' before this mark");
      }
      sessions.back().expected = lines;
    } else {
      sessions.push_back({what, lines, {}, line_at(at)});
    }
  }
  return sessions;
}

std::vector<std::string> Document::listed_folders() const {
  std::vector<std::string> folders;
  const std::regex name(R"(^\| *\[?`?([a-z][a-z0-9_/]*)`?\]?[^|]*\|)");
  std::istringstream lines(text_);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("| folder ")) {
      inside = true;
    } else if (!line.starts_with('|')) {
      inside = false;
    } else if (std::smatch match; inside && std::regex_search(line, match, name)) {
      std::string folder = match[1];
      if (folder.ends_with('/')) folder.pop_back();
      folders.push_back(folder);
    }
  }
  return folders;
}

std::vector<std::string> Document::named_files() const {
  std::vector<std::string> files;
  const std::regex name(
      R"((?:`|\]\()([A-Za-z0-9_./-]+\.(?:h|hpp|cpp|toml|txt|md|sv|sh|cmake|gtkw|png))[`)#])");
  for (std::sregex_iterator match(text_.begin(), text_.end(), name), end; match != end; ++match) {
    const std::string file = (*match)[1];
    if (file.find("NAME") == std::string::npos) files.push_back(file);
  }
  return files;
}

void Document::replace(const OutputBlock& block, const std::string& text) {
  text_.replace(block.begin, block.text.size(), text);
}

void Document::save() const {
  std::ofstream stream(file_, std::ios::binary);
  stream << text_;
  if (!stream.flush()) throw std::runtime_error(file_.string() + " cannot be written");
}

std::vector<std::string> checked_pages() {
  std::vector<std::string> pages{"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator("platform/docs"))
    if (entry.path().extension() == ".md") pages.push_back(entry.path());
  std::sort(pages.begin() + 4, pages.end());
  return pages;
}

std::string output_of(const OutputBlock& block, const std::vector<std::string>& command,
                      const std::string& folder, const std::vector<std::string>& environment) {
  const auto run = foundation::Process::run({.command = command,
                                             .environment = environment,
                                             .folder = folder,
                                             .errors = block.exit_code ? "" : "-"});
  std::string said = run.said();
  if (run.exit_code() != block.exit_code.value_or(0)) {
    std::string text;
    for (const std::string& word : command) text += word + " ";
    throw std::runtime_error(text + "ended with " + std::to_string(run.exit_code()) + "\n" + said);
  }
  const std::string root = std::filesystem::current_path().string() + "/";
  for (auto at = said.find(root); at != std::string::npos; at = said.find(root, at))
    said.erase(at, root.size());
  // The functions of the kernel API between a line of a kernel and the store.
  static const std::regex chain(R"((\([^()\n]*:\d+\)): [^\n]*, inlined into [^\n]*)");
  return block.exit_code ? std::regex_replace(said, chain, "$1: …") : said;
}

std::string shortened(const std::string& output, const std::string& as) {
  if (!as.ends_with(kRest)) return output;
  const auto lines = std::count(as.begin(), as.end(), '\n') - 1;
  std::size_t end = 0;
  for (long i = 0; i < lines && end != std::string::npos; ++i) end = output.find('\n', end) + 1;
  return output.substr(0, end) + kRest;
}

std::string comparable(const std::string& output) {
  std::string text;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("  wall time") || line.starts_with("  speed")) continue;
    line.resize(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace tvp::docs
