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

/// The two tori of a Wormhole without its tiles. Every node has a NIU on each NoC, a target socket
/// for requests into the network, and an initiator socket for requests that arrive.
///
/// Simulated time is that of the SystemC kernel. NoC 0 routes right, then down; NoC 1 left and up.
class TorusNoc : public sc_core::sc_module {
 public:
  /// A node, in coordinates of NoC 0.
  struct Node {
    unsigned x = 0;
    unsigned y = 0;
  };
  /// How the modules behind memory() are called.
  using Timing = tensix_vp::Timing;
  struct Parameters {
    unsigned columns = 4;  ///< 1 to 16
    unsigned rows = 4;     ///< 1 to 16
    unsigned clock_mhz = 1000;
    /// Nodes whose memory() the user binds; none: all nodes. Other nodes only send requests.
    std::vector<Node> targets;
    Timing timing = Timing::kApproximate;
    /// Keys of a group of `tensix-vp list` without the group: {"torus", "fast"} for `noc.torus`.
    std::vector<std::pair<std::string, std::string>> settings;
  };

  /// Throws std::runtime_error that names the parameter or key and what was expected.
  TorusNoc(const sc_core::sc_module_name& name, const Parameters& parameters);
  explicit TorusNoc(const sc_core::sc_module_name& name) : TorusNoc(name, Parameters()) {}
  ~TorusNoc() override;

  /// Requests of the module at a node, loosely or approximately timed, of any length; debug. The
  /// address is address(). It may stay unbound. An access ends when its last packet is answered.
  /// Byte enables are refused.
  tlm::tlm_base_target_socket_b<>& requests(unsigned x, unsigned y);
  /// Requests of other nodes to the module at a node of Parameters::targets. The address is the
  /// 36-bit offset in the node.
  tlm::tlm_initiator_socket<>& memory(unsigned x, unsigned y);
  /// Address on requests() of an offset in the node (x, y), in coordinates of that NoC: NoC 1
  /// numbers columns and rows from the opposite corner.
  static std::uint64_t address(unsigned x, unsigned y, std::uint64_t offset, unsigned noc = 0);

  /// A line for each packet under way, each unit that waits, and each request that a module has not
  /// answered: why nothing happens any more.
  std::vector<std::string> waiting() const;

  struct Statistics {
    std::uint64_t packets = 0;  ///< delivered, requests and responses
  };
  /// Counts of one NoC.
  Statistics statistics(unsigned noc) const;

 private:
  struct Parts;
  void end_of_simulation() override;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
