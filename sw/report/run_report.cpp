#include "sw/report/run_report.h"

#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "foundation/json_text.h"

namespace tvp::report {

using Json = nlohmann::ordered_json;

namespace {

/// Unit of heat maps that the page shows like links.
constexpr const char* kShareOfTime = "% of simulated time";

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

constexpr std::size_t kNameWidth = 22;

/// "  name      value"; `width` is that of the longest name of the block.
std::string row(const std::string& name, const std::string& value, std::size_t width = kNameWidth) {
  std::string line = "  " + name;
  line.append(name.size() < width ? width - name.size() : 1, ' ');
  return line + value + "\n";
}

std::string with_separators(std::uint64_t value);

/// Prints counts as whole numbers, other values with six digits.
std::string format_metric(double value) {
  constexpr double kLargestCount = 1e15;
  if (value >= 1000 && value < kLargestCount && value == std::floor(value)) {
    return with_separators(static_cast<std::uint64_t>(value));
  }
  return format("%.6g", value);
}

std::string with_separators(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return format("%.1f %%",
                whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

/// Where the cycles of cores have gone, without idle ones, and the share without a source line.
std::string profile_row(const Json& profile) {
  std::uint64_t idle = 0;
  for (const auto& [name, cycles] : profile["spent"].items())
    if (name == "idle") idle = cycles.get<std::uint64_t>();
  const std::uint64_t all = profile["cycles"], used = all - idle;
  std::string spent;
  for (const auto& [name, cycles] : profile["spent"].items()) {
    if (name == "idle" || cycles == 0) continue;
    spent += (spent.empty() ? "" : ", ") + name + " " + percent(cycles, used);
  }
  return row("profile", with_separators(all) + " cycles of " +
                            with_separators(profile["cores"].get<std::uint64_t>()) + " cores, " +
                            percent(idle, all) + " of them idle, without source line " +
                            percent(profile["cycles_without_line"], used) + " of the others") +
         row("", spent);
}

std::string machine_name() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

/// A figure may be infinite or NaN if a result is badly wrong; JSON has neither.
Json number(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(std::isfinite(value) ? Json(value) : Json());
  return list;
}

Json to_json(const workloads::HeatMap& map) {
  Json values = Json::array();
  for (const auto& row : map.values) values.push_back(numbers(row));
  return {{"name", map.name},
          {"unit", map.unit},
          {"rows", map.rows},
          {"columns", map.columns},
          {"values", values}};
}

Json to_json(const workloads::Curve& curve) {
  Json series = Json::array();
  for (const auto& s : curve.series) {
    series.push_back({{"name", s.name}, {"x", numbers(s.x)}, {"y", numbers(s.y)}});
  }
  Json made = {{"name", curve.name},
               {"x_label", curve.x_label},
               {"y_label", curve.y_label},
               {"y_scale", curve.log_y ? "log" : "linear"},
               {"series", series}};
  if (curve.log_x) made["x_scale"] = "log";
  for (const auto& mark : curve.marks)
    made["marks"].push_back({{"x", mark.x}, {"name", mark.name}});
  return made;
}

/// Converts shares of the time until the host noticed the end to shares of the time until the end.
void rescale(Json& map, double factor) {
  for (Json& row : map["values"]) {
    for (Json& value : row) {
      if (value.is_number()) value = value.get<double>() * factor;
    }
  }
}

/// Adds the charts of the workload and the library for the page, without empty ones.
void add_charts(Json& json, const workloads::Result& result, const Json& library) {
  for (const workloads::Span& s : result.timeline) {
    Json span = {{"row", s.row}, {"name", s.name}, {"begin_ns", s.begin_ns}, {"end_ns", s.end_ns}};
    if (!s.group.empty()) span["group"] = s.group;
    json["timeline"].push_back(std::move(span));
  }
  for (const auto& map : result.heatmaps) json["heatmaps"].push_back(to_json(map));
  for (const auto& curve : result.curves) json["curves"].push_back(to_json(curve));
  for (const char* key : {"timeline", "heatmaps", "curves"}) {
    if (!library.contains(key)) continue;
    for (const Json& entry : library[key]) json[key].push_back(entry);
  }
  const double until_end = json["simulated_ps"].get<double>();
  const double until_looked = library.value("simulated_ps", until_end);
  if (until_end <= 0 || !json.contains("heatmaps")) return;
  for (Json& map : json["heatmaps"]) {
    if (map["unit"] == kShareOfTime) rescale(map, until_looked / until_end);
  }
}

}  // namespace

const char* to_string(Status status) {
  switch (status) {
    case Status::kPassed:
      return "passed";
    case Status::kWrongResult:
      return "wrong result";
    case Status::kUsage:
      return "bad usage or description";
    case Status::kFirmware:
      return "fault in the firmware";
    case Status::kHang:
      return "hang";
    case Status::kTimeLimit:
      return "time limit reached";
    case Status::kInterrupted:
      return "interrupted";
    case Status::kHost:
      return "failure of this machine";
    case Status::kDefect:
      break;
  }
  return "defect of the platform";
}

std::string settings_to_json(foundation::SettingGroup& group) {
  Json list = Json::array();
  for (const foundation::SettingBase* s : group.settings()) {
    list.push_back({{"key", group.name() + "." + s->info().name},
                    {"value", s->text()},
                    {"default", s->default_text()},
                    {"is_default", s->is_default()},
                    {"unit", s->info().unit},
                    {"expected", s->expected()},
                    {"doc", s->info().doc},
                    {"source", s->info().source}});
  }
  return foundation::json_text(list);
}

std::uint64_t RunReport::simulated_ps() const {
  const std::uint64_t looked = Json::parse(library_report).value("simulated_ps", std::uint64_t{0});
  if (status != Status::kPassed && status != Status::kWrongResult) return looked;
  if (ended_ps != 0) return std::min(ended_ps, looked);
  double last_ns = 0;
  for (const workloads::Phase& p : result.phases) last_ns = std::max(last_ns, p.end_ns);
  const auto last = static_cast<std::uint64_t>(std::llround(last_ns * 1000));
  return last == 0 ? looked : std::min(last, looked);
}

Json RunReport::to_json() const {
  const Json library = Json::parse(library_report);
  Json json;
  json["schema"] = kReportSchema;
  json["version"] = TVP_VERSION;
  json["made_by"] = made_by;
  json["command"] = command;
  json["date"] = date;
  json["workload"] = workload;
  json["system"] = system;
  json["status"] = to_string(status);
  json["exit_code"] = static_cast<int>(status);
  json["reason"] = reason;
  json["passed"] = status == Status::kPassed;
  json["error"] = {{"max_abs", number(result.max_abs_error)},
                   {"max_rel", number(result.max_rel_error)},
                   {"bound", number(result.error_bound)}};
  const std::uint64_t ps = simulated_ps();
  json["simulated_ps"] = ps;
  json["simulated_ns"] = static_cast<double>(ps) / 1000.0;
  json["wall_s"] = wall_s;
  json["cpu_s"] = cpu_s;
  json["compile_s"] = compile_s;
  const std::uint64_t executed = library.value("executed_instructions", std::uint64_t{0});
  json["executed_instructions"] = executed;
  json["slept_instructions"] = library.value("slept_instructions", std::uint64_t{0});
  json["mips"] = wall_s > 0 ? static_cast<double>(executed) / wall_s / 1e6 : 0.0;
  json["state_digest"] = library.value("state_digest", std::string());
  json["phases"] = Json::array();
  for (const workloads::Phase& p : result.phases) {
    json["phases"].push_back({{"name", p.name}, {"begin_ns", p.begin_ns}, {"end_ns", p.end_ns}});
  }
  json["metrics"] = Json::object();
  for (const workloads::Metric& m : result.metrics) {
    json["metrics"][m.name] = {{"value", number(m.value)}, {"unit", m.unit}};
  }
  for (const char* key : {"profile", "ranks"})
    if (library.contains(key)) json[key] = library[key];
  if (library.contains("metrics")) json["metrics"].update(library["metrics"]);
  json["remarks"] = result.remarks;
  for (const char* key :
       {"cores", "links", "dram", "opcodes", "warnings", "waiting", "mesh_faults"}) {
    json[key] = library.contains(key) ? library[key] : Json::array();
  }
  add_charts(json, result, library);
  json["settings"] = Json::object();
  json["assumed"] = Json::array();
  for (const std::string* text : {&library_settings, &workload_settings}) {
    for (const Json& s : Json::parse(*text)) {
      // The command sets these two for itself.
      if (s["key"] == "warnings" || s["key"] == "record.report") continue;
      json["settings"][s["key"].get<std::string>()] = {{"value", s["value"]},
                                                       {"is_default", s["is_default"]}};
      if (s["source"].get<std::string>().rfind("assumed", 0) == 0) {
        json["assumed"].push_back(s["key"]);
      }
    }
  }
  json["seed"] = seed;
  json["machine"] = machine_name();
  return json;
}

namespace {

/// Indents lines after the first.
std::string indented(const std::string& text) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += "  ";
  }
  return lines;
}

}  // namespace

std::string RunReport::to_table() const {
  const Json library = Json::parse(library_report);
  const std::uint64_t executed = library.value("executed_instructions", std::uint64_t{0});
  const std::uint64_t slept = library.value("slept_instructions", std::uint64_t{0});
  const double ns = static_cast<double>(simulated_ps()) / 1000.0;

  std::string table = workload + " on " + system + ": " + to_string(status) + "\n";
  // Hangs have their own form of lines.
  if (!reason.empty())
    table += "  " + (status == Status::kWrongResult ? indented(reason) : reason) + "\n";
  if (status == Status::kPassed || status == Status::kWrongResult) {
    table += row(
        "max error",
        format("%.3g", result.max_rel_error) + " relative" +
            (result.error_bound > 0 ? " (bound " + format("%.3g", result.error_bound) + ")" : "") +
            ", " + format("%.3g", result.max_abs_error) + " absolute");
  }
  const bool told = !library.empty();
  table += row("simulated time", told ? format("%.0f ns", ns) : "the library does not report it");
  table +=
      row("wall time", format("%.2f s", wall_s) +
                           (compile_s > 0 ? format(", of it compiling %.2f s", compile_s) : ""));
  if (told) {
    table += row("instructions", with_separators(executed) + " executed, " +
                                     with_separators(slept) + " slept through");
    if (library.contains("profile")) table += profile_row(library["profile"]);
    table += row("speed", format("%.1f MIPS",
                                 wall_s > 0 ? static_cast<double>(executed) / wall_s / 1e6 : 0.0));
  }
  if (!result.phases.empty()) {
    std::size_t width = 20;
    for (const workloads::Phase& p : result.phases) width = std::max(width, p.name.size());
    table += "\n  phase";
    table.append(width - 5 + 2, ' ');
    table += "   begin ns      end ns    takes ns\n";
    for (const workloads::Phase& p : result.phases) {
      table += "  " + p.name;
      table.append(width - p.name.size() + 1, ' ');
      table += format("%12.0f", p.begin_ns) + format("%12.0f", p.end_ns) +
               format("%12.0f", p.end_ns - p.begin_ns) + "\n";
    }
  }
  if (!result.metrics.empty()) {
    table += "\n";
    std::size_t names = kNameWidth;
    for (const workloads::Metric& m : result.metrics) names = std::max(names, m.name.size() + 2);
    for (const workloads::Metric& m : result.metrics) {
      table += row(m.name, format_metric(m.value) + (m.unit.empty() ? "" : " " + m.unit), names);
    }
  }
  if (!result.remarks.empty()) table += "\n";
  for (const std::string& remark : result.remarks) table += "  " + remark + "\n";
  const auto warnings = library.value("warnings", std::vector<std::string>());
  if (!warnings.empty()) table += "\n";
  for (const std::string& warning : warnings) table += "  warning: " + indented(warning) + "\n";
  return table;
}

}  // namespace tvp::report
