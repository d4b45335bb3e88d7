#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sw/workloads/workload_settings.h"

namespace tvp::runtime {
class DeviceLibrary;
}

namespace tvp::workloads {

/// A named span of simulated time, for the table and the report.
struct Phase {
  std::string name;
  double begin_ns = 0;
  double end_ns = 0;
};

/// A figure of the run; the report writes it as metrics{name: {value, unit}}.
struct Metric {
  std::string name;
  double value = 0;
  std::string unit;
};

/// A named span of one row of the timeline: "device0.worker3".
struct Span {
  std::string row;
  std::string name;
  double begin_ns = 0;
  double end_ns = 0;
  /// Meaning of the color in a timeline with one line for each row.
  std::string group = {};
};

/// A grid of values for the report page; NaN for holes.
struct HeatMap {
  std::string name;
  std::string unit;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  ///< index: row, then column
};

/// Lines over one pair of axes, for the report page.
struct Curve {
  struct Series {
    std::string name;
    std::vector<double> x;
    std::vector<double> y;
  };
  std::string name;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<Series> series;
  /// A place on the x axis where something changes, for example the best series.
  struct Mark {
    double x = 0;
    std::string name;
  };
  std::vector<Mark> marks = {};
};

/// A workload's result of a completed run. Faults, hangs and time limits are thrown as
/// foundation::Fault, or the caller finds them in the library's status.
struct Result {
  bool passed = false;
  std::string reason;        ///< one sentence if not passed
  double max_abs_error = 0;  ///< difference from the golden result
  double max_rel_error = 0;  ///< relative, as defined in the workload's documentation
  double error_bound = 0;    ///< largest max_rel_error of a passed run
  std::vector<Phase> phases;
  std::vector<Metric> metrics;
  std::vector<std::string> remarks;  ///< sentences about figures, for table and report
  std::vector<Span> timeline;
  std::vector<HeatMap> heatmaps;
  std::vector<Curve> curves;
};

/// The context that the caller gives to a workload. The library is configured (system, settings of
/// models) but not initialized.
struct Context {
  runtime::DeviceLibrary& library;
  std::uint64_t seed = 1;
  /// Lines for the console: DPRINT output, notes.
  std::function<void(const std::string&)> print;
  /// Seconds spent in the cross compiler so far; kept apart from the run's own time.
  double compile_seconds = 0;
};

/// A workload's name, summary and defaults.
struct About {
  std::string name;
  std::string summary;     ///< one line for `vp list`
  std::string system;      ///< default of --system
  double max_time_ns = 0;  ///< default of --max-time
};

/// A workload of `vp run`: input, placement on the devices, golden result.
class Workload {
 public:
  virtual ~Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;

  const std::string& name() const { return about_.name; }
  const std::string& summary() const { return about_.summary; }
  const std::string& default_system() const { return about_.system; }
  /// Time limit for the current settings, several times the expected duration.
  virtual double default_max_time_ns() const { return about_.max_time_ns; }
  /// The workload's own keys; the group's name is the workload's.
  foundation::SettingGroup& settings() { return settings_; }
  /// Throws foundation::Fault(kDescription) on bad input.
  virtual Result run(Context& context) = 0;

 protected:
  Workload(About about, foundation::SettingGroup& settings)
      : about_(std::move(about)), settings_(settings) {}

 private:
  const About about_;
  foundation::SettingGroup& settings_;
};

}  // namespace tvp::workloads
