#include "platform/cli/run/recording.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/input_file.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"

namespace tvp::cli {

namespace {

using Json = nlohmann::ordered_json;
using foundation::Fault;
using foundation::FaultKind;

constexpr int kRecordingSchema = 1;

Json to_json(const RecordedRun& run) {
  Json json{{"workload", run.workload},         {"seed", run.seed},
            {"lockstep", run.lockstep},         {"exit_code", run.exit_code},
            {"simulated_ps", run.simulated_ps}, {"state_digest", run.state_digest}};
  json["phases"] = run.phases;
  json["metrics"] = run.metrics;
  return json;
}

RecordedRun from_json(const Json& json) {
  RecordedRun run;
  json.at("workload").get_to(run.workload);
  json.at("seed").get_to(run.seed);
  json.at("lockstep").get_to(run.lockstep);
  json.at("exit_code").get_to(run.exit_code);
  json.at("simulated_ps").get_to(run.simulated_ps);
  json.at("state_digest").get_to(run.state_digest);
  json.at("phases").get_to(run.phases);
  json.at("metrics").get_to(run.metrics);
  return run;
}

bool same_run(const RecordedRun& a, const RecordedRun& b) {
  return a.workload == b.workload && a.seed == b.seed && a.lockstep == b.lockstep;
}

std::string text_of(double value) { return Json(value).dump(); }
std::string text_of(const std::pair<double, double>& value) { return Json(value).dump(); }

/// Entries that differ between two maps.
template <typename Value>
void compare(const std::string& title, const std::map<std::string, Value>& now,
             const std::map<std::string, Value>& before, std::vector<std::string>& lines) {
  for (const auto& [name, value] : now) {
    const auto found = before.find(name);
    if (found == before.end()) {
      lines.push_back(title + ": " + name + " is new");
    } else if (found->second != value) {
      lines.push_back(title + ": " + name + " " + text_of(found->second) + " -> " + text_of(value));
    }
  }
  for (const auto& [name, value] : before) {
    if (!now.contains(name)) lines.push_back(title + ": " + name + " is gone");
  }
}

/// The message of an exception of nlohmann::json, without its prefix "[json.exception.…] ".
std::string complaint(const Json::exception& error) {
  const std::string text = error.what();
  return text.substr(text.find("] ") + 2);
}

/// True for units of figures that describe the host machine.
bool of_the_host(const std::string& unit) {
  return unit == "s" || unit == "MIPS" || unit == "router cycles/s" || unit == "us of the host";
}

}  // namespace

std::string RecordedRun::title() const {
  return workload + " seed " + std::to_string(seed) + (lockstep ? " lockstep" : "");
}

std::string RecordedRun::summary() const {
  if (exit_code != 0) return "exit code " + std::to_string(exit_code);
  return std::to_string(simulated_ps) + " ps " + state_digest;
}

void RecordedRun::take(int code, const std::string& report) {
  exit_code = code;
  if (code != 0) return;
  std::ifstream file(report);
  const Json json = Json::parse(file);
  json.at("simulated_ps").get_to(simulated_ps);
  json.at("state_digest").get_to(state_digest);
  for (const Json& phase : json.at("phases")) {
    phases[phase.at("name")] = {phase.at("begin_ns"), phase.at("end_ns")};
  }
  for (const auto& [name, metric] : json.at("metrics").items()) {
    if (metric.at("value").is_number() && !of_the_host(metric.at("unit"))) {
      metrics[name] = metric.at("value");
    }
  }
}

std::vector<std::string> RecordedRun::differences(const RecordedRun& before) const {
  std::vector<std::string> lines;
  if (summary() != before.summary()) {
    lines.push_back(title() + ": " + before.summary() + " -> " + summary());
  }
  compare(title(), phases, before.phases, lines);
  compare(title(), metrics, before.metrics, lines);
  return lines;
}

Recording Recording::read(const std::string& file) {
  const std::string text = foundation::read_input_file(file);
  try {
    const Json json = Json::parse(text);
    if (json.at("schema") != kRecordingSchema)
      throw Fault(FaultKind::kDescription, file, "schema: expected 1");
    std::vector<RecordedRun> runs;
    for (const Json& run : json.at("runs")) runs.push_back(from_json(run));
    return Recording(std::move(runs));
  } catch (const Json::exception& error) {
    throw Fault(FaultKind::kDescription, file,
                "expected a recording of the command record: " + complaint(error));
  }
}

void Recording::write(const std::string& file) const {
  Json json{{"schema", kRecordingSchema}, {"runs", Json::array()}};
  for (const RecordedRun& run : runs_) json["runs"].push_back(to_json(run));
  foundation::write_file(file, foundation::json_text(json, 1) + "\n");
}

std::vector<std::string> Recording::contradictions() const {
  std::vector<std::string> lines;
  for (const RecordedRun& run : runs_) {
    if (run.exit_code != 0) lines.push_back(run.title() + ": " + run.summary());
    if (!run.lockstep) continue;
    const auto free = std::find_if(runs_.begin(), runs_.end(), [&](const RecordedRun& other) {
      return !other.lockstep && other.workload == run.workload && other.seed == run.seed;
    });
    if (free == runs_.end()) continue;
    for (const std::string& line : run.differences(*free))
      lines.push_back("not as without: " + line);
  }
  return lines;
}

std::vector<std::string> Recording::differences(const Recording& before) const {
  std::vector<std::string> lines;
  for (const RecordedRun& run : runs_) {
    const auto found = std::find_if(before.runs_.begin(), before.runs_.end(),
                                    [&](const RecordedRun& other) { return same_run(run, other); });
    if (found == before.runs_.end()) {
      lines.push_back(run.title() + ": is new");
      continue;
    }
    for (std::string& line : run.differences(*found)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace tvp::cli
