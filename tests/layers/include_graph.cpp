#include "tests/layers/include_graph.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace tvp::layers {

namespace fs = std::filesystem;

namespace {

bool is_source(const fs::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".h" || ending == ".hpp" || ending == ".c" || ending == ".cpp";
}

/// The name in a line like `#include "name"`; "" for other lines.
std::string included(const std::string& line, bool& in_brackets) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0) return {};
  const std::size_t open = line.find_first_of("\"<", at + 7);
  if (open == std::string::npos) return {};
  in_brackets = line[open] == '<';
  const std::size_t close = line.find(in_brackets ? '>' : '"', open + 1);
  return close == std::string::npos ? std::string() : line.substr(open + 1, close - open - 1);
}

}  // namespace

IncludeGraph::IncludeGraph(const fs::path& root, const std::vector<std::string>& folders,
                           const std::vector<std::string>& search) {
  for (const std::string& folder : folders) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      read(root, entry.path().lexically_relative(root).generic_string());
    }
  }
  resolve(search);
}

void IncludeGraph::read(const fs::path& root, const std::string& file) {
  std::ifstream stream(root / file);
  if (!stream) throw std::runtime_error((root / file).string() + " cannot be read");
  std::vector<Include>& includes = files_[file];
  unsigned number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    bool in_brackets = false;
    const std::string name = included(line, in_brackets);
    if (!name.empty()) includes.push_back({name, "", in_brackets, number});
  }
}

void IncludeGraph::resolve(const std::vector<std::string>& search) {
  for (auto& [file, includes] : files_) {
    std::vector<fs::path> from{"", fs::path(file).parent_path()};
    from.insert(from.end(), search.begin(), search.end());
    for (Include& include : includes) {
      for (const fs::path& folder : from) {
        const std::string path = (folder / include.spelled).lexically_normal().generic_string();
        if (!files_.contains(path)) continue;
        include.resolved = path;
        include.is_external = false;
        break;
      }
    }
  }
}

bool IncludeGraph::find_circle(const std::string& file, std::vector<std::string>& path,
                               std::map<std::string, bool>& done) const {
  const auto begin = std::find(path.begin(), path.end(), file);
  if (begin != path.end()) {
    path.erase(path.begin(), begin);
    path.push_back(file);
    return true;
  }
  if (done[file]) return false;
  path.push_back(file);
  for (const Include& include : files_.at(file)) {
    if (!include.resolved.empty() && find_circle(include.resolved, path, done)) return true;
  }
  path.pop_back();
  done[file] = true;
  return false;
}

std::vector<std::string> IncludeGraph::circle() const {
  std::vector<std::string> path;
  std::map<std::string, bool> done;
  for (const auto& [file, includes] : files_) {
    if (find_circle(file, path, done)) return path;
  }
  return {};
}

}  // namespace tvp::layers
