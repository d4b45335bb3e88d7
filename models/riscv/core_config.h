#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::riscv {

/// Timing of the baby RISC-V cores; one set for all cores of a system. Latencies of memory-mapped
/// registers belong to the registers and come with each bus access.
struct CoreConfig : foundation::SettingGroup {
  CoreConfig() : SettingGroup("riscv") {}

  using Count = foundation::Setting<std::uint32_t>;

  Count local_load_latency{
      *this,
      {"local_load_latency", "cycles", "from a load of local data RAM to the use of its value",
       "ISA BabyRISCV/README.md, Load/Store Unit"},
      {.value = 2, .min = 2, .max = 64}};
  Count l1_load_latency{
      *this,
      {"l1_load_latency", "cycles", "from a load of L1 to the use of its value, Tensix tile",
       "ISA BabyRISCV/README.md, Load/Store Unit"},
      {.value = 8, .min = 2, .max = 256}};
  Count ethernet_l1_load_latency{*this,
                                 {"ethernet_l1_load_latency", "cycles",
                                  "from a load of L1 to the use of its value, ethernet tile",
                                  "ISA EthernetTile/BabyRISCV/README.md"},
                                 {.value = 7, .min = 2, .max = 256}};
  Count loads_in_flight{
      *this,
      {"loads_in_flight", "", "loads outside local data RAM that one core can have under way",
       "ISA BabyRISCV/README.md, Load/Store Unit"},
      {.value = 4, .min = 1, .max = 8}};
  Count retire_queue{*this,
                     {"retire_queue", "", "entries of the retire-order queue",
                      "ISA BabyRISCV/MemoryOrdering.md, Mechanical description"},
                     {.value = 8, .min = 1, .max = 8}};
  Count store_queue{*this,
                    {"store_queue", "", "entries of the store queue",
                     "ISA BabyRISCV/MemoryOrdering.md, Mechanical description"},
                    {.value = 4, .min = 1, .max = 8}};
  Count l1_store_period{*this,
                        {"l1_store_period", "cycles", "least distance of two stores to L1",
                         "ISA BabyRISCV/README.md, Load/Store Unit"},
                        {.value = 5, .min = 1, .max = 64}};
  Count multiply_cycles{*this,
                        {"multiply_cycles", "cycles", "integer unit's time for a multiply",
                         "ISA BabyRISCV/README.md, Integer Unit"},
                        {.value = 2, .min = 1, .max = 64}};
  Count divide_trivial_cycles{
      *this,
      {"divide_trivial_cycles", "cycles", "divide or remainder by zero or one, or of -2^31 by -1",
       "ISA BabyRISCV/README.md, Integer Unit"},
      {.value = 2, .min = 1, .max = 64}};
  /// The page gives the range and says "dependent upon the magnitude of the dividend"; one cycle a
  /// significant bit of the dividend plus one spans that range exactly.
  Count divide_min_cycles{*this,
                          {"divide_min_cycles", "cycles",
                           "least time of any other divide; one cycle a significant bit of the "
                           "dividend plus one within the two limits (that law is assumed)",
                           "ISA BabyRISCV/README.md, Integer Unit"},
                          {.value = 6, .min = 1, .max = 64}};
  Count divide_max_cycles{
      *this,
      {"divide_max_cycles", "cycles", "longest divide", "ISA BabyRISCV/README.md, Integer Unit"},
      {.value = 33, .min = 1, .max = 64}};
  Count mispredict_bubble{*this,
                          {"mispredict_bubble", "cycles",
                           "what a mispredicted branch or jump costs on top of its own cycle",
                           "ISA BabyRISCV/README.md, Integer Unit"},
                          {.value = 2, .min = 0, .max = 64}};
  foundation::Choice branch_predictor{
      *this,
      {"branch_predictor", "",
       "two_bit: a saturating counter a branch that starts as backward taken, forward not taken, "
       "and the last target of an indirect jump; backward_taken: never learns; perfect",
       "assumed: the prediction law is not public"},
      {.value = "two_bit", .choices = {"two_bit", "backward_taken", "perfect"}}};
  foundation::Choice instruction_cache{
      *this,
      {"instruction_cache", "",
       "off: every fetch hits; direct_mapped: 2 KiB in B, T0 and T2, 512 bytes in T1, NC and E, "
       "with lines of 16 bytes; straight code is prefetched in time",
       "assumed: sizes and line are of ISA BabyRISCV/InstructionCache.md and L1.md, the mapping is "
       "not public"},
      {.value = "off", .choices = {"off", "direct_mapped"}}};
  Count instruction_miss_cycles{
      *this,
      {"instruction_miss_cycles", "cycles", "what a jump to a line outside the cache waits",
       "assumed: a load of L1 without its cycles in the integer and load/store units"},
      {.value = 6, .min = 0, .max = 256}};
};

}  // namespace tvp::riscv
