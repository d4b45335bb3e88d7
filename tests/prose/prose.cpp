// Checks the prose of the source tree in the current folder: see README.md of tests/prose.
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <vector>

#include "tests/prose/tree.h"

namespace {

using tvp::prose::Finding;

/// The first two folders of a path.
std::string folder_of(const std::string& file) {
  const auto first = file.find('/');
  if (first == std::string::npos) return ".";
  const auto second = file.find('/', first + 1);
  return file.substr(0, second == std::string::npos ? first : second);
}

void print_counts(const std::vector<Finding>& found) {
  const std::vector<std::string> rules{"long", "opening", "word", "name", "path", "place"};
  std::map<std::string, std::map<std::string, unsigned>> counts;
  for (const Finding& finding : found) {
    ++counts[folder_of(finding.file)][finding.rule];
    ++counts["total"][finding.rule];
  }
  std::printf("%-28s", "folder");
  for (const std::string& rule : rules) std::printf("%9s", rule.c_str());
  std::printf("\n");
  for (auto& [folder, by_rule] : counts) {
    std::printf("%-28s", folder.c_str());
    for (const std::string& rule : rules) std::printf("%9u", by_rule[rule]);
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  bool count = false;
  std::vector<std::string> paths;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--count") {
      count = true;
    } else if (argument.starts_with('-')) {
      std::fprintf(stderr, "vp: lint prose: unknown option '%s', expected [--count] [PATH…]\n",
                   argv[i]);
      return 2;
    } else {
      paths.push_back(argument);
    }
  }
  try {
    const tvp::prose::Tree tree;
    if (paths.empty()) paths = count ? std::vector<std::string>{"."} : tree.clean();
    const auto found = tree.check(paths);
    if (count) {
      print_counts(found);
      return 0;
    }
    for (const Finding& finding : found)
      std::printf("%s:%u: %s: %s\n", finding.file.c_str(), finding.line, finding.rule.c_str(),
                  finding.text.c_str());
    return found.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vp: lint prose: %s\n", error.what());
    return 2;
  }
}
