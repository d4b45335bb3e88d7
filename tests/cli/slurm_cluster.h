#pragma once

#include <optional>
#include <string>
#include <vector>

#include "foundation/process.h"
#include "tests/support/program.h"
#include "tests/support/test_folder.h"

namespace tvp::test {

/// A cluster of Slurm on this machine: a controller and nodes n1, n2, … with one processor each.
/// Its files are in one folder, its ports are free ones, and it ends with the object.
class SlurmCluster {
 public:
  /// Why this machine cannot run a cluster; nothing if it can.
  static std::optional<std::string> missing();

  explicit SlurmCluster(unsigned nodes);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  /// False if a node did not start; log() then has the reason.
  bool up();
  std::string log() const;
  /// Kills the node's daemon, and the controller learns that the node is gone.
  void lose(unsigned node);
  /// A program that finds this cluster.
  foundation::ProcessStart with_cluster(std::vector<std::string> command) const;
  Outcome ask(const std::string& command) const;

 private:
  foundation::Process start(const std::string& name, std::vector<std::string> command) const;

  TestFolder scratch_;
  std::string folder_;
  std::optional<foundation::Process> munge_;
  std::optional<foundation::Process> controller_;
  std::vector<foundation::Process> nodes_;
};

}  // namespace tvp::test
