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

/// A mesh of routers with a network interface at each: a target socket for requests into the
/// network, and an initiator socket for requests that arrive.
///
/// Simulated time is that of the SystemC kernel. Requests and responses are packets of flits. A
/// transaction is cut into packets, and each arrives as a transaction of its own.
class MeshNoc : public sc_core::sc_module {
 public:
  struct Node {
    unsigned x = 0;
    unsigned y = 0;
  };
  /// How the modules behind memory() are called.
  using Timing = tensix_vp::Timing;
  struct Parameters {
    unsigned width = 4;   ///< routers from west to east
    unsigned height = 4;  ///< routers from south to north
    unsigned clock_mhz = 1000;
    unsigned flit_bytes = 16;
    /// Most data of a packet.
    unsigned packet_bytes = 256;
    /// Most packets of a node without a response, for each destination. Further ones wait in the
    /// node, and so do those behind them.
    unsigned open_packets = 8;
    /// Nodes whose memory() the user binds; none: all nodes. Other nodes only send requests.
    std::vector<Node> targets;
    Timing timing = Timing::kApproximate;
    /// Other keys of the group `mesh` without the group, e.g. {"routing", "west_first"}.
    std::vector<std::pair<std::string, std::string>> settings;
  };

  /// Throws std::runtime_error that names the parameter or key and what was expected.
  MeshNoc(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit MeshNoc(const sc_core::sc_module_name& name) : MeshNoc(name, Parameters()) {}
  ~MeshNoc() override;

  /// Requests of the module at a node, loosely and approximately timed, of any length; byte
  /// enables, debug. The address is address(). It may stay unbound.
  ///
  /// b_transport returns when the last response packet has arrived. nb_transport: END_REQ when the
  /// last packet is in the injection queue, BEGIN_RESP when the last response packet has arrived.
  tlm::tlm_base_target_socket_b<>& requests(unsigned x, unsigned y);
  /// Requests of other nodes to the module at a node of Parameters::targets. The address is the
  /// 36-bit offset in the node.
  tlm::tlm_initiator_socket<>& memory(unsigned x, unsigned y);
  /// Address on requests() of an offset in the node (x, y).
  static std::uint64_t address(unsigned x, unsigned y, std::uint64_t offset);

  /// A line for each transaction without a response: why nothing happens any more.
  std::vector<std::string> waiting() const;

  struct Statistics {
    std::uint64_t packets = 0;  ///< delivered, requests and responses
    std::uint64_t flits = 0;    ///< delivered
    std::uint64_t hops = 0;     ///< routers that delivered packets have passed
    std::uint64_t retries = 0;  ///< packets that were sent again
    std::uint64_t lost = 0;     ///< packets
  };
  Statistics statistics() const;

 private:
  struct Parts;
  void end_of_simulation() override;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
