#pragma once

#include "platform/cli/options.h"
#include "platform/cli/run/ending.h"
#include "platform/cli/run/workload_registry.h"
#include "sw/report/run_report.h"
#include "sw/runtime/devices/device_library.h"

namespace tvp::cli {

/// One run: configures the library, runs the workload, and writes the report, however it ends.
class WorkloadRun {
 public:
  WorkloadRun(const WorkloadRegistry& workloads, RunOptions options)
      : workloads_(&workloads), options_(std::move(options)) {}
  /// A run of a workload outside the registry.
  WorkloadRun(workloads::Workload& workload, RunOptions options)
      : own_(&workload), options_(std::move(options)) {}

  /// Returns the exit code.
  int execute();
  /// Checks system and settings like `execute`. Throws foundation::Fault(kDescription).
  void check(runtime::DeviceLibrary& library);

 private:
  workloads::Workload& prepare();
  void split_settings(workloads::Workload& workload);
  std::string configuration(const workloads::Workload& workload) const;
  static std::optional<std::string> launched_system();
  void configure(runtime::DeviceLibrary& library, const workloads::Workload& workload) const;
  void make_do_without_settings(runtime::DeviceLibrary& library,
                                const workloads::Workload& workload) const;
  double limit_ns(const workloads::Workload& workload) const;
  void run(workloads::Workload& workload);
  std::string told_of_limit(const workloads::Workload& workload) const;
  void finish(runtime::DeviceLibrary& library);
  void end(const Ending& ending);
  void end(report::Status status, const std::string& reason);
  void check_outputs(workloads::Workload& workload);
  void check_distinct(workloads::Workload& workload) const;
  /// kPassed, or the kind of failure.
  report::Status write_report() const;

  const WorkloadRegistry* workloads_ = nullptr;
  workloads::Workload* own_ = nullptr;  ///< a workload outside the registry
  RunOptions options_;
  std::string model_settings_;  ///< "key=value" lines for the library
  report::RunReport report_;
};

}  // namespace tvp::cli
