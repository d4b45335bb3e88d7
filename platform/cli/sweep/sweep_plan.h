#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platform/cli/options.h"
#include "platform/cli/run/workload_registry.h"
#include "platform/cli/sweep/sweep_axis.h"
#include "sw/report/sweep_report.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::cli {

/// Options of `vp sweep`.
struct SweepOptions {
  RunOptions run;                       ///< options of all runs
  std::optional<std::string> max_time;  ///< as given; empty: the workload's default
  std::vector<std::string> varied;      ///< as given
  std::vector<SweepAxis> axes;          ///< the same, parsed
  std::vector<std::string> where;       ///< conditions, as given
  std::vector<std::string> metrics;     ///< figures to show; empty: selected automatically
  unsigned jobs = 0;                    ///< parallel runs; 0: one per processor
  std::string folder;
  bool mpi = false;                 ///< this process is one of several with ranks
  bool slurm = false;               ///< the runs are those of a job array
  bool join = false;                ///< take part in a sweep that another process leads
  std::vector<std::string> sbatch;  ///< further options of the job array
};

/// The runs of a sweep: each combination of the values of its keys that fulfils all conditions, the
/// last key varying fastest. The keys with random samples count as one key: their first values make
/// one run, then their second ones. `seed` and `system` are keys, too.
class SweepPlan {
 public:
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  /// Checks every run like `vp run` before it begins, unless this process joins a sweep that was
  /// checked. Throws foundation::Fault(kDescription).
  SweepPlan(const WorkloadRegistry& workloads, const SweepOptions& options);

  /// The sweep before its first run.
  const report::SweepReport& sweep() const { return sweep_; }
  /// All settings of a run.
  Pairs settings_of(const report::SweptRun& run) const;
  /// Arguments of the program for a run.
  std::vector<std::string> arguments_of(const report::SweptRun& run,
                                        const std::string& report_file) const;
  /// Arguments of the program for a process that joins this sweep.
  std::vector<std::string> joining_arguments() const;

 private:
  void learn_keys(workloads::Workload& workload, const runtime::DeviceLibrary& library);
  std::string full_key(const std::string& key) const;
  void set_common();
  void set_keys();
  void draw_samples();
  void make_runs();
  void apply_conditions();
  std::string unknown_key(const std::string& word) const;
  void add_options_of_all(std::vector<std::string>& words) const;
  std::string file_name(const report::SweptRun& run) const;
  bool names_output(const std::string& key) const;
  void check_outputs() const;
  RunOptions options_of(const report::SweptRun& run) const;
  void check_runs(const WorkloadRegistry& workloads, runtime::DeviceLibrary& library) const;

  struct Known {
    std::string unit;
    std::string default_value;
    bool real = false;  ///< takes any number
  };
  SweepOptions options_;
  std::string workload_;
  std::map<std::string, Known> known_;  ///< key: full key
  report::SweepReport sweep_;
};

}  // namespace tvp::cli
