#include "platform/cli/catalogue.h"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include "platform/cli/run/library_path.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/report/run_report.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::cli {

namespace {

using nlohmann::ordered_json;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::string text_of_keys(const ordered_json& keys) {
  std::string text;
  for (const auto& key : keys) {
    const auto part = [&](const char* name) { return key.at(name).get<std::string>(); };
    std::string name = part("key");
    name.resize(std::max<std::size_t>(name.size(), 34), ' ');
    text += "  " + name + " " + part("default") + (part("unit").empty() ? "" : " ") + part("unit") +
            "  (" + part("expected") + ")\n";
    text += "      " + part("doc") + ". Source: " + part("source") + "\n";
  }
  return text;
}

}  // namespace

Catalogue::Catalogue(const WorkloadRegistry& workloads, std::string pattern)
    : pattern_(lower(std::move(pattern))),
      json_{{"workloads", ordered_json::array()},
            {"systems", ordered_json::array()},
            {"workload_keys", ordered_json::array()},
            {"keys", ordered_json::array()}} {
  for (const auto& workload : workloads.all()) {
    if (!picks(workload->name(), workload->summary())) continue;
    json_["workloads"].push_back({{"name", workload->name()},
                                  {"summary", workload->summary()},
                                  {"system", workload->default_system()}});
  }
  for (const std::string& name : platform::SystemDescription::list(platform::system_folder())) {
    if (picks(name, "")) json_["systems"].push_back(name);
  }
  for (const auto& workload : workloads.all()) {
    add_keys("workload_keys", report::settings_to_json(workload->settings()));
  }
  const auto library = runtime::DeviceLibrary::open(library_path({}));
  if (library->has_settings()) add_keys("keys", library->settings());
}

void Catalogue::add_keys(const char* list, const std::string& settings) {
  for (const auto& key : ordered_json::parse(settings)) {
    if (picks(key.at("key").get<std::string>(), key.at("doc").get<std::string>())) {
      json_[list].push_back(key);
    }
  }
}

bool Catalogue::picks(const std::string& name, const std::string& said) const {
  if (pattern_.find_first_of("*?") != std::string::npos) {
    return fnmatch(pattern_.c_str(), lower(name).c_str(), 0) == 0;
  }
  return lower(name).find(pattern_) != std::string::npos ||
         lower(said).find(pattern_) != std::string::npos;
}

bool Catalogue::empty() const {
  return std::all_of(json_.begin(), json_.end(), [](const auto& list) { return list.empty(); });
}

std::string Catalogue::text() const {
  std::string text;
  const auto add = [&](const char* heading, const std::string& lines) {
    if (lines.empty()) return;
    text += (text.empty() ? "" : "\n") + std::string(heading) + "\n" + lines;
  };
  std::string workloads;
  for (const auto& workload : json_.at("workloads")) {
    std::string name = workload.at("name");
    name.resize(std::max<std::size_t>(name.size(), 16), ' ');
    workloads += "  " + name + " " + workload.at("summary").get<std::string>() + " (system " +
                 workload.at("system").get<std::string>() + ")\n";
  }
  std::string systems;
  for (const auto& name : json_.at("systems")) systems += "  " + name.get<std::string>() + "\n";
  add("Workloads", workloads);
  add("Systems", systems);
  add("Keys of the workloads (--set key=value)", text_of_keys(json_.at("workload_keys")));
  add("Keys of the platform and its models (--set key=value)", text_of_keys(json_.at("keys")));
  return text;
}

}  // namespace tvp::cli
