#include "platform/cli/sweep/sweep_plan.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "platform/cli/run/library_path.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/workload_run.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/report/run_report.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr std::size_t kMostRuns = 10'000;
/// Names of files may have 255 bytes.
constexpr std::size_t kLongestName = 160;
const std::string kSeed = "seed";
const std::string kSystem = "system";

[[noreturn]] void bad(const std::string& where, const std::string& text) {
  throw Fault(FaultKind::kDescription, where, text);
}

}  // namespace

SweepPlan::SweepPlan(const WorkloadRegistry& workloads, const SweepOptions& options)
    : options_(options), workload_(options.run.workload) {
  workloads::Workload& workload = workloads.find(workload_);
  if (options_.axes.empty()) bad("sweep", "expected at least one --vary key=values");
  const auto library = runtime::DeviceLibrary::open(library_path(options_.run.device_library));
  learn_keys(workload, *library);
  sweep_.workload = workload_;
  sweep_.wanted = options_.metrics;
  set_common();
  set_keys();
  make_runs();
  check_outputs();
  check_runs(workloads, *library);
}

void SweepPlan::learn_keys(workloads::Workload& workload, const runtime::DeviceLibrary& library) {
  const auto learn = [&](const std::string& list) {
    for (const auto& setting : nlohmann::json::parse(list)) {
      known_[setting["key"]] = {setting["unit"], setting["default"]};
    }
  };
  if (library.has_settings()) learn(library.settings());
  learn(report::settings_to_json(workload.settings()));
  const std::string system = options_.run.system.value_or(workload.default_system());
  known_[kSeed] = {"", std::to_string(options_.run.seed)};
  known_[kSystem] = {"", system};
  // Values of the description are the defaults of its system.
  const auto description = platform::SystemDescription::load(system, platform::system_folder());
  for (const auto& [key, setting] : description.settings) {
    known_[key].default_value = setting.value;
  }
}

/// Adds the workload's name in front if it is missing.
std::string SweepPlan::full_key(const std::string& key) const {
  if (key == "router") return "mesh.router";
  const std::string own = workload_ + "." + key;
  return key.find('.') == std::string::npos && known_.count(own) != 0 ? own : key;
}

void SweepPlan::set_common() {
  sweep_.common = {{kSystem, known_[kSystem].default_value},
                   {kSeed, std::to_string(options_.run.seed)}};
  if (options_.max_time) sweep_.common.emplace_back("max time", *options_.max_time);
  if (options_.run.lockstep) sweep_.common.emplace_back("lockstep", "true");
  if (options_.run.device_library) {
    sweep_.common.emplace_back("device", *options_.run.device_library);
  }
  for (auto& [key, value] : options_.run.settings) {
    key = full_key(key);
    sweep_.settings.emplace_back(key, value);
  }
}

void SweepPlan::set_keys() {
  for (SweepAxis& axis : options_.axes) {
    axis.key = full_key(axis.key);
    const std::string where = "--vary " + axis.key;
    const auto is_key = [&](const auto& pair) { return pair.first == axis.key; };
    if (std::any_of(sweep_.settings.begin(), sweep_.settings.end(), is_key)) {
      bad(where, "is set by --set, too: expected one of both");
    }
    for (const report::SweptKey& key : sweep_.keys) {
      if (key.key == axis.key) bad(where, "is there twice: expected all values in one --vary");
    }
    if (axis.key == kSystem && options_.run.system) bad(where, "is given by --system, too");
    if (axis.key == kSeed) {
      for (const std::string& value : axis.values) {
        foundation::parse_unsigned(kSeed, value, 0, std::numeric_limits<std::uint64_t>::max());
      }
    }
    const auto is_axis = [&](const auto& pair) { return pair.first == axis.key; };
    std::erase_if(sweep_.common, is_axis);
    sweep_.keys.push_back(
        {axis.key, known_[axis.key].unit, known_[axis.key].default_value, axis.values});
  }
}

