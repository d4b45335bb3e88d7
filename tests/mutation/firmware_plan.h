#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/mutation/kernel_mutation.h"
#include "tests/mutation/plan.h"

namespace tvp::mutation {

/// A program with correct kernels, and how its user runs it.
struct FirmwareProgram {
  std::string name;
  std::string command;               ///< "run WORKLOAD …" of `vp`, or "example NAME"
  std::vector<std::string> kernels;  ///< files or folders below firmware or sw/examples
  std::vector<std::string> without;  ///< exceptions
};

/// Changes that no report must name, and the reason.
struct Explained {
  std::string change;  ///< regular expression that matches Mutation::text()
  Survivor::Kind kind = Survivor::Kind::kFree;
  std::string reason;
};

/// The content of firmware.toml. Throws Fault(kDescription) with file and line if a key is missing.
struct FirmwarePlan {
  explicit FirmwarePlan(const std::filesystem::path& file);

  std::vector<FirmwareProgram> programs;
  std::vector<Explained> explained;
};

/// All changes of the program's kernels.
std::vector<KernelMutation> all_of(const FirmwareProgram& program,
                                   const std::filesystem::path& root);
/// All changes in a random order by seed that takes the rules in turns, as long as they have
/// changes. It is equal for equal trees.
std::vector<KernelMutation> shuffled(std::vector<KernelMutation> all, std::uint64_t seed);

}  // namespace tvp::mutation
