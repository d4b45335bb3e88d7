#include "platform/cli/sweep/sweep_plan.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "foundation/content_hash.h"
#include "foundation/fault.h"
#include "foundation/nearest_name.h"
#include "platform/cli/run/library_path.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/workload_run.h"
#include "platform/cli/sweep/sweep_condition.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/report/run_report.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;

namespace {

constexpr std::size_t kMostRuns = 10'000;
/// Conditions leave a part of so many combinations.
constexpr std::size_t kMostCombinations = 1'000'000;
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
  apply_conditions();
  check_outputs();
  if (!options_.join) check_runs(workloads, *library);
}

void SweepPlan::learn_keys(workloads::Workload& workload, const runtime::DeviceLibrary& library) {
  const auto learn = [&](const std::string& list) {
    for (const auto& setting : nlohmann::json::parse(list)) {
      const std::string expected = setting.value("expected", std::string());
      known_[setting["key"]] = {setting["unit"], setting["default"],
                                expected.starts_with("number ")};
    }
  };
  if (library.has_settings()) learn(library.settings());
  learn(report::settings_to_json(workload.settings()));
  const std::string system = options_.run.system.value_or(workload.default_system());
  known_[kSeed] = {"", std::to_string(options_.run.seed), false};
  known_[kSystem] = {"", system, false};
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

void SweepPlan::draw_samples() {
  const SweepAxis* first = nullptr;
  for (SweepAxis& axis : options_.axes) {
    if (!axis.sample) continue;
    if (first == nullptr) first = &axis;
    if (axis.sample->count != first->sample->count) {
      bad("--vary " + axis.key, "has a sample of " + std::to_string(axis.sample->count) +
                                    " values: expected " + std::to_string(first->sample->count) +
                                    " as for " + first->key);
    }
    axis.sample->whole = axis.sample->whole && !known_[axis.key].real;
    axis.values = axis.sample->values(options_.run.seed, axis.key);
  }
}

void SweepPlan::set_keys() {
  for (SweepAxis& axis : options_.axes) axis.key = full_key(axis.key);
  draw_samples();
  for (const SweepAxis& axis : options_.axes) {
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
  const std::size_t most = options_.where.empty() ? kMostRuns : kMostCombinations;
  std::size_t count = 1;
  bool sampled = false;
  // All samples together are one dimension: the one of the first sampled key.
  std::vector<std::size_t> sizes;
  for (std::size_t k = 0; k < sweep_.keys.size(); ++k) {
    const bool counts = !options_.axes[k].sample || !sampled;
    sampled = sampled || options_.axes[k].sample;
    sizes.push_back(counts ? sweep_.keys[k].values.size() : 1);
    count *= sizes.back();
    if (count > most) bad("--vary", "asks for more than " + std::to_string(most) + " runs");
  }
  std::set<std::vector<std::string>> known;
  for (std::size_t r = 0; r < count; ++r) {
    std::vector<std::size_t> at(sizes.size());
    std::size_t rest = r;
    std::size_t sample = 0;
    for (std::size_t k = sizes.size(); k-- > 0;) {
      at[k] = rest % sizes[k];
      rest /= sizes[k];
      if (options_.axes[k].sample) sample += at[k];
    }
    report::SweptRun run;
    for (std::size_t k = 0; k < sizes.size(); ++k)
      run.values.push_back(sweep_.keys[k].values[options_.axes[k].sample ? sample : at[k]]);
    // A sample of integers may contain a point twice.
    if (sampled && !known.insert(run.values).second) continue;
    run.report_file = file_name(run);
    sweep_.runs.push_back(std::move(run));
  }
  // Pages and tables show each value once.
  for (report::SweptKey& key : sweep_.keys) {
    std::set<std::string> shown;
    std::erase_if(key.values, [&](const std::string& v) { return !shown.insert(v).second; });
  }
}

std::string SweepPlan::unknown_key(const std::string& word) const {
  std::vector<std::string> names;
  for (const auto& [key, known] : known_) {
    names.push_back(key);
    if (key.starts_with(workload_ + ".")) names.push_back(key.substr(workload_.size() + 1));
  }
  return "unknown key '" + word + "'" + foundation::did_you_mean(word, names);
}

void SweepPlan::apply_conditions() {
  for (const std::string& text : options_.where) {
    const SweepCondition condition(text);
    const report::SweptRun* now = nullptr;
    const auto value_of = [&](const std::string& word) -> std::string {
      const std::string key = full_key(word);
      for (std::size_t k = 0; k < sweep_.keys.size(); ++k)
        if (sweep_.keys[k].key == key) return now->values[k];
      for (const auto& [name, value] : sweep_.settings)
        if (name == key) return value;
      const auto known = known_.find(key);
      if (known == known_.end()) bad("--where '" + text + "'", unknown_key(word));
      return known->second.default_value;
    };
    std::erase_if(sweep_.runs, [&](const report::SweptRun& run) {
      now = &run;
      return !condition.holds(value_of);
    });
    if (sweep_.runs.empty())
      bad("--where '" + text + "'", "no combination of the values fulfils this condition");
  }
  if (sweep_.runs.size() > kMostRuns)
    bad("--vary", "asks for more than " + std::to_string(kMostRuns) + " runs");
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
  if (options.system) words.insert(words.end(), {"--system", *options.system});
  add_options_of_all(words);
  for (const auto& [key, value] : options.settings)
    words.insert(words.end(), {"--set", key + "=" + quoted(value)});
  return words;
}

void SweepPlan::add_options_of_all(std::vector<std::string>& words) const {
  if (options_.max_time) words.insert(words.end(), {"--max-time", *options_.max_time});
  if (options_.run.lockstep) words.push_back("--lockstep");
  if (options_.run.device_library)
    words.insert(words.end(), {"--device", *options_.run.device_library});
}

std::vector<std::string> SweepPlan::joining_arguments() const {
  std::vector<std::string> words{"sweep", workload_, "--join", "--quiet", "--out", options_.folder};
  const auto add = [&](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  for (const std::string& axis : options_.varied) add("--vary", axis);
  for (const std::string& condition : options_.where) add("--where", condition);
  for (const auto& [key, value] : options_.run.settings) add("--set", key + "=" + quoted(value));
  for (const std::string& name : options_.metrics) add("--metric", name);
  if (options_.run.system) add("--system", *options_.run.system);
  const auto is_seed = [](const SweepAxis& axis) { return axis.key == kSeed; };
  if (std::none_of(options_.axes.begin(), options_.axes.end(), is_seed))
    add("--seed", std::to_string(options_.run.seed));
  add_options_of_all(words);
  return words;
}

}  // namespace tvp::cli
