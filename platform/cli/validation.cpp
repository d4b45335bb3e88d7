#include "platform/cli/validation.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/scratch/scratch_folder.h"
#include "platform/cli/console.h"
#include "platform/cli/limits.h"
#include "platform/cli/process/child_process.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/process/process_pool.h"
#include "platform/cli/run/output_names.h"
#include "sw/report/report_page.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;
using Json = nlohmann::ordered_json;

namespace {

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace

Validation::Validation(ValidationOptions options) : options_(std::move(options)) {
  const WorkloadRegistry workloads;
  CalibrationTable table(workloads);
  if (options_.tables.empty()) table.add_shipped();
  for (const std::string& file : options_.tables) table.add_file(file);
  const bool is_family =
      std::any_of(table.rows().begin(), table.rows().end(),
                  [&](const CalibrationRow& row) { return row.family == options_.only; });
  for (const CalibrationRow& row : table.rows()) {
    if (wanted(row, is_family)) rows_.push_back(row);
  }
  if (rows_.empty()) {
    throw Fault(FaultKind::kDescription, "--only",
                "no row of the calibration table has '" + *options_.only + "' in it");
  }
}

/// A family's exact name selects that family only, though other names may contain it.
bool Validation::wanted(const CalibrationRow& row, bool is_family) const {
  const auto has = [&](const std::string& text) {
    return text.find(*options_.only) != std::string::npos;
  };
  if (!options_.only) return true;
  if (is_family) return row.family == *options_.only;
  return has(row.name) || has(row.family) || has(row.run_text());
}

const Validation::Run& Validation::run_of(const std::vector<std::string>& arguments) {
  const auto [found, is_new] = runs_.try_emplace(arguments);
  Run& run = found->second;
  if (!is_new) return run;
  const foundation::ScratchFolder scratch;
  const std::string report = scratch.path() + "/report.json";
  std::vector<std::string> all{"run", "--quiet", "--report", report};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string text = CalibrationRow::text_of(arguments);
  const int exit_code = ProcessPool::run_alone({.program = own_program(), .arguments = all});
  ChildProcess::check_machine(exit_code, "run " + text);
  if (exit_code == 0) {
    std::ifstream file(report);
    const Json parsed = Json::parse(file);
    for (const auto& [name, metric] : parsed.at("metrics").items()) {
      if (metric.at("value").is_number()) run.metrics[name] = metric.at("value").get<double>();
    }
    run.warnings = parsed.at("warnings").get<std::vector<std::string>>();
    for (const std::string& warning : run.warnings) {
      complain("'run " + text + "' warns: " + warning);
    }
  } else {
    complain("'run " + text + "' ended with exit code " + std::to_string(exit_code));
  }
  return run;
}

Validation::Outcome Validation::outcome_of(const CalibrationRow& row) {
  Outcome outcome{.row = &row, .simulated = {}};
  std::vector<double> draws;
  for (const std::vector<std::string>& draw : row.draws) {
    std::vector<std::string> arguments = row.run;
    arguments.insert(arguments.end(), draw.begin(), draw.end());
    const Run& run = run_of(arguments);
    outcome.warnings += run.warnings.size();
    const auto metric = run.metrics.find(row.metric);
    if (metric == run.metrics.end()) return outcome;
    draws.push_back(metric->second);
  }
  outcome.simulated = median(draws);
  const auto [least, most] = std::minmax_element(draws.begin(), draws.end());
  outcome.drawn = {.least = *least, .most = *most};
  outcome.verdict = judge(outcome);
  return outcome;
}

/// A published figure is one sample of what the source leaves open. It must be within the range of
/// the model's samples, extended by the tolerance.
Validation::Verdict Validation::judge(const Outcome& outcome) {
  const CalibrationRow& row = *outcome.row;
  const bool is_within = outcome.drawn.most >= row.published.least * (1 - row.tolerance) &&
                         outcome.drawn.least <= row.published.most * (1 + row.tolerance);
  if (is_within) return Verdict::kWithin;
  return row.deviation ? Verdict::kKnown : Verdict::kOff;
}

namespace {

/// Names of the verdicts on page and in JSON, and their remarks on the terminal.
constexpr const char* kNames[] = {"within", "off", "known", "none"};
constexpr const char* kRemarks[] = {"", "  off", "  known", ""};

std::vector<double> magnitudes(std::vector<double> errors) {
  for (double& error : errors) error = std::abs(error);
  return errors;
}

/// The range of several figures, for example "  samples 3.1 to 4.2"; "" for a single figure.
std::string spread_text(const char* what, const Span& span) {
  if (span.least == span.most) return "";
  char text[96];
  std::snprintf(text, sizeof text, "  %s %.1f to %.1f", what, span.least, span.most);
  return text;
}

Json summary(const std::string& name, const std::vector<double>& errors) {
  const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
  return Json{
      {"family", name},         {"rows", errors.size()}, {"median", median(magnitudes(errors))},
      {"bias", median(errors)}, {"least", *least},       {"most", *most}};
}

}  // namespace

void Validation::print(const Outcome& outcome) {
  const CalibrationRow& row = *outcome.row;
  if (!outcome.simulated) {
    std::printf("%-46s %10s %10.1f  %-12s\n", row.name.c_str(), "none", row.published.middle(),
                row.unit.c_str());
  } else {
    std::printf("%-46s %10.1f %10.1f  %-12s %+6.1f%%%s%s%s\n", row.name.c_str(), *outcome.simulated,
                row.published.middle(), row.unit.c_str(), outcome.error() * 100,
                kRemarks[static_cast<unsigned>(outcome.verdict)],
                spread_text("samples", outcome.drawn).c_str(),
                spread_text("published", row.published).c_str());
  }
  std::fflush(stdout);
}

Json Validation::to_json(const Outcome& outcome) {
  const CalibrationRow& row = *outcome.row;
  Json entry{{"row", row.name}, {"simulated", Json()}, {"error", Json()}};
  if (outcome.simulated) {
    entry["simulated"] = *outcome.simulated;
    entry["error"] = outcome.error();
    entry["drawn"] = {outcome.drawn.least, outcome.drawn.most};
  }
  entry["published"] = row.published.middle();
  entry["published_span"] = {row.published.least, row.published.most};
  entry["unit"] = row.unit;
  entry["verdict"] = kNames[static_cast<unsigned>(outcome.verdict)];
  entry["mechanism"] = row.mechanism;
  entry["source"] = row.source;
  entry["run"] = row.run_text();
  entry["draws"] = row.draws.size();
  entry["known_deviation"] = row.deviation ? Json(row.deviation->reason) : Json();
  if (row.deviation) entry["known_measured"] = row.deviation->measured;
  entry["family"] = row.family;
  entry["tolerance"] = row.tolerance;
  entry["warnings"] = outcome.warnings;
  return entry;
}

Json Validation::families() const {
  std::vector<const CalibrationRow*> first;
  std::map<std::string, std::vector<double>> errors;
  std::vector<double> all;
  for (const Outcome& outcome : outcomes_) {
    if (!outcome.simulated) continue;
    std::vector<double>& of_family = errors[outcome.row->family];
    if (of_family.empty()) first.push_back(outcome.row);
    of_family.push_back(outcome.error());
    all.push_back(outcome.error());
  }
  Json families = Json::array();
  for (const CalibrationRow* row : first) {
    Json family = summary(row->family, errors[row->family]);
    family["tolerance"] = row->tolerance;
    family["rule"] = row->rule;
    family["spread"] = row->spread;
    families.push_back(family);
  }
  if (!all.empty()) families.push_back(summary("all", all));
  return families;
}

void Validation::print_families(const Json& families) {
  std::printf("\n%-24s %5s %8s %8s %8s %8s %9s\n", "family", "rows", "median", "bias", "least",
              "most", "tolerance");
  const auto percent = [](const Json& family, const char* key) {
    return family.at(key).get<double>() * 100;
  };
  for (const Json& family : families) {
    std::printf("%-24s %5d %7.1f%% %+7.1f%% %+7.1f%% %+7.1f%%",
                family.at("family").get<std::string>().c_str(), family.at("rows").get<int>(),
                percent(family, "median"), percent(family, "bias"), percent(family, "least"),
                percent(family, "most"));
    if (family.contains("tolerance")) std::printf(" %8.0f%%", percent(family, "tolerance"));
    std::printf("\n");
  }
}

unsigned Validation::count(Verdict verdict) const {
  return static_cast<unsigned>(
      std::count_if(outcomes_.begin(), outcomes_.end(),
                    [&](const Outcome& outcome) { return outcome.verdict == verdict; }));
}

void Validation::write_page(const Json& rows, const Json& families) const {
  Json limits = Json::array();
  for (const ModelLimits& model : all_limits()) {
    for (const std::string& limit : model.limits)
      limits.push_back({{"model", model.model}, {"limit", limit}});
  }
  foundation::write_file(*options_.page_file,
                         report::validation_page({{"families", families},
                                                  {"rows", rows},
                                                  {"limits", limits},
                                                  {"deviations", options_.deviations}}));
}

int Validation::execute() {
  catch_interrupts();
  OutputNames names;
  for (const std::string& table : options_.tables) names.reads("--table", table);
  if (options_.json_file) names.add("--json", *options_.json_file);
  if (options_.page_file) names.add("--page", *options_.page_file);
  if (options_.json_file) foundation::check_writable(*options_.json_file, "the rows");
  if (options_.page_file) foundation::check_writable(*options_.page_file, "the page");
  std::printf("%-46s %10s %10s  %-12s %7s\n", "row", "simulated", "published", "unit", "error");
  Json rows = Json::array();
  for (const CalibrationRow& row : rows_) {
    outcomes_.push_back(outcome_of(row));
    print(outcomes_.back());
    rows.push_back(to_json(outcomes_.back()));
  }
  const Json of_families = families();
  print_families(of_families);
  const unsigned off = count(Verdict::kOff) + count(Verdict::kNone);
  const unsigned known = count(Verdict::kKnown);
  std::printf("\n%zu rows, %u off, %u known to be off of at most %u\n", rows_.size(), off, known,
              options_.deviations);
  if (options_.json_file) {
    foundation::write_file(*options_.json_file, foundation::json_text(rows, 2) + "\n");
  }
  if (options_.page_file) write_page(rows, of_families);
  return off == 0 && known <= options_.deviations ? 0 : 1;
}

}  // namespace tvp::cli
