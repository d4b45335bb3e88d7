#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

namespace tensix_vp {

/// A system of Tensix chips: one chip, a board or several boards with their ethernet links.
///
/// Simulated time is that of the SystemC kernel. The board is constructed during elaboration and
/// runs in sc_start(). A firmware fault ends sc_start() with an SC_REPORT_ERROR of the message type
/// "/tensix_vp"; warnings about firmware are SC_REPORT_WARNINGs of the same type.
class Board : public sc_core::sc_module {
 public:
  /// A channel of a group of DRAM tiles.
  struct DramChannel {
    unsigned chip = 0;
    unsigned group = 0;
    unsigned channel = 0;
  };
  /// How foreign memories are called.
  enum class Timing {
    kApproximate,  ///< nb_transport: BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP
    kLoose,        ///< b_transport, several calls at once, each in a thread of its own
  };
  struct Parameters {
    /// Name of a system (`tensix-vp list`) or path of a description.
    std::string system = "single_chip";
    /// Keys of `tensix-vp list` and their values, e.g. {"wave.file", "run.fst"}.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Channels whose memories the user binds to dram().
    std::vector<DramChannel> foreign_dram;
    /// True: the memory of the host is bound to `host_memory`. False: an access of host memory by
    /// firmware is a fault.
    bool foreign_host_memory = false;
    Timing foreign_timing = Timing::kApproximate;
  };

  /// Throws std::runtime_error that names the parameter, what was expected, and where it stands.
  Board(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit Board(const sc_core::sc_module_name& name) : Board(name, Parameters()) {}
  ~Board() override;

  /// The PCI Express bus: BAR 0 of device i begins at bar(i, 0). Loosely or approximately timed;
  /// any length and alignment within a BAR (BAR 2: aligned words), byte enables, debug. An access
  /// takes no simulated time besides its annotated delay. There is no DMI, since cores that poll a
  /// location wake at writes of it. Addresses outside of the BARs: TLM_ADDRESS_ERROR_RESPONSE.
  tlm_utils::simple_target_socket<Board> pcie;
  /// Accesses of host memory by firmware through a PCI device; exists only with
  /// `foreign_host_memory`. The address is what the outbound iATU translates to.
  tlm::tlm_initiator_socket<>& host_memory(unsigned device = 0);
  /// Accesses of a channel of `foreign_dram`; addresses begin at 0.
  tlm::tlm_initiator_socket<>& dram(const DramChannel& channel);

  /// Address on `pcie` of BAR 0, 2 or 4 of a device.
  static std::uint64_t bar(unsigned device, unsigned bar);
  /// Nothing is scheduled: only the host or a foreign module can change that.
  bool idle() const;
  /// The report of the run as JSON, as `tensix-vp run --report` writes it.
  std::string report() const;
  /// Hash over all memories that were touched, and the time.
  std::uint64_t digest() const;

 private:
  struct Parts;

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  bool access(tlm::tlm_generic_payload& payload);
  void start_of_simulation() override;
  void end_of_simulation() override;

  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
