#pragma once

#include <cstdint>

#include "foundation/regs/tensix_config.h"

// Address map of a Tensix tile as its RISC-V cores see it.
// ISA WormholeB0/TensixTile/BabyRISCV/README.md, SoftReset.md, Mailboxes.md, PCBufs.md, TTSync.md.

namespace tvp::regs::tensix_tile {

// Decoded range, whatever the size of the memory.
inline constexpr std::uint32_t kL1WindowBytes = 0x170000;

inline constexpr std::uint32_t kLocalRam = 0xFFB00000;
inline constexpr std::uint32_t kLocalRamWindowBytes = 0x1000;
inline constexpr std::uint32_t kTdma = 0xFFB11000;
inline constexpr std::uint32_t kControl = 0xFFB12000;
inline constexpr std::uint32_t kPic = 0xFFB13000;
inline constexpr std::uint32_t kNiu0 = 0xFFB20000;
inline constexpr std::uint32_t kNiu1 = 0xFFB30000;
inline constexpr std::uint32_t kOverlay = 0xFFB40000;
inline constexpr std::uint32_t kOverlayEnd = 0xFFB80000;
inline constexpr std::uint32_t kMopConfig = 0xFFB80000;
inline constexpr std::uint32_t kMopConfigBytes = 0x24;
inline constexpr std::uint32_t kIram = 0xFFC00000;
inline constexpr std::uint32_t kGprs = 0xFFE00000;
inline constexpr std::uint32_t kPushT0 = 0xFFE40000;
inline constexpr std::uint32_t kPushT1 = 0xFFE50000;
inline constexpr std::uint32_t kPushT2 = 0xFFE60000;
inline constexpr std::uint32_t kPcBuf0 = 0xFFE80000;
inline constexpr std::uint32_t kPcBuf1 = 0xFFE90000;
inline constexpr std::uint32_t kPcBuf2 = 0xFFEA0000;
inline constexpr std::uint32_t kCoprocessorDone = 0xFFE80004;
inline constexpr std::uint32_t kMopExpanderDone = 0xFFE80008;
inline constexpr std::uint32_t kSemaphores = 0xFFE80020;
inline constexpr std::uint32_t kMailboxes = 0xFFEC0000;  // B, T0, T1, T2, 4 KiB each
inline constexpr std::uint32_t kConfig = 0xFFEF0000;

// Offsets in the tile control window.
#define CONTROL(Name, offset, count, access) inline constexpr std::uint32_t k##Name = offset;
#include "foundation/regs/tensix_tile.def"

// Bits of SOFT_RESET_0.
inline constexpr std::uint32_t kResetB = 1U << 11;
inline constexpr std::uint32_t kResetT0 = 1U << 12;
inline constexpr std::uint32_t kResetT1 = 1U << 13;
inline constexpr std::uint32_t kResetT2 = 1U << 14;
inline constexpr std::uint32_t kResetNc = 1U << 18;
inline constexpr std::uint32_t kResetCores = kResetB | kResetT0 | kResetT1 | kResetT2 | kResetNc;

// Six words: program counters of T0, T1 and T2 after reset, which of them count (one bit each),
// that of NC, and if it counts.
inline constexpr std::uint32_t kResetPcs =
    kFormGeneration == Generation::kBlackhole
        ? kControl + kTriscResetPc
        : kConfig + 4 * config::global::trisc_reset_pc(0).addr32;

// Program counters after reset when no override is configured.
inline constexpr std::uint32_t kResetPcB = 0x00000;
inline constexpr std::uint32_t kResetPcT0 = 0x06000;
inline constexpr std::uint32_t kResetPcT1 = 0x0A000;
inline constexpr std::uint32_t kResetPcT2 = 0x0E000;
inline constexpr std::uint32_t kResetPcNc = 0x12000;

}  // namespace tvp::regs::tensix_tile
