#include "tests/prose/tree.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "foundation/process.h"

namespace tvp::prose {

namespace {

namespace fs = std::filesystem;

const std::string kFolder = "tests/prose/";

/// Files that git tracks. Those whose text is data of others are not prose.
std::vector<std::string> tracked_files() {
  const auto run = foundation::Process::run({.command = {"git", "ls-files"}, .errors = "-"});
  if (run.exit_code() != 0) throw std::runtime_error("git ls-files: " + run.said());
  std::vector<std::string> files;
  std::istringstream lines(run.said());
  for (std::string file; std::getline(lines, file);)
    if (fs::is_regular_file(file)) files.push_back(file);
  return files;
}

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream stream(file);
  if (!stream) throw std::runtime_error(file + ": cannot be read");
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> entries_of(const std::string& file) {
  std::set<std::string> entries;
  for (const std::string& line : lines_of(file))
    if (!line.empty() && line[0] != '#') entries.insert(line);
  return entries;
}

bool is_below(const std::string& file, const std::string& path) {
  return path == "." || file == path || (file.starts_with(path) && file[path.size()] == '/');
}

KnownNames names_in(const std::vector<std::string>& files) {
  KnownNames names;
  for (const std::string& file : files) {
    names.add_file(file);
    if (!file.ends_with(".md")) names.add_text(read_source(file).code);
  }
  for (const std::string& line : entries_of(kFolder + "names.txt")) {
    names.add_text(line);
    std::istringstream words(line);
    for (std::string word; words >> word;) names.add_word(word);
  }
  if (fs::exists("GLOSSARY.md")) {
    for (const Passage& passage : read_source("GLOSSARY.md").passages) names.add_text(passage.text);
  }
  return names;
}

}  // namespace

Tree::Tree()
    : files_(tracked_files()),
      check_(WordList::read(kFolder + "words.txt"), entries_of(kFolder + "openings.txt"),
             names_in(files_)) {
  for (const std::string& file : files_)
    if (const auto slash = file.find('/'); slash != std::string::npos)
      folders_.insert(file.substr(0, slash));
  unsigned number = 0;
  for (const std::string& line : lines_of(kFolder + "clean.txt")) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!fs::exists(line))
      throw std::runtime_error(kFolder + "clean.txt:" + std::to_string(number) + ": '" + line +
                               "' does not exist");
    clean_.push_back(line);
  }
}

std::vector<Finding> Tree::check(const std::vector<std::string>& paths) const {
  for (const std::string& path : paths)
    if (!fs::exists(path)) throw std::runtime_error("'" + path + "' does not exist");
  std::vector<Finding> found;
  for (const std::string& file : files_) {
    bool wanted = false;
    for (const std::string& path : paths)
      wanted |= is_below(
          file, path.size() > 1 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
    if (!wanted || file == kFolder + "prose_test.cpp") continue;
    Source source = read_source(file);
    // String literals of tests are programs, inputs and expected outputs.
    if (file.starts_with("tests/") && !file.ends_with(".md"))
      std::erase_if(source.passages,
                    [](const Passage& p) { return p.kind == Passage::Kind::kMessage; });
    const auto of_file = check_.check(file, source, folders_);
    found.insert(found.end(), of_file.begin(), of_file.end());
  }
  return found;
}

}  // namespace tvp::prose
