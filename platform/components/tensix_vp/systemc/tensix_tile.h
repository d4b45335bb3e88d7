#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "tensix_vp/systemc/timing.h"

namespace tensix_vp {

/// A Tensix tile without a chip: five RISC-V cores, coprocessor, L1, mover and two NIUs.
///
/// The tile runs in the time of the SystemC kernel. A firmware fault ends sc_start() with an
/// SC_REPORT_ERROR of the message type "/tensix_vp"; warnings are SC_REPORT_WARNINGs of the same
/// type.
class TensixTile : public sc_core::sc_module {
 public:
  /// How the module at noc_memory() is called.
  using Timing = tensix_vp::Timing;
  struct Parameters {
    /// Name of a system (`tensix-vp list`) or path of a description. The tile is one of its first
    /// chip.
    std::string system = "single_chip";
    /// Place in the chip, in NoC 0 coordinates.
    unsigned x = 1;
    unsigned y = 1;
    /// Keys of `tensix-vp list` and their values, e.g. {"riscv.multiply_cycles", "3"}.
    std::vector<std::pair<std::string, std::string>> settings;
    Timing noc_timing = Timing::kLoose;
    /// The range of the local bus behind device(): whole words within [0x01000000, 0xFFB00000).
    std::uint32_t device_base = 0x80000000;
    std::uint32_t device_bytes = 0;  ///< 0: no devices
  };

  /// Throws std::runtime_error that names the parameter and what was expected.
  TensixTile(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit TensixTile(const sc_core::sc_module_name& name) : TensixTile(name, Parameters()) {}
  ~TensixTile() override;

  /// The local address space, as the NoC sees it: L1 from 0 on, registers from 0xFF000000 on.
  /// Loosely or approximately timed. L1 takes any length and alignment, registers aligned words.
  /// An access takes no simulated time besides its annotated delay. It may stay unbound.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> local;
  /// Requests of the tile's NIUs to other nodes. The address is Board::noc_address() with the
  /// coordinates of the target on the NoC of the request. Multicasts and atomics are refused.
  tlm::tlm_initiator_socket<>& noc_memory();
  /// Requests that arrive from the NoC. The address is Board::noc_address() of the tile, or the
  /// offset alone. An access ends when its last packet is answered. Byte enables are refused.
  tlm::tlm_base_target_socket_b<>& noc_requests();
  /// Loads and stores of the cores in the range of the devices, as b_transport of aligned words.
  /// The address is the offset in the range; the core waits for the response.
  tlm::tlm_initiator_socket<>& device();

  /// Nothing is scheduled: only another module can change that.
  bool idle() const;
  /// A line for each packet under way, each unit that waits, and each request that a bound module
  /// has not answered.
  std::vector<std::string> waiting() const;

 private:
  class Parts;

  void start_of_simulation() override;
  void end_of_simulation() override;

  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
