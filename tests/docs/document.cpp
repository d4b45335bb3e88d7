#include "tests/docs/document.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "foundation/process.h"

namespace tvp::docs {

namespace {

constexpr const char* kMark = "<!-- output -->\n";
constexpr const char* kRest = "  …\n";

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace

Document::Document(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream stream(file_, std::ios::binary);
  if (!stream) throw std::runtime_error(file_.string() + " cannot be read");
  text_.assign(std::istreambuf_iterator<char>(stream), {});
}

std::vector<OutputBlock> Document::outputs() const {
  std::vector<OutputBlock> blocks;
  const std::string mark = kMark;
  const std::string open = "```\n$ ./vp ";
  for (std::size_t at = text_.find(mark); at != std::string::npos; at = text_.find(mark, at + 1)) {
    const std::size_t fence = at + mark.size();
    const std::size_t line_end = text_.find('\n', fence + open.size());
    const std::size_t close = text_.find("\n```\n", fence + open.size());
    if (text_.compare(fence, open.size(), open) != 0 || close == std::string::npos) {
      const auto line = std::count(text_.begin(), text_.begin() + static_cast<long>(at), '\n') + 1;
      throw std::runtime_error(file_.string() + ":" + std::to_string(line) +
                               ": expected a block that begins with '$ ./vp' behind the mark");
    }
    const std::size_t from = fence + open.size();
    blocks.push_back({words_of(text_.substr(from, line_end - from)),
                      text_.substr(line_end + 1, close + 1 - (line_end + 1)), line_end + 1});
  }
  return blocks;
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

std::string output_of(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto run = foundation::Process::run({.command = command, .errors = "-"});
  if (run.exit_code() != 0) {
    std::string text;
    for (const std::string& word : command) text += word + " ";
    throw std::runtime_error(text + "failed\n" + run.said());
  }
  return run.said();
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
    text += line + "\n";
  }
  return text;
}

}  // namespace tvp::docs
