#include "platform/cli/run/workload_run.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>

#include "foundation/fault.h"
#include "foundation/json_text.h"
#include "foundation/output_file.h"
#include "foundation/setting_needs.h"
#include "foundation/settings_registry.h"
#include "platform/cli/console.h"
#include "platform/cli/process/interrupt.h"
#include "platform/cli/run/ending.h"
#include "platform/cli/run/last_waves.h"
#include "platform/cli/run/library_path.h"
#include "platform/cli/run/output_names.h"
#include "platform/cli/run/run_arguments.h"
#include "platform/cli/run/run_origin.h"
#include "platform/system/system_description.h"
#include "platform/system/system_folder.h"
#include "sw/report/report_page.h"
#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/errors.h"

namespace tvp::cli {

using foundation::Fault;
using foundation::FaultKind;
using report::Status;

namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// Seconds since the process started, so that loading and elaboration count.
double wall_seconds() {
  static const auto start = std::chrono::steady_clock::now();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
const double kStarted = wall_seconds();

}  // namespace

void WorkloadRun::split_settings(workloads::Workload& workload) {
  foundation::SettingsRegistry own;
  own.add(workload.settings());
  std::vector<std::string> set;
  for (const auto& [key, value] : options_.settings) {
    const std::string full = workload.name() + "." + key;
    // A wrong key of the workload goes to it, too, so that its error names the most similar key.
    const bool meant_for_it =
        !workload.settings().settings().empty() && key.starts_with(workload.name() + ".");
    if (own.knows(key) || meant_for_it) {
      own.set(key, value, "--set");
      set.push_back(key);
    } else if (key.find('.') == std::string::npos && own.knows(full)) {
      own.set(full, value, "--set");
      set.push_back(full);
    } else {
      model_settings_ += key + "=" + value + "\n";
    }
  }
  for (const std::string& key : set) {
    if (const auto reason = foundation::without_effect(own, key))
      throw foundation::Fault(foundation::FaultKind::kDescription, "--set", reason->text);
  }
}

/// Explains a default time limit, because the user has not set it.
std::string WorkloadRun::told_of_limit(const workloads::Workload& workload) const {
  if (options_.max_time_ns || model_settings_.find("max_time_ns=") != std::string::npos) return "";
  char limit[32];
  std::snprintf(limit, sizeof limit, "%.6g", limit_ns(workload) / 1e6);
  return std::string(": it is ") + limit + " ms unless --max-time says otherwise";
}

std::string WorkloadRun::configuration(const workloads::Workload& workload) const {
  const std::string seed =
      options_.seed != 1 ? "launch.seed=" + std::to_string(options_.seed) + "\n" : "";
  // The table at the end lists the warnings.
  return "system=" + report_.system + "\nwarnings=report\n" + seed + observer_settings(options_) +
         "max_time_ns=" + std::to_string(static_cast<std::uint64_t>(limit_ns(workload))) + "\n" +
         "lockstep=" + (options_.lockstep ? "true" : "false") + "\n" + model_settings_;
}

double WorkloadRun::limit_ns(const workloads::Workload& workload) const {
  return options_.max_time_ns.value_or(workload.default_max_time_ns());
}

/// The system that `vp exec` has set. It takes precedence over other settings.
std::optional<std::string> WorkloadRun::launched_system() {
  const char* settings = std::getenv("TENSIX_VP_CONFIGURE");
  std::optional<std::string> system;
  std::istringstream lines(settings == nullptr ? "" : settings);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("system=")) system = line.substr(line.find('=') + 1);
  return system;
}

void WorkloadRun::configure(runtime::DeviceLibrary& library,
                            const workloads::Workload& workload) const {
  if (library.takes_settings()) {
    library.configure(configuration(workload));
  } else {
    make_do_without_settings(library, workload);
  }
}

/// The host takes chips and links from the description and enforces the time limit. Settings that
/// only our library supports are refused if they name a file or a port, and ignored otherwise.
void WorkloadRun::make_do_without_settings(runtime::DeviceLibrary& library,
                                           const workloads::Workload& workload) const {
  for (const auto& [given, option] : {std::pair(options_.wave_file.has_value(), "--wave"),
                                      std::pair(options_.trace_file.has_value(), "--trace"),
                                      std::pair(options_.profile_file.has_value(), "--profile"),
                                      std::pair(options_.record_file.has_value(), "--record"),
                                      std::pair(options_.gdb_port.has_value(), "--gdb")}) {
    if (!given) continue;
    throw Fault(FaultKind::kDescription, option,
                library.name() + " takes no settings and cannot do this");
  }
  std::string ignored;
  for (const auto& [key, value] : options_.settings) {
    if (model_settings_.find(key + "=" + value + "\n") != std::string::npos)
      ignored += (ignored.empty() ? "" : ", ") + key;
  }
  if (options_.lockstep) ignored += ignored.empty() ? "--lockstep" : ", --lockstep";
  if (!ignored.empty()) complain(library.name() + " takes no settings, ignored: " + ignored);
  const auto system = platform::SystemDescription::load(report_.system, platform::system_folder());
  library.describe_system(system.to_json());
  library.limit_time(static_cast<std::uint64_t>(limit_ns(workload) * 1000));
}

