#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "tensix_vp/systemc/ethernet.h"
#include "tensix_vp/systemc/timing.h"

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
  /// A node of a chip's NoCs, in NoC 0 coordinates.
  struct Node {
    unsigned chip = 0;
    unsigned x = 0;
    unsigned y = 0;
  };
  /// A range of the local bus of a Tensix tile.
  struct Devices {
    unsigned chip = 0;
    unsigned x = 0;  ///< NoC 0 coordinates
    unsigned y = 0;
    std::uint32_t base = 0x80000000;  ///< multiple of 4, from 0x01000000 on
    std::uint32_t bytes = 0x10000;    ///< multiple of 4, at most up to 0xFFB00000
  };
  /// An ethernet tile of a chip.
  struct EthernetChannel {
    unsigned chip = 0;
    unsigned channel = 0;
  };
  /// How foreign memories are called.
  using Timing = tensix_vp::Timing;
  struct Parameters {
    /// Name of a system (`tensix-vp list`) or path of a description.
    std::string system = "single_chip";
    /// Keys of `tensix-vp list` and their values, e.g. {"wave.file", "run.fst"}.
    std::vector<std::pair<std::string, std::string>> settings;
    /// Channels whose memories the user binds to dram().
    std::vector<DramChannel> foreign_dram;
    /// Nodes at which the user's modules replace a Tensix tile, or take a place without a tile.
    std::vector<Node> foreign_nodes;
    /// Tiles whose cores access modules of the user, one range for each tile.
    std::vector<Devices> foreign_devices;
    /// Ethernet tiles whose links the user binds to ethernet(). A link of the system that ends
    /// there is cut; its other end is unconnected unless it is listed, too.
    std::vector<EthernetChannel> foreign_links;
    /// True: the memory of the host is bound to `host_memory`. False: an access of host memory by
    /// firmware is a fault.
    bool foreign_host_memory = false;
    Timing foreign_timing = Timing::kApproximate;
    /// Largest transaction at dram() with kApproximate, in bytes: a power of two, or 0 for no
    /// limit. Memory controllers expect one burst. With kLoose a transaction is a NoC packet.
    unsigned foreign_dram_burst = 64;
  };

  /// Throws std::runtime_error that names the parameter, what was expected, and where it stands.
  Board(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit Board(const sc_core::sc_module_name& name) : Board(name, Parameters()) {}
  ~Board() override;

  /// The PCI Express bus: BAR 0 of device i begins at bar(i, 0). Loosely or approximately timed;
  /// any length and alignment within a BAR (BAR 2: aligned words), byte enables, debug. An access
  /// takes no simulated time besides its annotated delay. There is no DMI, since cores that poll a
  /// location wake at writes of it. It may stay unbound. Addresses outside of the BARs:
  /// TLM_ADDRESS_ERROR_RESPONSE.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND> pcie;
  /// Accesses of host memory by firmware through a PCI device; exists only with
  /// `foreign_host_memory`. The address is what the outbound iATU translates to.
  tlm::tlm_initiator_socket<>& host_memory(unsigned device = 0);
  /// Accesses of a channel of `foreign_dram`; addresses begin at 0.
  tlm::tlm_initiator_socket<>& dram(const DramChannel& channel);
  /// NoC requests of other tiles to a node of `foreign_nodes`; the address is the 36-bit offset in
  /// the node. Atomics are refused.
  tlm::tlm_initiator_socket<>& node_memory(const Node& node);
  /// Requests of the module at a node of `foreign_nodes`, loosely or approximately timed. The
  /// address is noc_address(). An access ends when the last packet is answered. Byte enables are
  /// refused.
  tlm::tlm_base_target_socket_b<>& node_requests(const Node& node);
  /// Loads and stores of the cores of a tile in its range of `foreign_devices`, as b_transport of
  /// aligned words. The address is the offset in the range. The core waits for the response; an
  /// error response is a firmware fault that names the core and the address. Accesses of the host
  /// to the range use transport_dbg.
  tlm::tlm_initiator_socket<>& device(const Node& tile);
  /// Address on node_requests() of an offset in the tile (x, y), in coordinates as software writes
  /// them on NoC 0 or 1.
  static std::uint64_t noc_address(unsigned x, unsigned y, std::uint64_t offset, unsigned noc = 0);

  /// The end of a link at a channel of `foreign_links` (EthernetTypes). Packets leave at the rate
  /// of the key `ethernet.line_bytes_per_ns`. A packet arrives when its last bit does; the time of
  /// the first bit only orders packets. Packets out of order, in the past or of a wrong form end
  /// the simulation with a report that names the socket and the time.
  EthernetPort ethernet(const EthernetChannel& at);

  /// Address on `pcie` of BAR 0, 2 or 4 of a device.
  static std::uint64_t bar(unsigned device, unsigned bar);
  /// Nothing is scheduled: only the host or a foreign module can change that.
  bool idle() const;
  /// A line for each packet under way, each core or unit that waits, and each request that a
  /// foreign module has not answered: why nothing happens any more.
  std::vector<std::string> waiting() const;
  /// The report of the run as JSON, as `tensix-vp run --report` writes it.
  std::string report() const;
  /// Hash over all memories that were touched, and the time.
  std::uint64_t digest() const;

 private:
  struct Parts;

  void start_of_simulation() override;
  void end_of_simulation() override;

  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
