#pragma once

#include <cstdint>

#include "foundation/settings.h"

namespace tvp::riscv {

/// Timing of the baby RISC-V cores. One set serves all cores of a system. Latencies of
/// memory-mapped registers belong to the registers and come with each bus access.
struct CoreConfig : foundation::SettingGroup {
  CoreConfig() : SettingGroup("riscv", SetBy::kDescription) {}

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
  /// The page gives the range and says "dependent upon the magnitude of the dividend". Measured, 29
  /// significant bits take as long as 32 (mesham/tt-sim riscvbench, 0x12345678 by 3: 33.0 cycles).
  /// So the divider does not skip single bits; three steps of nine span the range exactly.
  Count divide_min_cycles{
      *this,
      {"divide_min_cycles", "cycles",
       "shortest other divide. A longer one takes a cycle for each significant bit "
       "of the dividend plus one, rounded up to thirds of the range (assumed).",
       "ISA BabyRISCV/README.md, Integer Unit"},
      {.value = 6, .min = 1, .max = 64}};
  Count divide_max_cycles{
      *this,
      {"divide_max_cycles", "cycles", "longest divide", "ISA BabyRISCV/README.md, Integer Unit"},
      {.value = 33, .min = 1, .max = 64}};
  Count mispredict_bubble{*this,
                          {"mispredict_bubble", "cycles",
                           "penalty of a mispredicted branch or jump, besides its own cycle",
                           "ISA BabyRISCV/README.md, Integer Unit"},
                          {.value = 2, .min = 0, .max = 64}};
  Count atomic_latency{*this,
                       {"atomic_latency", "cycles",
                        "from an atomic operation on L1 to the use of its value (Blackhole)",
                        "ISA BlackholeA0 BabyRISCV/README.md, Load/Store Unit"},
                       {.value = 12, .min = 2, .max = 256}};
  foundation::Choice branch_predictor{
      *this,
      {"branch_predictor", "",
       "two_bit: a buffer of the latest branches and jumps, with a saturating counter for each "
       "branch and the last target of an indirect jump. Absent ones fall through. "
       "backward_taken: never learns, direct jumps cost nothing. perfect: always right.",
       "measured: mesham/tt-sim riscvbench phase C on Wormhole, every one of 64 taken costs 3 "
       "cycles and evicts the branch behind it even when never taken; the counter is assumed"},
      {.value = "two_bit", .choices = {"two_bit", "backward_taken", "perfect"}}};
  foundation::Choice block_timing{
      *this,
      {"block_timing", "",
       "Affects host time only. on: the times of blocks are remembered for each state of the "
       "pipeline, and hot blocks become machine code of the host (x86-64). always: the same for "
       "all blocks, for tests. interpreted: no machine code. off: the pipeline is simulated "
       "instruction by instruction.",
       "ours"},
      {.value = "on", .choices = {"on", "always", "interpreted", "off"}}};
  /// Silicon's T0 takes 102 cycles for a call of tt-llk's unpackers for products, which has 18
  /// branches and jumps, wherever these are. So it forgets them (tt-metal tt_metal/tt-llk/docs/
  /// perf_evaluation/results/wormhole-nonsol/data/serial_replay_movers.csv, tiles that arrive
  /// early).
  Count branch_targets{
      *this,
      {"branch_targets", "",
       "capacity of the predictor's buffer for branches and jumps; a new one replaces the oldest",
       "ISA BabyRISCV/InstructionRAM.md: 14 pairs of branches overwrite it; that it holds one of "
       "each is assumed"},
      {.value = 14, .min = 1, .max = 1024}};
  foundation::Choice instruction_cache{
      *this,
      {"instruction_cache", "",
       "direct_mapped: 2 KiB in B, T0 and T2, 512 bytes in T1 and NC, with lines of 16 bytes that "
       "are fetched one after the other. E has no cache; its code counts as in instruction RAM. "
       "Blackhole: 4 KiB in two ways. off: every fetch hits.",
       "ISA BabyRISCV/InstructionCache.md and L1.md; that each line has one place is assumed"},
      {.value = "direct_mapped", .choices = {"off", "direct_mapped"}}};
  foundation::Setting<double> instruction_fetch{
      *this,
      {"instruction_fetch", "cycles",
       "fetch of a line of code from L1 to its first instruction, with a cache of 2 KiB: the time "
       "of each line in code that never fits",
       "measured: mesham/tt-sim riscvbench phase F on Wormhole, 1.153 cycles an instruction on T0 "
       "and T2"},
      {.value = 4.625, .min = 1, .max = 256}};
  foundation::Setting<double> small_cache_instruction_fetch{
      *this,
      {"small_cache_instruction_fetch", "cycles", "the same with a cache of 512 bytes",
       "measured: the same, 1.405 cycles an instruction on T1; that NC has the same is "
       "assumed"},
      {.value = 5.625, .min = 1, .max = 256}};
};

}  // namespace tvp::riscv
