#include "sw/report/report_comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

#include "foundation/fault.h"
#include "foundation/input_file.h"
#include "foundation/json_text.h"
#include "sw/report/run_report.h"

namespace tvp::report {

using Json = nlohmann::ordered_json;

namespace {

const std::string kMissing = "-";

[[noreturn]] void bad_file(const std::string& file, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, file, text);
}

void check_type(const std::string& file, const Json& report, const char* key, bool right,
                const char* expected) {
  if (!report.contains(key)) {
    bad_file(file, std::string("no key '") + key + "': not a report of the option --report");
  }
  if (!right) bad_file(file, std::string("key '") + key + "': expected " + expected);
}

void check_entries(const std::string& file, const Json& report) {
  for (const Json& phase : report["phases"]) {
    const bool right = phase.is_object() && phase.contains("name") && phase["name"].is_string() &&
                       phase.contains("begin_ns") && phase["begin_ns"].is_number() &&
                       phase.contains("end_ns") && phase["end_ns"].is_number();
    if (!right) bad_file(file, "key 'phases': expected objects with name, begin_ns and end_ns");
  }
  for (const char* key : {"metrics", "settings"}) {
    for (const auto& [name, entry] : report[key].items()) {
      if (entry.is_object() && entry.contains("value")) continue;
      bad_file(file, std::string("key '") + key + "." + name + "': expected an object with value");
    }
  }
}

/// One line of a table: name, both values, their difference.
struct Line {
  std::string name;
  std::string a;
  std::string b;
  std::string difference;
};

std::string number_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return value.dump();
  if (value.is_number()) return number_text(value.get<double>());
  return foundation::json_text(value);
}

std::string difference(const Json& a, const Json& b) {
  if (a == b) return "same";
  if (!a.is_number() || !b.is_number()) return "differs";
  const double from = a.get<double>();
  if (from == 0) return "differs";
  char text[40];
  std::snprintf(text, sizeof text, "%+.2f %%", 100 * (b.get<double>() - from) / std::abs(from));
  return text;
}

Line line_of(const std::string& name, const Json* a, const Json* b, const std::string& unit = "") {
  const auto text = [&](const Json* value) {
    if (value == nullptr) return kMissing;
    return text_of(*value) + (unit.empty() ? "" : " " + unit);
  };
  std::string change = "only in A";
  if (a == nullptr) {
    change = "only in B";
  } else if (b != nullptr) {
    change = difference(*a, *b);
  }
  return {name, text(a), text(b), change};
}

const Json* find(const Json& object, const std::string& key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &*at;
}

/// Names in both, those of A first.
template <typename Names>
std::vector<std::string> united(const Names& a, const Names& b) {
  std::vector<std::string> names(a.begin(), a.end());
  for (const std::string& name : b) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> keys_of(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& entry : object.items()) keys.push_back(entry.key());
  return keys;
}

