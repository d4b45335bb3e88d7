#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/mutation/kernel_mutation.h"

namespace tvp::mutation {

/// How a run of a program ended, by its exit code and its texts.
enum class Ending : std::uint8_t {
  kPassed,
  kWrongResult,
  kFault,
  kHang,
  kTimeLimit,  ///< simulated time has reached its limit
  kNotCompiled,
  kDefect,  ///< the platform failed, or host time has reached its limit
};

struct FirmwareRun {
  Ending ending = Ending::kPassed;
  std::string output;
};

/// The ending of a program. `status` is -1 after the limit of host time. The exit codes of `vp run`
/// differ from those of a program of the user, so the text decides where they are equal.
Ending ending_of(int status, const std::string& output);

enum class Verdict : std::uint8_t {
  kNamed,        ///< a text names the changed line, or the missing call and its kernel
  kPointed,      ///< a text is true but does not lead to the change
  kElsewhere,    ///< the texts blame only other kernels
  kWrongSilent,  ///< the result is wrong, and no text names the changed kernel
  kSilent,       ///< the run passes without a finding
  kDefect,       ///< the platform itself failed
};
inline constexpr Verdict kVerdicts[] = {Verdict::kNamed,     Verdict::kPointed,
                                        Verdict::kElsewhere, Verdict::kWrongSilent,
                                        Verdict::kSilent,    Verdict::kDefect};
const char* name_of(Verdict verdict);
const char* name_of(Ending ending);

struct Judgement {
  Verdict verdict = Verdict::kSilent;
  bool hangs = false;
  bool first_line_names = false;  ///< the first line of a hang alone would be kNamed
  /// The lines that decided: findings, the fault, or the first lines of a hang.
  std::vector<std::string> lines{};
};

/// The findings and errors in a program's output, each with its continuation lines.
std::vector<std::string> findings_of(const FirmwareRun& run);

/// Judges the texts of a run with a changed kernel. `kernels` has the names of the program's kernel
/// files without folders.
Judgement judge(const KernelMutation& mutation, const std::set<std::string>& kernels,
                const FirmwareRun& run);

}  // namespace tvp::mutation
