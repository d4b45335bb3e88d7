#pragma once

#include <cstdint>

#include "sw/workloads/workload.h"

namespace tvp::workloads {

/// A bare RV32IM program on one core, until it stores to its symbol `tohost`.
class BareElf : public Workload {
 public:
  BareElf()
      : Workload({.name = "elf",
                  .summary = "a bare RV32IM program on any one core",
                  .system = "single_chip",
                  .max_time_ns = 1e9},
                 config_) {}
  Result run(Context& context) override;

 private:
  struct Config : WorkloadSettings {
    Config() : WorkloadSettings("elf") {}
    foundation::Text file{
        *this, {"file", foundation::kInputFile, "ELF file with a symbol tohost", "user"}, ""};
    Choice core = choice(
        "core", "which core executes it",
        {.value = "brisc", .choices = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "erisc"}},
        "user");
    Number device = number("device", "", "chip, in the order in which workloads see them",
                           {.value = 0, .min = 0, .max = 255}, "user");
    Number x = number("x", "", "column of the tile", {.value = 0, .min = 0, .max = 31}, "user");
    Number y = number("y", "", "row of the tile; of erisc, logically the channel",
                      {.value = 0, .min = 0, .max = 31}, "user");
    Choice coordinates = choice(
        "coordinates", "coordinates x and y: logical counts the tiles of that kind from (0, 0)",
        {.value = "logical", .choices = {"logical", "noc0"}}, "user");
    foundation::Text commitlog{*this,
                               {"commitlog", foundation::kOutputFile,
                                "file for the commit log, text of spike's --log-commits", "user"},
                               ""};
    foundation::Text signature{
        *this,
        {"signature", foundation::kOutputFile,
         "file for the words from begin_signature to end_signature, one a line", "user"},
        ""};
  };
  /// Options for the library, one a line.
  std::string load_options() const;

  Config config_;
};

}  // namespace tvp::workloads
