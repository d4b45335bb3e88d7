#pragma once

#include <tlm_utils/passthrough_target_socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "foundation/fault.h"
#include "foundation/regs/overlay.h"
#include "models/noc/noc_config.h"
#include "models/support/bus_access.h"
#include "models/support/probe.h"
#include "models/support/watch.h"

namespace tvp::noc {

/// The NoC overlay's stream registers as general-purpose MMIO of idle streams: storage, and credit
/// counters with atomic add (ISA NoC/Overlay/AsGeneralUse.md). Streams never run: what would start
/// one stops the simulation by name.
class Overlay : public sc_core::sc_module {
 public:
  /// `ethernet`: 32 streams with the capabilities of an ethernet tile, otherwise 64 of a Tensix.
  Overlay(const sc_core::sc_module_name& name, const NocConfig& config, bool ethernet,
          support::WatchHub& watches, foundation::FaultPolicy& faults, std::string where);

  /// Addresses are offsets from regs::overlay::kBase. Accesses are 4 bytes with a BusAccess.
  tlm_utils::passthrough_target_socket<Overlay> regs;

  unsigned streams() const { return static_cast<unsigned>(streams_.size()); }
  std::uint32_t peek(std::uint32_t stream, std::uint32_t index) const;
  /// Gets each change of the first space counter and of the two registers that writing it goes
  /// through.
  void set_observer(support::Probe::Listener* observer) { observer_ = observer; }
  /// Where reads and writes of the counts of circular buffers are reported; null: nowhere.
  void set_probe(const support::Probe* probe) { probe_ = probe; }

 private:
  static constexpr unsigned kRegisters = 256;
  static constexpr unsigned kSpaceCounters = 32;

  using Registers = std::array<std::uint32_t, kRegisters>;
  static constexpr Registers kUnwritten{};

  /// The optional registers of a stream (ISA NoC/Overlay/README.md). Memory is allocated at the
  /// first write, since most streams are never used.
  struct Stream {
    bool gathers = false;
    bool multicasts = false;
    bool writes_dram = false;
    std::unique_ptr<Registers> written{};
    const Registers* value = &kUnwritten;
    std::uint32_t operator[](std::size_t index) const { return (*value)[index]; }
    Registers& change() {
      if (!written) value = (written = std::make_unique<Registers>()).get();
      return *written;
    }
    unsigned space_counters() const { return multicasts ? kSpaceCounters : 1; }
  };

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool read(const Stream& stream, std::uint32_t index, std::uint32_t& value) const;
  bool write(Stream& stream, std::uint32_t index, std::uint32_t value);
  void add_space(Stream& stream, std::uint32_t value);
  /// Bits that a plain register keeps; 0 when the stream lacks it, negative when it is no such one.
  std::int64_t width_mask(const Stream& stream, std::uint32_t index) const;
  support::ProbeEvent event_of(support::ProbeEvent::Kind kind, unsigned stream, unsigned index,
                               const support::BusAccess& bus) const;
  void show(unsigned stream, unsigned index, const support::BusAccess& bus) const;
  void report(support::ProbeEvent::Kind kind, unsigned stream, unsigned index,
              const support::BusAccess& bus) const;
  [[noreturn]] void unmodelled(const std::string& text) const;

  const NocConfig& config_;
  const bool ethernet_;
  support::WatchHub& watches_;
  foundation::FaultPolicy& faults_;
  const std::string where_;
  std::vector<Stream> streams_;
  support::Probe::Listener* observer_ = nullptr;
  const support::Probe* probe_ = nullptr;
};

}  // namespace tvp::noc
