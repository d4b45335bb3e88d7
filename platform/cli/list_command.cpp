#include "platform/cli/list_command.h"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "platform/cli/command_options.h"
#include "platform/cli/library_path.h"
#include "platform/cli/limits.h"
#include "platform/cli/workload_registry.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/report/run_report.h"
#include "sw/runtime/device_library.h"

namespace tvp::cli {

namespace {

void print_settings(const std::string& json_text) {
  for (const auto& s : nlohmann::json::parse(json_text)) {
    const std::string unit = s["unit"];
    std::printf("  %-34s %s%s%s  (%s)\n", s["key"].get<std::string>().c_str(),
                s["default"].get<std::string>().c_str(), unit.empty() ? "" : " ", unit.c_str(),
                s["expected"].get<std::string>().c_str());
    std::printf("      %s. Source: %s\n", s["doc"].get<std::string>().c_str(),
                s["source"].get<std::string>().c_str());
  }
}

void list_workloads(const WorkloadRegistry& workloads) {
  std::puts("Workloads");
  for (const auto& workload : workloads.all()) {
    std::printf("  %-16s %s (system %s)\n", workload->name().c_str(), workload->summary().c_str(),
                workload->default_system().c_str());
  }
}

void list_systems() {
  std::puts("\nSystems");
  for (const std::string& name : platform::SystemDescription::list(platform::system_folder())) {
    std::printf("  %s\n", name.c_str());
  }
}

void list_keys(const WorkloadRegistry& workloads) {
  std::puts("\nKeys of the workloads (--set key=value)");
  for (const auto& workload : workloads.all()) {
    print_settings(report::settings_to_json(workload->settings()));
  }
  std::puts("\nKeys of the platform and its models (--set key=value)");
  const auto library = runtime::DeviceLibrary::open(library_path({}));
  if (library->has_settings()) print_settings(library->settings());
}

}  // namespace

void ListCommand::add_options(CommandOptions& options) {
  options.flag("--limits", limits_, "what each model ignores or lacks, instead");
}

int ListCommand::execute() {
  if (limits_) return list_limits();
  const WorkloadRegistry workloads;
  list_workloads(workloads);
  list_systems();
  list_keys(workloads);
  return 0;
}

}  // namespace tvp::cli