void WorkloadRun::run(workloads::Workload& workload) {
  check_interrupted();
  const auto library = runtime::DeviceLibrary::open(library_path(options_.device_library));
  library->set_clock_hook(check_interrupted);
  tell_interrupts_to(library->interrupt_function());
  configure(*library, workload);
  if (library->takes_settings()) report_.system = launched_system().value_or(report_.system);
  workloads::Context context{.library = *library,
                             .seed = options_.seed,
                             .print = [quiet = options_.quiet](const std::string& line) {
                               if (!quiet) print(line + "\n");
                             }};
  try {
    report_.result = workload.run(context);
    library->check();
    if (report_.result.passed) {
      end(Status::kPassed, report_.result.reason);
    } else {
      end(Status::kWrongResult, report_.result.reason);
    }
  } catch (const runtime::TimeLimitError& limit) {
    // Follows the first line; the others list the cores.
    std::string text = limit.what();
    end(Status::kTimeLimit,
        text.insert(std::min(text.find('\n'), text.size()), told_of_limit(workload)));
  } catch (const std::exception&) {
    end(Ending::of_current());
  }
  report_.compile_s = context.compile_seconds;
  report_.ended_ps = library->ended_ps();
  if (library->has_report()) report_.library_report = library->report();
  if (library->has_settings()) report_.library_settings = library->settings();
  finish(*library);
}

/// Ends the simulation, which checks that no packet was lost.
void WorkloadRun::finish(runtime::DeviceLibrary& library) {
  const bool passed = report_.status == Status::kPassed;
  try {
    library.exit();
    if (passed) library.check();
  } catch (const std::exception&) {
    end(Ending::of_current());
  }
}

void WorkloadRun::end(const Ending& ending) { end(ending.status, ending.reason); }

void WorkloadRun::end(Status status, const std::string& reason) {
  report_.status = status;
  report_.reason = reason;
}

workloads::Workload& WorkloadRun::prepare() {
  workloads::Workload& workload = own_ != nullptr ? *own_ : workloads_->find(options_.workload);
  report_.workload = workload.name();
  report_.system = options_.system.value_or(workload.default_system());
  report_.seed = options_.seed;
  split_settings(workload);
  return workload;
}

void WorkloadRun::check(runtime::DeviceLibrary& library) { configure(library, prepare()); }

int WorkloadRun::execute() {
  catch_interrupts();
  set_origin(report_);
  try {
    workloads::Workload& workload = prepare();
    report_.workload_settings = report::settings_to_json(workload.settings());
    check_outputs(workload);
    run(workload);
  } catch (const std::exception&) {
    end(Ending::of_current());
  }
  if (options_.wave_file) remember_waves(report_.workload, *options_.wave_file);
  report_.wall_s = wall_seconds() - kStarted;
  report_.cpu_s = cpu_seconds();
  if (report_.status == Status::kUsage) {
    complain(report_.reason);
  } else if (!options_.quiet) {
    print(report_.to_table());
  } else if (report_.status != Status::kPassed) {
    complain(std::string(report::to_string(report_.status)) + ": " + report_.reason);
  }
  const Status written = write_report();
  return static_cast<int>(report_.status == Status::kPassed ? written : report_.status);
}

Status WorkloadRun::write_report() const {
  if (!options_.report_file && !options_.page_file) return Status::kPassed;
  // If a file could not be written before the run, the run already has its reason.
  const bool told = report_.status == Status::kUsage || report_.status == Status::kHost;
  try {
    const auto json = report_.to_json();
    if (options_.report_file) {
      foundation::write_file(*options_.report_file, foundation::json_text(json, 2) + "\n");
    }
    if (options_.page_file) foundation::write_file(*options_.page_file, report::report_page(json));
  } catch (const std::exception&) {
    const Ending ending = Ending::of_current();
    if (!told) complain(ending.reason);
    return ending.status;
  }
  return Status::kPassed;
}

/// Checks that all output files can be written and differ.
void WorkloadRun::check_outputs(workloads::Workload& workload) {
  try {
    check_distinct(workload);
  } catch (const Fault&) {
    // The report of this error has no file, either.
    options_.report_file.reset();
    options_.page_file.reset();
    throw;
  }
  for (const auto& file : {options_.report_file, options_.page_file}) {
    if (file) foundation::check_writable(*file, "the report");
  }
}

void WorkloadRun::check_distinct(workloads::Workload& workload) const {
  OutputNames names;
  if (options_.system) names.reads("--system", *options_.system);
  for (const auto& [option, file] : options_.inputs) names.reads(option, file);
  for (const auto& [key, value] : options_.settings) {
    if (key == "dram_traffic.trace") names.reads("--set " + key + " =", value);
  }
  const auto each_file = [&](std::string_view unit, auto what) {
    for (const foundation::SettingBase* setting : workload.settings().settings()) {
      if (!setting->info().unit.ends_with(unit) || setting->text().empty()) continue;
      (names.*what)("--set " + workload.name() + "." + setting->info().name + " =",
                    setting->text());
    }
  };
  each_file(foundation::kInputFile.unit, &OutputNames::reads);
  const auto add = [&](const char* option, const std::optional<std::string>& file) {
    if (file) names.add(option, *file);
  };
  add("--report", options_.report_file);
  add("--page", options_.page_file);
  add("--wave", options_.wave_file);
  add("--trace", options_.trace_file);
  add("--profile", options_.profile_file);
  add("--record", options_.record_file);
  for (const auto& [key, value] : options_.settings) {
    if (key == "wave.file" || key == "wave.trace" || key == "profile.file" || key == "record.file")
      names.add("--set " + key + " =", value);
  }
  each_file(foundation::kOutputFile.unit, &OutputNames::add);
}

}  // namespace tvp::cli