void SweepPlan::make_runs() {
  std::size_t count = 1;
  for (const report::SweptKey& key : sweep_.keys) {
    count *= key.values.size();
    if (count > kMostRuns) {
      bad("--vary", "asks for more than " + std::to_string(kMostRuns) + " runs");
    }
  }
  for (std::size_t r = 0; r < count; ++r) {
    report::SweptRun run;
    std::size_t rest = r;
    for (std::size_t k = sweep_.keys.size(); k-- > 0;) {
      const auto& values = sweep_.keys[k].values;
      run.values.insert(run.values.begin(), values[rest % values.size()]);
      rest /= values.size();
    }
    run.report_file = file_name(run);
    sweep_.runs.push_back(std::move(run));
  }
}

std::string SweepPlan::file_name(const report::SweptRun& run) const {
  std::string full;
  for (std::size_t k = 0; k < run.values.size(); ++k) {
    full += (k == 0 ? "" : ",") + sweep_.keys[k].key + "=" + run.values[k];
  }
  std::string name = full.substr(0, kLongestName);
  const auto harmless = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           std::string(",=._+-").find(c) != std::string::npos;
  };
  for (char& c : name) c = harmless(c) ? c : '_';
  // A hash of the original name distinguishes changed names.
  if (name != full) name += "~" + foundation::ContentHash().add(full).hex().substr(0, 8);
  return name + ".json";
}

RunOptions SweepPlan::options_of(const report::SweptRun& run) const {
  RunOptions options = options_.run;
  for (std::size_t k = 0; k < sweep_.keys.size(); ++k) {
    const std::string& key = sweep_.keys[k].key;
    if (key == kSystem) {
      options.system = run.values[k];
    } else if (key == kSeed) {
      options.seed = std::stoull(run.values[k], nullptr, 0);
    } else {
      options.settings.emplace_back(key, run.values[k]);
    }
  }
  return options;
}

bool SweepPlan::names_output(const std::string& key) const {
  const auto known = known_.find(key);
  return known != known_.end() && known->second.unit == foundation::kOutputFile.unit;
}

/// Parallel runs must not write to the same file.
void SweepPlan::check_outputs() const {
  const auto refuse = [&](const std::string& option, const std::string& value) {
    bad(option + "=" + value, "is written by several runs: expected a file of its own for each");
  };
  if (sweep_.runs.size() > 1)
    for (const auto& [key, value] : sweep_.settings)
      if (names_output(key) && !value.empty()) refuse("--set " + key, value);
  for (std::size_t k = 0; k < sweep_.keys.size(); ++k) {
    const report::SweptKey& key = sweep_.keys[k];
    if (!names_output(key.key)) continue;
    const std::string option = "--vary " + key.key;
    if (sweep_.runs.size() > key.values.size()) refuse(option, key.values.front());
    OutputNames names;
    for (const std::string& value : key.values) names.add(option, value);
  }
}

void SweepPlan::check_runs(const WorkloadRegistry& workloads,
                           runtime::DeviceLibrary& library) const {
  for (const report::SweptRun& run : sweep_.runs) {
    try {
      WorkloadRun(workloads, options_of(run)).check(library);
    } catch (const Fault& fault) {
      bad("sweep", fault.what());
    }
  }
}

SweepPlan::Pairs SweepPlan::settings_of(const report::SweptRun& run) const {
  Pairs pairs = sweep_.common;
  pairs.insert(pairs.end(), sweep_.settings.begin(), sweep_.settings.end());
  for (std::size_t k = 0; k < sweep_.keys.size(); ++k) {
    pairs.emplace_back(sweep_.keys[k].key, run.values[k]);
  }
  return pairs;
}

std::vector<std::string> SweepPlan::arguments_of(const report::SweptRun& run,
                                                 const std::string& report_file) const {
  const RunOptions options = options_of(run);
  std::vector<std::string> words{
      "run", workload_, "--quiet", "--report", report_file, "--seed", std::to_string(options.seed)};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  if (options.system) add("--system", *options.system);
  if (options_.max_time) add("--max-time", *options_.max_time);
  if (options.lockstep) words.push_back("--lockstep");
  if (options.device_library) add("--device", *options.device_library);
  for (const auto& [key, value] : options.settings) add("--set", key + "=" + quoted(value));
  return words;
}

}  // namespace tvp::cli
