#include "tests/layers/arrow_table.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tvp::layers {

namespace {

constexpr std::size_t kDrawingWidth = 100;

constexpr const char* kEverything = "*";

bool is_external(const std::string& block) {
  return block.starts_with('<') || block == kEverything;
}

[[noreturn]] void fail(const std::filesystem::path& file, unsigned line, const std::string& text) {
  throw std::runtime_error(file.string() + ":" + std::to_string(line) + ": " + text);
}

/// Follows arrows from `block`; `path` holds the blocks that lead to it.
bool find_circle(const std::map<std::string, std::set<std::string>>& arrows,
                 const std::string& block, std::vector<std::string>& path,
                 std::set<std::string>& done) {
  const auto begin = std::find(path.begin(), path.end(), block);
  const bool closes = begin != path.end();
  if (closes) path.erase(path.begin(), begin);
  if (closes || done.contains(block)) {
    if (closes) path.push_back(block);
    return closes;
  }
  path.push_back(block);
  if (const auto found = arrows.find(block); found != arrows.end()) {
    for (const std::string& next : found->second) {
      if (find_circle(arrows, next, path, done)) return true;
    }
  }
  path.pop_back();
  done.insert(block);
  return false;
}

}  // namespace

ArrowTable ArrowTable::read(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) fail(file, 0, "cannot be read");
  ArrowTable table;
  std::map<std::string, unsigned> first_use;
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string block;
    std::string arrow;
    if (!(words >> block)) continue;
    if (!(words >> arrow) || arrow != "->") fail(file, number, "expected BLOCK -> BLOCKS");
    const auto [entry, is_new] = table.arrows_.try_emplace(block);
    if (!is_new) fail(file, number, "block " + block + " stands twice");
    for (std::string to; words >> to;) {
      entry->second.insert(to);
      first_use.emplace(to, number);
    }
  }
  for (const auto& [block, line] : first_use) {
    if (!is_external(block) && !table.arrows_.contains(block)) {
      fail(file, line, "arrow to " + block + ", which has no line of its own");
    }
  }
  return table;
}

std::string ArrowTable::block_of(const std::string& path) const {
  std::string best;
  for (const auto& [block, to] : arrows_) {
    const bool inside = path == block || (path.starts_with(block) && path.size() > block.size() &&
                                          path[block.size()] == '/');
    if (inside && block.size() > best.size()) best = block;
  }
  return best;
}

bool ArrowTable::allows(const std::string& from, const std::string& to) const {
  const auto found = arrows_.find(from);
  return from == to || (found != arrows_.end() &&
                        (found->second.contains(to) || found->second.contains(kEverything)));
}

std::vector<std::string> ArrowTable::circle() const {
  std::vector<std::string> path;
  std::set<std::string> done;
  for (const auto& [block, to] : arrows_) {
    if (find_circle(arrows_, block, path, done)) return path;
  }
  return {};
}

std::vector<std::vector<std::string>> ArrowTable::levels() const {
  std::vector<std::vector<std::string>> levels;
  std::map<std::string, std::size_t> level_of;
  while (level_of.size() < arrows_.size()) {
    std::vector<std::string> level;
    for (const auto& [block, to] : arrows_) {
      // A folder that may include everything is at the top level.
      const std::size_t others = arrows_.size() - 1;
      const bool ready = std::all_of(to.begin(), to.end(), [&](const std::string& below) {
        return below == kEverything ? level_of.size() >= others
                                    : is_external(below) || level_of.contains(below);
      });
      if (ready && !level_of.contains(block)) level.push_back(block);
    }
    if (level.empty()) throw std::runtime_error("the arrows have a circle");
    for (const std::string& block : level) level_of[block] = levels.size();
    levels.push_back(std::move(level));
  }
  return levels;
}

std::string ArrowTable::drawing() const {
  const auto rows = levels();
  std::string text;
  for (std::size_t i = rows.size(); i-- > 0;) {
    std::string line = (i < 10 ? " " : "") + std::to_string(i) + " ";
    for (const std::string& block : rows[i]) {
      if (line.size() + 2 + block.size() > kDrawingWidth) {
        text += line + "\n";
        line = "   ";
      }
      line += "  " + block;
    }
    text += line + "\n";
  }
  return text;
}

}  // namespace tvp::layers
