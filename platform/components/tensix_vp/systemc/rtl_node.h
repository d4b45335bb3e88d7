#pragma once

#include <tensix_vp/rtl/noc_node.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <systemc>
#include <tlm>
#include <utility>

#include "tensix_vp/systemc/rtl_parameters.h"

namespace tensix_vp {

/// A node of a NoC in RTL, for Board::node_memory() and Board::node_requests().
/// tensix_vp_add_rtl(KIND noc_node) makes the RTL.
///
/// The clock has its edges at multiples of the period. It stops while the RTL is not busy and no
/// request is open.
class RtlNode : public sc_core::sc_module {
 public:
  using Parameters = RtlParameters;

  RtlNode(const sc_core::sc_module_name& name, std::unique_ptr<rtl::NocNode> node,
          const Parameters& parameters);
  RtlNode(const sc_core::sc_module_name& name, std::unique_ptr<rtl::NocNode> node)
      : RtlNode(name, std::move(node), Parameters()) {}
  ~RtlNode() override;

  /// Requests that arrive, loosely or approximately timed; the address is the offset in the node. A
  /// transaction is cut into words of 64 bits, one after the other, and the call waits for the last
  /// response. Byte enables are strobes. No DMI and no debug access.
  tlm::tlm_target_socket<32, tlm::tlm_base_protocol_types, 1, sc_core::SC_ZERO_OR_MORE_BOUND>
      memory;
  /// Requests of the RTL, by b_transport: a word of 64 bits to read, or adjacent bytes of it to
  /// write. Other strobes, and error responses, set out_rsp_error.
  tlm_utils::simple_initiator_socket_optional<RtlNode> requests;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tensix_vp
