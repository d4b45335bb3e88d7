#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::tensix::coprocessor {

/// Tunables of the whole coprocessor: its way of summing, and dropped instructions for tests.
struct CoprocessorConfig : foundation::SettingGroup {
  CoprocessorConfig() : SettingGroup("coprocessor", SetBy::kDescription) {}

  foundation::Setting<bool> exact_sums{
      *this,
      {"exact_sums", "",
       "products and operands of the matrix unit are summed without loss and rounded once, for "
       "comparison",
       "the hardware aligns them with ten bits of fraction (matrix_arithmetic.md)"},
      false};
  foundation::Choice missing_waits{
      *this,
      {"missing_waits", "",
       "reaction to data that is used before hardware is done with it: a firmware fault, a warning "
       "in the report, or nothing. Data is L1 under unpackers, packers, the mover and commands of "
       "NIUs, and rows of Dst under packers and unpackers.",
       foundation::kOwnChoice},
      {.value = "fault", .choices = {"fault", "warn", "off"}}};
  foundation::Choice missing_config_waits{
      *this,
      {"missing_config_waits", "",
       "reaction to configuration that changes while an unpacker or the packers use it, and to "
       "packing rows of Dst before their commit. It is a firmware fault, a warning in the report, "
       "or nothing, but at most that of missing_waits. Some published firmware does both.",
       foundation::kOwnChoice},
      {.value = "warn", .choices = {"fault", "warn", "off"}}};
  foundation::Text drop_opcode{
      *this,
      {"drop_opcode", foundation::kNoFile,
       "mnemonic of a Tensix instruction that passes without effect", "for tests"},
      ""};
  foundation::Setting<std::uint32_t> drop_nth{
      *this,
      {"drop_nth", "", "which of them in a coprocessor, counted from 1; 0 for all", "for tests"},
      {.value = 0, .min = 0, .max = 0xFFFFFFFF}};
  foundation::Text drop_in{
      *this,
      {"drop_in", foundation::kNoFile,
       "only in coprocessors with this in their name (chip0.tensix(1,2))", "for tests"},
      ""};
};

}  // namespace tvp::tensix::coprocessor
