#include "models/tensix/coprocessor/mover/tdma_risc.h"

#include <cstdio>

namespace tvp::tensix::coprocessor {

using foundation::Fault;
using foundation::FaultKind;
using support::BusMaster;
using support::MmioAccess;
using support::Watch;

namespace {

enum Offset : std::uint32_t {
  kSource = 0x00,
  kDestination = 0x04,
  kSize = 0x08,
  kDirection = 0x0C,
  kCommand = 0x10,
  kStatus = 0x14,
  kUnpackRegisterAddress = 0x24,  // CLK_GATE_EN
  kScaler2 = 0x28,                // CLK_GATE_HYST
  kCommandBase = 0x2C,
  kPackRegisterAddress = 0x38,
  kScaler0 = 0x3C,
};
// Offsets within the 0x100 bytes of a packer and, for some, the 0x40 bytes of a thread.
constexpr std::uint32_t kPackedSize = 0x18, kAccumulatedSize = 0x1C, kAllZeroFlags = 0x20;

}  // namespace

void TdmaRisc::unmodelled(const MmioAccess& access) const {
  char text[64];
  std::snprintf(text, sizeof text, "%s of TDMA-RISC register 0x%08X",
                access.write ? "write" : "read", 0xFFB11000U + access.offset);
  throw Fault(FaultKind::kUnmodelled, where_, text);
}

void TdmaRisc::access(MmioAccess& access) {
  if (access.write) {
    write(access);
  } else {
    read(access);
  }
}

unsigned TdmaRisc::base_index(BusMaster master) {
  switch (master) {
    case BusMaster::kB:
      return 0;
    case BusMaster::kT1:
      return 2;
    case BusMaster::kT2:
      return 3;
    default:
      return 1;  // T0, and masters without a queue of their own
  }
}

void TdmaRisc::enqueue(MmioAccess& access) {
  if (mover_.queue_full()) {
    access.blocked = true;
    access.watch = Watch::kTdma;
    return;
  }
  Mover::Command command;
  command.word = access.data;
  command.parameters = parameters_;
  command.base = command_base_[base_index(access.master)];
  mover_.enqueue(command, access.now);
  watch_hub_.changed(Watch::kTdma, access.now, access.order);
}

void TdmaRisc::set_scaler(unsigned first, std::uint32_t values) {
  for (unsigned i = first; i < first + 3 && i < 4; ++i) {
    pack_setreg_.high_scaler[i] = values & 0x1FFU;
    values >>= 9;
  }
}

void TdmaRisc::reset_accumulated(std::uint32_t value) {
  for (unsigned packer = 0; packer < 4; ++packer) {
    if (((value >> (16 + packer)) & 1U) == 0) continue;
    if (packers_ == nullptr) {
      throw Fault(FaultKind::kUnmodelled, where_, "packer configuration without packers");
    }
    packers_->reset_accumulated_tile_size(packer);
    packers_->set_l1_dest_addr_offset(packer, static_cast<std::uint16_t>(value));
  }
}

void TdmaRisc::write(MmioAccess& access) {
  const std::uint32_t value = access.data;
  switch (access.offset) {
    case kSource:
    case kDestination:
    case kSize:
    case kDirection:
      parameters_[access.offset / 4] = value;
      return;
    case kCommand:
      return enqueue(access);
    case kStatus:
      return;  // without effect
    case kCommandBase:
      command_base_[base_index(access.master)] = value;
      return;
    case kUnpackRegisterAddress:
      unpack_register_address_ = value & 0xFFFFFF7FU;
      return;
    case kScaler2:
      scaler2_ = value & 0x01FF007FU;
      set_scaler(3, value >> 16);
      return;
    case kScaler0:
    case kScaler0 + 0x100:
      set_scaler(0, value);
      return;
    case kPackRegisterAddress:
      for (unsigned i = 0; i < 2; ++i) {
        const std::uint32_t middle = (value >> (10 * i)) & 0x3FFU;
        const std::uint32_t high = (value >> (20 + 2 * i)) & 3U;
        pack_setreg_.base[i] = high << 18 | middle << 2;
      }
      return;
    default:
      break;
  }
  const std::uint32_t within = access.offset & 0x3FU;
  if (access.offset < 0x400 && within == kAccumulatedSize) return reset_accumulated(value);
  if (access.offset < 0x400 && (within == kPackedSize || within == kAllZeroFlags)) return;
  unmodelled(access);
}

std::uint32_t TdmaRisc::status() const {
  const unsigned queued = mover_.queued();
  return (mover_.busy() ? 1U : 0U) | (mover_.queue_full() ? 1U << 2 : 0U) |
         (queued == 0 ? 1U << 3 : 0U) | (mover_.parameter_credits() == 0 ? 1U << 4 : 0U) |
         (mover_.parameter_credits() == Mover::kParameterCredits ? 1U << 5 : 0U) |
         (Mover::kQueueCapacity - queued) << 8;
}

bool TdmaRisc::read_metadata(MmioAccess& access) {
  if (packers_ == nullptr || access.offset >= 0x400) return false;
  const unsigned packer = access.offset >> 8;
  const unsigned thread = (access.offset >> 6) & 3U;
  switch (access.offset & 0x3FU) {
    case kPackedSize:
      if (thread == 3) return false;
      access.data = packers_->tile_size(packer, thread);
      return true;
    case kAccumulatedSize:
      // The upper half counts register writes of UNPACR_NOP, which is not modelled: always 0.
      if (thread == 3) return false;
      access.data = packers_->accumulated_tile_size(packer, thread);
      return true;
    case kAllZeroFlags:
      if (thread != 0) return false;
      access.data = packers_->all_zero_flags(packer);
      return true;
    default:
      return false;
  }
}

void TdmaRisc::read(MmioAccess& access) {
  access.data = 0;
  switch (access.offset) {
    case kSource:
    case kDestination:
    case kSize:
    case kDirection:
    case kCommand:
      return;
    case kStatus:
      access.data = status();
      access.watch = Watch::kTdma;
      return;
    case kCommandBase:
      access.data = command_base_[base_index(access.master)];
      return;
    case kUnpackRegisterAddress:
      access.data = unpack_register_address_;
      return;
    case kScaler2:
      access.data = scaler2_;
      return;
    default:
      break;
  }
  if (!read_metadata(access)) unmodelled(access);
}

}  // namespace tvp::tensix::coprocessor
