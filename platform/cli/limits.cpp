#include "platform/cli/limits.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "foundation/fault.h"
#include "foundation/source_root.h"

namespace tvp::cli {

namespace {

namespace fs = std::filesystem;

/// Items of the list below "## Limits", each on one line.
std::vector<std::string> limits_of(const fs::path& readme) {
  std::vector<std::string> limits;
  bool inside = false;
  std::ifstream stream(readme);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) {
      inside = line == "## Limits";
    } else if (inside && line.rfind("* ", 0) == 0) {
      limits.push_back(line.substr(2));
    } else if (inside && line.rfind("  ", 0) == 0 && !limits.empty()) {
      limits.back() += line.substr(1);
    }
  }
  return limits;
}

std::string models_folder() {
  if (const char* folder = std::getenv("TENSIX_VP_MODELS")) return folder;
  return foundation::source_root() + "/models";
}

}  // namespace

std::vector<ModelLimits> read_limits(const std::string& folder) {
  std::error_code error;
  std::vector<ModelLimits> all;
  for (fs::recursive_directory_iterator at(folder, error), end; at != end; ++at) {
    if (at->path().filename() != "README.md") continue;
    const std::string model = fs::relative(at->path().parent_path(), folder).string();
    if (model == ".") continue;
    all.push_back({model, limits_of(at->path())});
  }
  if (error || all.empty()) {
    throw foundation::Fault(foundation::FaultKind::kDescription, "list --limits",
                            "no README.md of a model below " + folder);
  }
  std::sort(all.begin(), all.end(),
            [](const ModelLimits& a, const ModelLimits& b) { return a.model < b.model; });
  return all;
}

std::vector<ModelLimits> all_limits() {
  std::vector<ModelLimits> all = read_limits(models_folder());
  all.push_back({"systems", limits_of(foundation::source_root() + "/platform/systems/README.md")});
  return all;
}

int list_limits() {
  std::puts(
      "These lines list what the models ignore or lack. If a program uses one of these\n"
      "features, the run stops and names it, unless the line says otherwise.");
  for (const ModelLimits& model : all_limits()) {
    if (model.limits.empty()) continue;
    std::printf("\n%s\n", model.model.c_str());
    for (const std::string& limit : model.limits) std::printf("  * %s\n", limit.c_str());
  }
  return 0;
}

}  // namespace tvp::cli
