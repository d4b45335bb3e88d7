#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sw/workloads/workload.h"

namespace tvp::report {

/// "schema" of report.json.
inline constexpr int kReportSchema = 1;

/// How a run ended; the values are the exit codes of the command line.
enum class Status : int {
  kPassed = 0,
  kWrongResult = 1,
  kUsage = 2,
  kFirmware = 3,
  kHang = 4,
  kTimeLimit = 5,
  kDefect = 70,
  kHost = 71,
  kInterrupted = 130,
};
const char* to_string(Status status);

/// Results of a run from the workload, the library and the host's measurements.
struct RunReport {
  std::string workload;
  std::string system;
  Status status = Status::kDefect;
  std::string reason;
  std::uint64_t seed = 0;
  workloads::Result result;
  /// Time at which the measured part of the run ended. 0 if only the library's time is known, which
  /// passes until the host polls again.
  std::uint64_t ended_ps = 0;
  std::string library_report = "{}";     ///< JSON of tensix_vp_report
  std::string library_settings = "[]";   ///< JSON of tensix_vp_settings
  std::string workload_settings = "[]";  ///< settings of the workload
  double wall_s = 0;
  double cpu_s = 0;
  double compile_s = 0;
  std::string command;  ///< line for a shell that repeats the run
  std::string made_by;  ///< version and commit
  std::string date;     ///< begin of the run, UTC: 2026-11-30 17:20:05

  /// The time at which the run ended or was stopped.
  std::uint64_t simulated_ps() const;
  /// The report.json of the command line contract.
  nlohmann::ordered_json to_json() const;
  /// The table for the terminal.
  std::string to_table() const;
};

/// Settings of a group in the form of tensix_vp_settings.
std::string settings_to_json(foundation::SettingGroup& group);

}  // namespace tvp::report
