#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "foundation/regs/generation.h"

/// Names of registers for messages, from the rows that define their constants (noc.def,
/// overlay.def, …). Not for firmware.
namespace tvp::regs {

enum class Access : std::uint8_t { kRead, kWrite, kReadWrite };

struct Register {
  const char* name;  ///< name of the constant without its k
  std::uint32_t offset;
  std::uint32_t count;  ///< number of consecutive words of this register
  Access access;

  /// "CMD_CTRL"; the second of several is "SCRATCH[1]".
  std::string text(std::uint32_t index = 0) const;
};

namespace noc {
std::span<const Register> initiator_registers(Generation generation = Generation::kWormhole);
std::span<const Register> niu_registers(Generation generation = Generation::kWormhole);
std::span<const Register> counters();
/// "CMD_CTRL of initiator 2", "MST_WR_ACK_RECEIVED", or "register 0x54".
std::string register_name(std::uint32_t offset, Generation generation = Generation::kWormhole);
}  // namespace noc

namespace overlay {
std::span<const Register> stream_registers();
/// Name of a register by its index: "CURR_PHASE", or "register 12".
std::string register_name(std::uint32_t index);
}  // namespace overlay

namespace ethernet {
std::span<const Register> txq_registers();
std::span<const Register> rxq_registers();
/// Name of a register by its offset in the queue: "ETH_TXQ_CMD", or "register 0x8".
std::string txq_register_name(std::uint32_t offset);
std::string rxq_register_name(std::uint32_t offset);
}  // namespace ethernet

namespace tensix_tile {
std::span<const Register> control_registers();
/// Name of a register by its offset in the control window: "SOFT_RESET_0", or "register 0x8".
std::string control_register_name(std::uint32_t offset);
}  // namespace tensix_tile

namespace pim {
std::span<const Register> control_registers();
std::span<const Register> dma_registers();
std::span<const Register> stop_registers();
std::span<const Register> barrier_registers();
std::span<const Register> tasklet_registers();
/// Name of a register by its address: "DMA WRAM_ADDRESS", or "register 0xffb11040".
std::string register_name(std::uint32_t address);
}  // namespace pim

}  // namespace tvp::regs
