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
  struct Config : foundation::SettingGroup {
    Config() : SettingGroup("elf", SetBy::kRun) {}
    foundation::Text file{
        *this, {"file", foundation::kInputFile, "ELF file with a symbol tohost", "user"}, ""};
    foundation::Choice core{
        *this,
        {"core", "", "which core executes it", "user"},
        {.value = "brisc", .choices = {"brisc", "ncrisc", "trisc0", "trisc1", "trisc2", "erisc"}}};
    foundation::Setting<std::uint32_t> device{
        *this,
        {"device", "", "chip, in the order in which workloads see them", "user"},
        {.value = 0, .min = 0, .max = 255}};
    foundation::Setting<std::uint32_t> x{
        *this, {"x", "", "column of the tile", "user"}, {.value = 0, .min = 0, .max = 31}};
    foundation::Setting<std::uint32_t> y{
        *this,
        {"y", "", "row of the tile; of erisc, logically the channel", "user"},
        {.value = 0, .min = 0, .max = 31}};
    foundation::Choice coordinates{
        *this,
        {"coordinates", "",
         "coordinates x and y: logical counts the tiles of that kind from (0, 0)", "user"},
        {.value = "logical", .choices = {"logical", "noc0"}}};
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
