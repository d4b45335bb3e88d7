#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tvp::collectives {

/// Metrics of a run, by name.
using Metrics = std::map<std::string, double>;
/// `vp COMMAND`, a run that has to pass.
using RunCommand = std::function<Metrics(const std::string& command)>;

/// The result of a claim's runs on modelled machines.
struct MachineEvidence {
  std::string measured;
  bool holds = false;
};

/// A claim that runs on modelled machines decide.
struct MachineClaim {
  std::string name;
  std::string statement;
  std::string formula;
  std::vector<std::string> commands;  ///< without the program: "run collective --set …"
  std::function<MachineEvidence(const std::vector<Metrics>& runs)> judge;  ///< one of each command
  std::string reason;
};

std::vector<MachineClaim> chip_claims();  ///< the ethernet fabric between chips
std::vector<MachineClaim> star_claims();  ///< a switch that combines and multicasts
std::vector<MachineClaim> unit_claims();  ///< units of PIM systems, in a mesh and beyond

/// "run collective --system SYSTEM --set KEYS,bytes=BYTES".
std::string collective_run(const std::string& system, const std::string& keys,
                           const std::string& bytes);
/// The time of a run, relative to that of the first run.
double ratio(const std::vector<Metrics>& runs, std::size_t run);
/// "NAME 1.23" for each name and run, times of the first run.
std::string ratios(const std::vector<Metrics>& runs, const std::vector<std::string>& names);
/// "NAME 12.3 µs" of the runs from `first` on.
std::string times(const std::vector<Metrics>& runs, const std::vector<std::string>& names,
                  std::size_t first = 0);

}  // namespace tvp::collectives
