#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/mutation/firmware_plan.h"
#include "tests/mutation/verdict.h"

namespace tvp::mutation {

/// A copy of the tree's kernels that programs use instead of the tree ($TENSIX_VP_ROOT), and a
/// cache of its compiled kernels. Several copies can be in use at the same time.
class FirmwareTree {
 public:
  /// Copies firmware and examples of `source` to `work`/tree and links everything else. `build` has
  /// the programs.
  FirmwareTree(std::filesystem::path source, std::filesystem::path build,
               const std::filesystem::path& work);

  /// Runs a program as its user does. It ends at `limit_ns` of simulated time, and is killed after
  /// `seconds`.
  FirmwareRun run(const FirmwareProgram& program, std::uint64_t limit_ns, unsigned seconds) const;
  /// Records the events of later runs, with all stores of cores, in this file; "": no longer.
  void record_events(const std::filesystem::path& file) { events_ = file; }
  /// Runs it with a changed kernel, and restores the kernel.
  FirmwareRun run_with(const Mutation& change, const FirmwareProgram& program,
                       std::uint64_t limit_ns, unsigned seconds) const;
  /// Simulated time of the last run; 0 if the program does not report it.
  std::uint64_t simulated_ns() const;

  /// Hashes of the compiled kernels in the cache. A change without effect on them is in code that
  /// the program does not compile.
  using Images = std::map<std::string, std::string>;
  Images images() const;

 private:
  /// The copy that a program reads for a file of the tree.
  std::filesystem::path copy_of(const std::string& file) const;

  std::filesystem::path source_;
  std::filesystem::path build_;
  std::filesystem::path tree_;
  std::filesystem::path cache_;
  std::filesystem::path report_;
  std::filesystem::path events_;
};

}  // namespace tvp::mutation
