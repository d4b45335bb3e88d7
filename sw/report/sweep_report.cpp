#include "sw/report/sweep_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>

#include "foundation/fault.h"
#include "foundation/input_file.h"
#include "foundation/json_text.h"

namespace tvp::report {

using Json = nlohmann::ordered_json;

namespace {

constexpr int kSweepSchema = 1;
constexpr std::size_t kMostShown = 4;
const std::string kNoFigure = "-";
const std::string kBase = "base";  // in place of the difference to itself

std::string short_text(double value) {
  char text[40];
  // Six digits, without an exponent for long numbers.
  const bool whole = value == std::floor(value) || std::abs(value) >= 1e5;
  std::snprintf(text, sizeof text, whole && std::abs(value) < 1e15 ? "%.0f" : "%.6g", value);
  return text;
}

/// Text of a number as a JSON number, other text as a string.
Json value_of(const std::string& text) {
  if (text.find_first_not_of("0123456789.+-eE") != std::string::npos) return text;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return text;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

bool same_value(const std::string& a, const std::string& b) {
  return a == b || (value_of(a).is_number() && value_of(a) == value_of(b));
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + ", " + unit;
}

/// Width on a terminal: number of bytes that begin a character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// Rows as text with aligned columns; a column of numbers is aligned to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  std::vector<bool> right(rows[0].size(), true);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& text = rows[r][c];
      widths[c] = std::max(widths[c], width_of(text));
      const bool number = text == kBase || text.find_first_of("0123456789+-.") == 0;
      if (r > 0 && !number) right[c] = false;
    }
  }
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string gap(widths[c] - width_of(row[c]), ' ');
      line += "  " + (right[c] ? gap + row[c] : row[c] + gap);
    }
    table += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return table;
}

}  // namespace

std::vector<SweepFigure> figures_of(const Json& report) {
  std::vector<SweepFigure> figures;
  std::set<std::string> names;
  for (const Json& phase : report["phases"]) {
    const std::string name = phase["name"];
    if (!names.insert(name).second) continue;
    figures.push_back(
        {name, "ns", phase["end_ns"].get<double>() - phase["begin_ns"].get<double>()});
  }
  for (const auto& [name, metric] : report["metrics"].items()) {
    if (!metric["value"].is_number()) continue;
    const std::string own = names.insert(name).second ? name : name + " (metric)";
    figures.push_back({own, metric.value("unit", std::string()), metric["value"].get<double>()});
  }
  figures.push_back({"simulated time", "ns", report.value("simulated_ns", 0.0)});
  return figures;
}

const SweepFigure* SweptRun::figure(const std::string& name) const {
  for (const SweepFigure& figure : figures) {
    if (figure.name == name) return &figure;
  }
  return nullptr;
}

std::size_t SweepReport::baseline() const {
  for (std::size_t r = 0; r < runs.size(); ++r) {
    bool all = true;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      all = all && same_value(runs[r].values[k], keys[k].default_value);
    }
    if (all) return r;
  }
  return 0;
}

std::vector<SweepFigure> SweepReport::figures() const {
  std::vector<SweepFigure> all;
  std::set<std::string> names;
  for (const SweptRun& run : runs) {
    for (const SweepFigure& figure : run.figures) {
      if (names.insert(figure.name).second) all.push_back({figure.name, figure.unit, 0});
    }
  }
  return all;
}

bool SweepReport::differs(const std::string& name) const {
  const SweepFigure* first = nullptr;
  for (const SweptRun& run : runs) {
    const SweepFigure* figure = run.figure(name);
    if (figure == nullptr) continue;
    if (first == nullptr) first = figure;
    if (figure->value != first->value) return true;
  }
  return false;
}

std::vector<std::string> SweepReport::shown() const {
  if (!wanted.empty()) return wanted;
  std::vector<std::string> names;
  for (const SweepFigure& figure : figures()) {
    if (!differs(figure.name)) continue;
    // The phase that contains all others is the most useful one.
    names.insert(figure.name == "whole" ? names.begin() : names.end(), figure.name);
  }
  if (names.size() > kMostShown) names.resize(kMostShown);
  if (names.empty() && !figures().empty()) names.push_back(figures()[0].name);
  return names;
}

