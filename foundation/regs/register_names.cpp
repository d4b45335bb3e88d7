#include "foundation/regs/register_names.h"

#include <cctype>

#include "foundation/hex.h"
#include "foundation/regs/noc.h"
#include "foundation/regs/pim.h"

namespace tvp::regs {

namespace {

#define TVP_ROW(Name, offset, count, access) {#Name, offset, count, Access::k##access},

/// Name of the register at `offset`; empty if there is none. `stride` is the offset between two
/// words of a register.
std::string find(std::span<const Register> registers, std::uint32_t offset, std::uint32_t stride) {
  for (const Register& r : registers) {
    if (offset >= r.offset && offset < r.offset + r.count * stride) {
      return r.text((offset - r.offset) / stride);
    }
  }
  return "";
}

std::string find_or_number(std::span<const Register> registers, std::uint32_t offset,
                           const char* prefix) {
  const std::string name = find(registers, offset, 4);
  return name.empty() ? "register " + foundation::hex(offset) : prefix + name;
}

}  // namespace

std::string Register::text(std::uint32_t index) const {
  std::string text;
  for (const char* c = name; *c != '\0'; ++c) {
    const auto is = [](int (*kind)(int), char letter) {
      return kind(static_cast<unsigned char>(letter)) != 0;
    };
    const bool begins = is(std::isupper, *c) || (is(std::isdigit, *c) && !is(std::isdigit, c[-1]));
    if (c != name && begins) text += '_';
    text += static_cast<char>(std::toupper(static_cast<unsigned char>(*c)));
  }
  if (index != 0) text += "[" + std::to_string(index) + "]";
  return text;
}

namespace noc {

#define TVP_WORMHOLE(Name, wormhole, blackhole, count, access) \
  TVP_ROW(Name, wormhole, count, access)
#define TVP_BLACKHOLE(Name, wormhole, blackhole, count, access) \
  TVP_ROW(Name, blackhole, count, access)

std::span<const Register> initiator_registers(Generation generation) {
  static constexpr Register kWormholes[] = {
#define INITIATOR TVP_WORMHOLE
#include "foundation/regs/noc.def"
  };
  static constexpr Register kBlackholes[] = {
#define INITIATOR TVP_BLACKHOLE
#include "foundation/regs/noc.def"
  };
  if (generation == Generation::kBlackhole) return kBlackholes;
  return kWormholes;
}

std::span<const Register> niu_registers(Generation generation) {
  static constexpr Register kWormholes[] = {
#define NIU TVP_WORMHOLE
#include "foundation/regs/noc.def"
  };
  static constexpr Register kBlackholes[] = {
#define NIU TVP_BLACKHOLE
#include "foundation/regs/noc.def"
  };
  if (generation == Generation::kBlackhole) return kBlackholes;
  return kWormholes;
}

std::span<const Register> counters() {
  static constexpr Register kTable[] = {
#define COUNTER TVP_ROW
#include "foundation/regs/noc.def"
  };
  return kTable;
}

std::string register_name(std::uint32_t offset, Generation generation) {
  const std::uint32_t stride = map(generation).initiator_stride;
  if (offset >= kStatusCounters && offset < kStatusCounters + 4 * kCounters) {
    std::string name = find(counters(), (offset - kStatusCounters) / 4, 1);
    if (!name.empty()) return name;
  }
  if (std::string name = find(niu_registers(generation), offset, 4); !name.empty()) return name;
  const std::string name = find(initiator_registers(generation), offset % stride, 4);
  if (offset >= kInitiators * stride || name.empty()) {
    return "register " + foundation::hex(offset);
  }
  return name + " of initiator " + std::to_string(offset / stride);
}

}  // namespace noc

namespace overlay {

std::span<const Register> stream_registers() {
  static constexpr Register kTable[] = {
#define STREAM TVP_ROW
#include "foundation/regs/overlay.def"
  };
  return kTable;
}

std::string register_name(std::uint32_t index) {
  const std::string name = find(stream_registers(), index, 1);
  return name.empty() ? "register " + std::to_string(index) : name;
}

}  // namespace overlay

namespace ethernet {

std::span<const Register> txq_registers() {
  static constexpr Register kTable[] = {
#define TXQ TVP_ROW
#include "foundation/regs/ethernet.def"
  };
  return kTable;
}

std::span<const Register> rxq_registers() {
  static constexpr Register kTable[] = {
#define RXQ TVP_ROW
#include "foundation/regs/ethernet.def"
  };
  return kTable;
}

std::string txq_register_name(std::uint32_t offset) {
  return find_or_number(txq_registers(), offset, "ETH_TXQ_");
}
std::string rxq_register_name(std::uint32_t offset) {
  return find_or_number(rxq_registers(), offset, "ETH_RXQ_");
}

}  // namespace ethernet

namespace tensix_tile {

std::span<const Register> control_registers() {
  static constexpr Register kTable[] = {
#define CONTROL TVP_ROW
#include "foundation/regs/tensix_tile.def"
  };
  return kTable;
}

std::string control_register_name(std::uint32_t offset) {
  return find_or_number(control_registers(), offset, "");
}

}  // namespace tensix_tile

namespace pim {

std::span<const Register> control_registers() {
  static constexpr Register kTable[] = {
#define CONTROL TVP_ROW
#include "foundation/regs/pim.def"
  };
  return kTable;
}

std::span<const Register> dma_registers() {
  static constexpr Register kTable[] = {
#define DMA TVP_ROW
#include "foundation/regs/pim.def"
  };
  return kTable;
}

std::span<const Register> stop_registers() {
  static constexpr Register kTable[] = {
#define STOP TVP_ROW
#include "foundation/regs/pim.def"
  };
  return kTable;
}

std::span<const Register> barrier_registers() {
  static constexpr Register kTable[] = {
#define BARRIER TVP_ROW
#include "foundation/regs/pim.def"
  };
  return kTable;
}

std::span<const Register> tasklet_registers() {
  static constexpr Register kTable[] = {
#define TASKLET TVP_ROW
#include "foundation/regs/pim.def"
  };
  return kTable;
}

std::string register_name(std::uint32_t address) {
  const struct {
    std::uint32_t base;
    const char* name;
    std::span<const Register> registers;
  } kBlocks[] = {{kControl, "control ", control_registers()},
                 {kDma, "DMA ", dma_registers()},
                 {kStop, "stop ", stop_registers()},
                 {kBarrier, "barrier ", barrier_registers()},
                 {kTasklets, "tasklet ", tasklet_registers()}};
  for (const auto& block : kBlocks) {
    if (address - block.base >= kWindowBytes) continue;
    if (const std::string name = find(block.registers, address - block.base, 4); !name.empty()) {
      return block.name + name;
    }
  }
  return "register " + foundation::hex(address);
}

}  // namespace pim

}  // namespace tvp::regs
