#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/host/host_memory.h"
#include "models/host/outbound_iatu.h"
#include "models/support/calendar_block.h"
#include "models/support/foreign_memory.h"

namespace tvp::host {

/// Memory of the host as a module of the user, bound to `memory`. Data and times are the module's.
/// The methods of HostMemory use its debug interface, in no simulated time.
class ForeignHostMemory : public HostMemory, private support::ForeignMemory::Client {
 public:
  /// Receives the answers of timed reads.
  class Reader {
   public:
    virtual ~Reader() = default;
    /// The memory has answered at cycle `at`, and the last byte of the payload is there at `done`;
    /// the response status is set.
    virtual void read_done(tlm::tlm_generic_payload& payload, support::Cycle at,
                           support::Cycle done) = 0;
  };

  ForeignHostMemory(const sc_core::sc_module_name& name, support::CalendarBlock& block,
                    Reader& reader, support::ForeignMemory::Timing timing);

  support::ForeignMemory memory;

  bool available() const override { return true; }
  void read(std::uint64_t address, std::uint8_t* data, std::uint32_t bytes) override;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint32_t bytes) override;

  /// Timed accesses of the payload's bytes, of which `parts` are the places in the host's memory.
  /// The bytes of a read take `transfer` cycles from the memory's answer on. A write takes a copy
  /// of the bytes, and the tile ignores its response.
  void read(tlm::tlm_generic_payload& payload, const std::vector<OutboundIatu::Target>& parts,
            support::Cycle at, support::Cycle transfer);
  void write(const tlm::tlm_generic_payload& payload,
             const std::vector<OutboundIatu::Target>& parts, support::Cycle at);

 private:
  /// A timed access, until the last response of its parts.
  struct Access {
    tlm::tlm_generic_payload* payload = nullptr;  ///< null for a write
    std::vector<std::uint8_t> data;               ///< copy of a write
    std::vector<std::uint8_t> enables;            ///< copy of a write; empty: all bytes
    std::size_t open = 0;                         ///< parts without a response
    support::Cycle at = 0;                        ///< cycle of the last response
    support::Cycle transfer = 0;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  };
  Access& make(std::size_t parts);
  void taken(void*, const sc_core::sc_time&) override {}
  void answered(void* token, tlm::tlm_response_status status, const sc_core::sc_time& at) override;

  support::CalendarBlock& block_;
  Reader& reader_;
  std::vector<std::unique_ptr<Access>> accesses_;
  std::vector<Access*> free_;
};

}  // namespace tvp::host