std::string SweepReport::relative(const SweptRun& run, const std::string& name) const {
  const SweepFigure* base = runs[baseline()].figure(name);
  const SweepFigure* figure = run.figure(name);
  if (base == nullptr || figure == nullptr || base->value == 0) return kNoFigure;
  char text[40];
  std::snprintf(text, sizeof text, "%+.2f %%",
                100 * (figure->value - base->value) / std::abs(base->value));
  return text;
}

Json SweepReport::to_json() const {
  Json json;
  json["schema"] = kSweepSchema;
  json["version"] = TVP_VERSION;
  json["workload"] = workload;
  json["common"] = Json::object();
  for (const auto& [name, value] : common) json["common"][name] = value;
  json["settings"] = Json::object();
  for (const auto& [key, value] : settings) json["settings"][key] = value;
  json["interrupted"] = interrupted;
  json["keys"] = Json::array();
  for (const SweptKey& key : keys) {
    Json values = Json::array();
    for (const std::string& value : key.values) values.push_back(value_of(value));
    json["keys"].push_back({{"key", key.key},
                            {"unit", key.unit},
                            {"default", value_of(key.default_value)},
                            {"values", values}});
  }
  json["figures"] = Json::array();
  for (const SweepFigure& figure : figures()) {
    json["figures"].push_back(
        {{"name", figure.name}, {"unit", figure.unit}, {"differs", differs(figure.name)}});
  }
  json["shown"] = shown();
  json["baseline"] = baseline();
  json["runs"] = Json::array();
  for (const SweptRun& run : runs) {
    Json entry;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      entry["values"][keys[k].key] = value_of(run.values[k]);
    }
    entry["status"] = run.status;
    entry["exit_code"] = run.exit_code < 0 ? Json() : Json(run.exit_code);
    entry["reason"] = run.reason;
    entry["report"] = run.report_file;
    entry["identity"] = run.identity;
    entry["wall_s"] = run.wall_s;
    entry["state_digest"] = run.state_digest;
    entry["figures"] = Json::object();
    for (const SweepFigure& figure : run.figures) entry["figures"][figure.name] = figure.value;
    json["runs"].push_back(std::move(entry));
  }
  return json;
}

SweepTable SweepReport::passed() const {
  SweepTable table("points");
  for (const SweptKey& key : keys) table.add_column(key.key, key.unit);
  table.add_column("report", "");
  const std::vector<SweepFigure> columns = figures();
  for (const SweepFigure& figure : columns) table.add_column(figure.name, figure.unit);
  for (const SweptRun& run : runs) {
    if (!run.passed()) continue;
    std::vector<SweepTable::Cell> row(run.values.begin(), run.values.end());
    row.emplace_back(run.report_file);
    for (const SweepFigure& column : columns) {
      const SweepFigure* figure = run.figure(column.name);
      if (figure == nullptr) {
        row.emplace_back();
      } else {
        row.emplace_back(figure->value);
      }
    }
    table.add_row(std::move(row));
  }
  return table;
}

SweepTable SweepReport::failed() const {
  SweepTable table("failed");
  for (const SweptKey& key : keys) table.add_column(key.key, key.unit);
  for (const char* name : {"exit_code", "status", "error", "report"}) table.add_column(name, "");
  for (const SweptRun& run : runs) {
    if (run.exit_code <= 0) continue;
    std::vector<SweepTable::Cell> row(run.values.begin(), run.values.end());
    for (const std::string& text :
         {std::to_string(run.exit_code), run.status, run.reason, run.report_file})
      row.emplace_back(text);
    table.add_row(std::move(row));
  }
  return table;
}

