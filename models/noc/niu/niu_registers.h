#pragma once

#include <array>
#include <cstdint>

#include "models/noc/niu/niu_context.h"
#include "models/noc/niu/niu_counters.h"
#include "models/noc/niu/request_initiator.h"

namespace tvp::noc {

/// The registers of a NIU (ISA NoC/MemoryMap.md). Offsets are in its 64 KiB window and multiples of
/// 4.
class NiuRegisters {
 public:
  static constexpr std::uint32_t kWindowBytes = 0x10000;
  /// The registers of an initiator's block, by word.
  using Decoded = std::array<regs::noc::InitiatorRegister, 20>;

  NiuRegisters(const NiuContext& context, NiuCounters& counters);

  /// False if there is no such register.
  bool read(std::uint32_t offset, std::uint32_t& value) const;
  enum class Written : std::uint8_t {
    kDone,
    kNone,     ///< there is no such register
    kRefused,  ///< the request initiator is busy; a fault was raised
    kCommand,  ///< initiator_of(offset) must start
  };
  Written write(std::uint32_t offset, std::uint32_t value);
  /// Read for boot firmware and debuggers, without side effects or refusals.
  std::uint32_t peek(std::uint32_t offset) const;
  void poke(std::uint32_t offset, std::uint32_t value);

  unsigned initiator_of(std::uint32_t offset) const { return offset / map_.initiator_stride; }
  RequestInitiator& initiator(unsigned index) { return initiators_[index]; }
  const RequestInitiator& initiator(unsigned index) const { return initiators_[index]; }

  bool takes_broadcasts() const;
  /// Translates coordinates that software writes, if translation is on. The lowest five bits of a
  /// coordinate select a table entry.
  Node translated(Node written) const;
  /// Translates the coordinates of a command in place and keeps the written ones.
  void translate(RequestInitiator& request) const;

 private:
  /// The register of an initiator at `offset`; kAbsent if there is none.
  regs::noc::InitiatorRegister initiator_register(std::uint32_t offset) const {
    const std::uint32_t word = offset % map_.initiator_stride / 4;
    return offset < initiators_end_ && word < decoded_.size()
               ? decoded_[word]
               : regs::noc::InitiatorRegister::kAbsent;
  }
  bool is_config(std::uint32_t offset) const {
    return offset >= map_.NiuCfg0 && offset < map_.config_end;
  }
  std::uint32_t config(std::uint32_t offset) const {
    return config_words_[(offset - map_.NiuCfg0) / 4];
  }
  bool translates() const {
    return (config(map_.NiuCfg0) & regs::noc::kNiuCfgIdTranslateEnable) != 0;
  }
  std::uint8_t lookup(std::uint32_t table, std::uint32_t coordinate) const;
  std::uint32_t word(regs::noc::InitiatorRegister reg, const RequestInitiator& r) const;
  void set_word(regs::noc::InitiatorRegister reg, RequestInitiator& r, std::uint32_t value);
  std::uint32_t node_id() const;
  std::uint32_t endpoint_id() const;

  const NiuContext& context_;
  const regs::noc::Map& map_;
  const std::uint32_t initiators_end_;
  const Decoded& decoded_;
  NiuCounters& counters_;
  std::array<RequestInitiator, regs::noc::kInitiators> initiators_;
  std::array<std::uint32_t, 32> config_words_{};  ///< from NIU_CFG_0 on
};

}  // namespace tvp::noc
