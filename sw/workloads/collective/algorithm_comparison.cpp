#include "sw/workloads/collective/algorithm_comparison.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <map>

#include "foundation/fault.h"

namespace tvp::workloads::collective {

using collectives::Chooser;
using collectives::Estimate;
using collectives::TimeTable;

namespace {

std::string shown(double value, const char* format) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string size_text(double bytes) {
  if (bytes >= 1 << 20) return shown(bytes / (1 << 20), "%.3gM");
  return bytes >= 1024 ? shown(bytes / 1024, "%.3gK") : shown(bytes, "%.0f");
}

}  // namespace

void AlgorithmComparison::measure(const Chooser::Question& question, const Estimate& candidate,
                                  TimeTable& table, Result& result) {
  try {
    const auto outcome =
        executor_.run(chooser_.schedule(question, candidate), {.where = "collective",
                                                               .bytes = question.bytes,
                                                               .type = question.type,
                                                               .redop = question.redop,
                                                               .seed = seed_});
    table.points[question.bytes][candidate.algorithm] = {outcome.time_ns(), candidate.segments};
    result.max_abs_error = std::max(result.max_abs_error, outcome.max_abs_error);
    result.max_rel_error = std::max(result.max_rel_error, outcome.max_rel_error);
    result.error_bound = outcome.bound;
    if (!outcome.reason.empty()) {
      if (result.passed) result.reason = candidate.algorithm + ": " + outcome.reason;
      result.passed = false;
    }
  } catch (const foundation::Fault& fault) {
    // Only the lowering to this machine refuses such a schedule, for example beyond its memory.
    if (fault.kind() != foundation::FaultKind::kDescription) throw;
    print_(candidate.algorithm + ", " + std::to_string(question.bytes) + " bytes: " + fault.what());
  }
}

void AlgorithmComparison::run(Chooser::Question question, const std::vector<std::uint64_t>& sizes,
                              Result& result) {
  const std::string name = Chooser::table_name(question);
  TimeTable table;
  for (const std::uint64_t size : sizes) {
    question.bytes = size;
    const std::vector<Estimate> candidates = chooser_.candidates(question);
    for (const Estimate& candidate : candidates)
      if (candidate.refusal.empty()) measure(question, candidate, table, result);
    const auto& times = table.points[size];
    if (times.empty()) {
      table.points.erase(size);
      continue;
    }
    double least = std::numeric_limits<double>::max();
    for (const auto& [algorithm, time] : times) least = std::min(least, time.ns);
    if (const auto chosen = times.find(candidates.front().algorithm); chosen != times.end())
      worst_choice_ = std::max(worst_choice_, chosen->second.ns / least);
  }
  if (table.points.empty()) {
    result.passed = false;
    result.reason = name + ": no algorithm has it here";
    return;
  }
  print(name, table);
  chooser_.file().set_table(name, table);
  result.curves.push_back(curve(name, table));
  std::erase_if(result.metrics, [](const Metric& metric) { return metric.name == "worst_choice"; });
  result.metrics.push_back({"worst_choice", worst_choice_, "times the fastest"});
}

Curve AlgorithmComparison::curve(const std::string& name, const TimeTable& table) {
  Curve curve;
  curve.name = name + ": algbw over size";
  curve.x_label = "bytes";
  curve.y_label = "GB/s";
  curve.log_x = table.points.size() > 1;
  curve.log_y = true;
  std::map<std::string, Curve::Series> series;
  for (const auto& [bytes, times] : table.points)
    for (const auto& [algorithm, time] : times) {
      Curve::Series& one = series[algorithm];
      one.name = algorithm;
      one.x.push_back(static_cast<double>(bytes));
      one.y.push_back(static_cast<double>(bytes) / time.ns);
    }
  for (const auto& [algorithm, one] : series) curve.series.push_back(one);
  for (const TimeTable::Crossover& each : table.crossovers()) {
    const auto from = std::max<std::uint64_t>(each.from_bytes, table.points.begin()->first);
    curve.marks.push_back(
        {static_cast<double>(from),
         each.algorithm + " from " + size_text(static_cast<double>(each.from_bytes))});
  }
  return curve;
}

void AlgorithmComparison::print(const std::string& name, const TimeTable& table) const {
  print_(name + ", microseconds:");
  std::map<std::string, bool> algorithms;
  for (const auto& [bytes, times] : table.points)
    for (const auto& [algorithm, time] : times) algorithms[algorithm] = true;
  std::string head = "                      ";
  for (const auto& [bytes, times] : table.points) {
    std::string text = size_text(static_cast<double>(bytes));
    head += std::string(10 - std::min<std::size_t>(9, text.size()), ' ') + text;
  }
  print_(head);
  for (const auto& [algorithm, ignored] : algorithms) {
    std::string line = "  " + algorithm;
    line.resize(22, ' ');
    for (const auto& [bytes, times] : table.points) {
      const auto found = times.find(algorithm);
      line += found == times.end() ? "         -" : shown(found->second.ns / 1000, "%10.2f");
    }
    print_(line);
  }
  std::string crossovers = "  fastest:";
  for (const TimeTable::Crossover& each : table.crossovers())
    crossovers += (crossovers.back() == ':' ? " " : ", ") + each.algorithm + " from " +
                  std::to_string(each.from_bytes);
  print_(crossovers + " bytes on");
}

}  // namespace tvp::workloads::collective