std::string SweepReport::to_table() const {
  const std::vector<std::string> columns = shown();
  std::vector<std::vector<std::string>> rows(1);
  for (const SweptKey& key : keys) rows[0].push_back(with_unit(key.key, key.unit));
  rows[0].push_back("status");
  for (const std::string& name : columns) {
    std::string unit;
    for (const SweepFigure& figure : figures()) {
      if (figure.name == name) unit = figure.unit;
    }
    rows[0].push_back(with_unit(name, unit));
    rows[0].emplace_back();
  }
  for (const SweptRun& run : runs) {
    rows.push_back(run.values);
    rows.back().push_back(run.status);
    for (const std::string& name : columns) {
      const SweepFigure* figure = run.figure(name);
      rows.back().push_back(figure == nullptr ? kNoFigure : short_text(figure->value));
      const bool is_base = &run == &runs[baseline()];
      rows.back().push_back(is_base && figure != nullptr ? kBase : relative(run, name));
    }
  }
  std::string table = aligned(rows);
  for (const SweptRun& run : runs) {
    if (run.passed() || run.reason.empty()) continue;
    std::string name;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      name += (k == 0 ? "" : ", ") + keys[k].key + "=" + run.values[k];
    }
    table += "  " + name + ": " + run.reason.substr(0, run.reason.find('\n')) + "\n";
  }
  return table;
}

Json record_of(const SweptRun& run) {
  Json record{{"identity", run.identity},   {"status", run.status},
              {"exit_code", run.exit_code}, {"reason", run.reason},
              {"wall_s", run.wall_s},       {"state_digest", run.state_digest},
              {"figures", Json::array()}};
  for (const SweepFigure& figure : run.figures)
    record["figures"].push_back({figure.name, figure.unit, figure.value});
  return record;
}

bool read_record(const std::string& text, SweptRun& run) {
  const Json record = Json::parse(text, nullptr, false);
  try {
    SweptRun read = run;
    if (record.at("identity") != run.identity) return false;
    read.status = record.at("status");
    read.exit_code = record.at("exit_code");
    read.reason = record.at("reason");
    read.wall_s = record.at("wall_s");
    read.state_digest = record.at("state_digest");
    read.figures.clear();
    for (const Json& figure : record.at("figures"))
      read.figures.push_back({figure.at(0), figure.at(1), figure.at(2)});
    run = std::move(read);
  } catch (const nlohmann::json::exception&) {
    return false;
  }
  return true;
}

SweepReport read_sweep(const std::string& file) {
  const auto bad = [&](const std::string& text) -> void {
    throw foundation::Fault(foundation::FaultKind::kDescription, file, text);
  };
  const Json json = Json::parse(foundation::read_input_file(file), nullptr, false);
  SweepReport sweep;
  const auto text = [](const Json& value) {
    return value.is_string() ? value.get<std::string>() : foundation::json_text(value);
  };
  try {
    if (json.at("schema") != kSweepSchema) bad("expected schema " + std::to_string(kSweepSchema));
    sweep.workload = json.at("workload");
    for (const auto& [name, value] : json.at("common").items()) {
      sweep.common.emplace_back(name, value.get<std::string>());
    }
    for (const auto& [key, value] : json.at("settings").items()) {
      sweep.settings.emplace_back(key, value.get<std::string>());
    }
    for (const Json& key : json.at("keys")) {
      sweep.keys.push_back({key.at("key"), key.at("unit"), text(key.at("default")), {}});
    }
    for (const Json& entry : json.at("runs")) {
      SweptRun run;
      for (const SweptKey& key : sweep.keys)
        run.values.push_back(text(entry.at("values").at(key.key)));
      run.status = entry.at("status");
      run.exit_code = entry.at("exit_code").is_null() ? -1 : entry.at("exit_code").get<int>();
      run.report_file = entry.at("report");
      run.identity = entry.at("identity");
      sweep.runs.push_back(std::move(run));
    }
  } catch (const nlohmann::json::exception& error) {
    bad(std::string("is no sweep.json of the command sweep: ") + error.what());
  }
  return sweep;
}

}  // namespace tvp::report
