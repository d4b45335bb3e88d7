#include "models/tensix/tile/control_targets.h"

#include "foundation/regs/tensix_config.h"
#include "foundation/regs/tensix_tile.h"

namespace tvp::tensix {

namespace regs = tvp::regs::tensix_tile;
namespace config = tvp::regs::config::global;
using support::Cycle;

namespace {

unsigned thread_of(TileCore core) {
  return static_cast<unsigned>(core) - static_cast<unsigned>(TileCore::kT0);
}

}  // namespace

std::uint32_t ControlTargets::reset_pc(TileCore core) const {
  // Resets use state that both banks share, so either bank serves.
  const auto& words = to_.coprocessor.state().config.bank[0];
  const auto field = [&](const tvp::regs::config::Field& f) { return f.get(words); };
  const std::uint32_t override_bits = field(config::kTriscResetPcOverride);
  switch (core) {
    case TileCore::kB:
      break;
    case TileCore::kNc:
      return field(config::kNcriscResetPcOverride) != 0 ? field(config::kNcriscResetPc)
                                                        : regs::kResetPcNc;
    case TileCore::kT0:
      return (override_bits & 1U) != 0 ? field(config::trisc_reset_pc(0)) : regs::kResetPcT0;
    case TileCore::kT1:
      return (override_bits & 2U) != 0 ? field(config::trisc_reset_pc(1)) : regs::kResetPcT1;
    case TileCore::kT2:
      return (override_bits & 4U) != 0 ? field(config::trisc_reset_pc(2)) : regs::kResetPcT2;
  }
  return regs::kResetPcB;
}

// Words of bank 0, from which reset_pc() reads.
std::uint32_t* ControlTargets::reset_pc_register(std::uint32_t offset) {
  using coprocessor::ConfigLayout;
  const unsigned word = to_.coprocessor.backend().configuration().layout().control_word(offset);
  return word == ConfigLayout::kNone ? nullptr : &to_.coprocessor.state().config.bank[0][word];
}

void ControlTargets::soft_reset_changed(std::uint32_t before, std::uint32_t after, Cycle now,
                                        unsigned order) {
  const std::uint32_t changed = before ^ after;
  if ((changed & ~regs::kResetCores & 0x7FFFFFU) != 0) {
    to_.faults.raise({foundation::FaultKind::kUnmodelled, where_,
                      "soft reset of a unit other than a RISC-V core is not modelled"});
  }
  for (unsigned i = 0; i < kTileCores; ++i) {
    const auto core = static_cast<TileCore>(i);
    const std::uint32_t bit = TileCores::reset_bit(core);
    if ((changed & bit) == 0) continue;
    if ((after & bit) != 0) {
      enter_reset(core, now, order);
    } else {
      leave_reset(core, now, order);
    }
  }
}

void ControlTargets::enter_reset(TileCore core, Cycle now, unsigned order) {
  to_.cores[core].assert_reset(now);
  if (devices_ != nullptr) devices_->abandon(to_.cores[core].master());
  if (core == TileCore::kB) to_.mailboxes.reset_writer(0, now, order);
  if (core >= TileCore::kT0) to_.mailboxes.reset_writer(1 + thread_of(core), now, order);
}

void ControlTargets::leave_reset(TileCore core, Cycle now, unsigned order) {
  if (core >= TileCore::kT0) to_.pc_buffers.reset_reader(thread_of(core), now, order);
  // The store that releases a core completes before the core fetches.
  to_.cores[core].release_reset(now + 1, reset_pc(core));
}

std::uint32_t ControlTargets::dst_word(std::uint32_t row, std::uint32_t index) const {
  using Dst = coprocessor::Dst;
  const Dst::Row& columns = to_.coprocessor.state().registers.dst.storage(row % Dst::kRows);
  const std::uint32_t first = 2 * (index % (coprocessor::kColumns / 2));
  return columns[first] | std::uint32_t{columns[first + 1]} << 16;
}

void ControlTargets::set_feature_disable(std::uint32_t value) {
  to_.coprocessor.state().registers.dst.set_dst16_in_dst32(((value >> 11) & 1U) != 0);
}

}  // namespace tvp::tensix