std::vector<std::string> phase_names(const Json& report) {
  std::vector<std::string> names;
  for (const Json& phase : report["phases"]) {
    const auto name = phase["name"].get<std::string>();
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

/// Duration of a phase, or the sum of several with one name.
Json duration(const Json& report, const std::string& name) {
  Json sum;
  for (const Json& phase : report["phases"]) {
    if (phase["name"] != name) continue;
    const double took = phase["end_ns"].get<double>() - phase["begin_ns"].get<double>();
    sum = (sum.is_null() ? 0.0 : sum.get<double>()) + took;
  }
  return sum;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string space(width - std::min(width, text.size()), ' ');
  return right ? space + text : text + space;
}

std::string table(const std::string& title, const std::vector<Line>& lines) {
  if (lines.empty()) return "";
  const Line head{title, "A", "B", ""};
  std::size_t name = title.size(), a = 1, b = 1, change = 0;
  for (const Line& line : lines) {
    name = std::max(name, line.name.size());
    a = std::max(a, line.a.size());
    b = std::max(b, line.b.size());
    change = std::max(change, line.difference.size());
  }
  std::string text = "\n";
  const auto add = [&](const Line& line) {
    std::string row = "  " + padded(line.name, name, false) + "  " + padded(line.a, a, true) +
                      "  " + padded(line.b, b, true) + "  " + padded(line.difference, change, true);
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  };
  add(head);
  for (const Line& line : lines) add(line);
  return text;
}

std::vector<Line> figures(const Json& a, const Json& b) {
  std::vector<Line> lines;
  constexpr std::pair<const char*, const char*> kFigures[] = {{"simulated_ns", "ns"},
                                                              {"wall_s", "s"},
                                                              {"cpu_s", "s"},
                                                              {"mips", ""},
                                                              {"executed_instructions", ""},
                                                              {"slept_instructions", ""},
                                                              {"state_digest", ""},
                                                              {"seed", ""}};
  for (const auto& [key, unit] : kFigures) {
    const Json* in_a = find(a, key);
    const Json* in_b = find(b, key);
    if (in_a != nullptr || in_b != nullptr) lines.push_back(line_of(key, in_a, in_b, unit));
  }
  return lines;
}

std::vector<Line> phases(const Json& a, const Json& b) {
  std::vector<Line> lines;
  for (const std::string& name : united(phase_names(a), phase_names(b))) {
    const Json in_a = duration(a, name);
    const Json in_b = duration(b, name);
    lines.push_back(
        line_of(name, in_a.is_null() ? nullptr : &in_a, in_b.is_null() ? nullptr : &in_b, "ns"));
  }
  return lines;
}

std::vector<Line> metrics(const Json& a, const Json& b) {
  std::vector<Line> lines;
  for (const std::string& name : united(keys_of(a["metrics"]), keys_of(b["metrics"]))) {
    const Json* in_a = find(a["metrics"], name);
    const Json* in_b = find(b["metrics"], name);
    const Json& either = in_a != nullptr ? *in_a : *in_b;
    lines.push_back(line_of(name, in_a != nullptr ? &(*in_a)["value"] : nullptr,
                            in_b != nullptr ? &(*in_b)["value"] : nullptr,
                            either.value("unit", std::string())));
  }
  return lines;
}

std::vector<Line> settings(const Json& a, const Json& b) {
  std::vector<Line> lines;
  for (const std::string& key : united(keys_of(a["settings"]), keys_of(b["settings"]))) {
    const Json* in_a = find(a["settings"], key);
    const Json* in_b = find(b["settings"], key);
    if (in_a != nullptr && in_b != nullptr) {
      if ((*in_a)["value"] == (*in_b)["value"]) continue;
    } else if ((in_a != nullptr ? *in_a : *in_b).value("is_default", false)) {
      continue;  // a key that the other version does not have and that is not relevant here
    }
    Line line = line_of(key, in_a != nullptr ? &(*in_a)["value"] : nullptr,
                        in_b != nullptr ? &(*in_b)["value"] : nullptr);
    if (line.difference == "differs") line.difference.clear();
    lines.push_back(line);
  }
  return lines;
}

std::string headline(const char* name, const Json& report) {
  return std::string(name) + ": " + text_of(report["workload"]) + " on " +
         text_of(report["system"]) + ", " + text_of(report["status"]) + "\n";
}

}  // namespace

Json read_report(const std::string& file) {
  // Limits the recursion that copies values.
  constexpr int kDeepest = 64;
  const auto bounded = [&](int depth, Json::parse_event_t, const Json&) {
    if (depth > kDeepest) bad_file(file, "values nest too deeply");
    return true;
  };
  Json report = Json::parse(foundation::read_input_file(file), bounded, false);
  if (report.is_discarded()) bad_file(file, "is not JSON");
  if (!report.is_object())
    bad_file(file, "expected an object: not a report of the option --report");
  check_type(file, report, "schema", report.value("schema", Json()) == kReportSchema, "1");
  for (const char* key : {"workload", "system", "status"}) {
    check_type(file, report, key, report.value(key, Json()).is_string(), "a string");
  }
  check_type(file, report, "phases", report.value("phases", Json()).is_array(), "an array");
  check_type(file, report, "metrics", report.value("metrics", Json()).is_object(), "an object");
  check_type(file, report, "settings", report.value("settings", Json()).is_object(), "an object");
  check_entries(file, report);
  return report;
}

std::string compare(const Json& a, const Json& b) {
  return headline("A", a) + headline("B", b) + table("figure", figures(a, b)) +
         table("phase", phases(a, b)) + table("metric", metrics(a, b)) +
         table("setting", settings(a, b));
}

std::string compare_files(const std::string& a, const std::string& b) {
  const auto first = read_report(a);
  return compare(first, read_report(b));
}

}  // namespace tvp::report
