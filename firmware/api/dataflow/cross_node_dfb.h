#pragma once
// Remote buffers of one program (tt-metal api/dataflow/cross_node_dfb.h), empty at each launch. The
// host creates them (CreateCrossNodeDFB of sw/runtime).

#include "dataflow/binding_tokens.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/remote_dfb_end.h"

namespace experimental {

class CrossNodeDFB : public tvp::remote_dfb::End {
 public:
  using RelayView = tvp::remote_dfb::RelayView;

  explicit CrossNodeDFB(uint8_t remote_dfb_id)
      : End(tvp::remote_dfb::launch_message().cross_node_dfb_offset, remote_dfb_id) {}

  /// Address of the next entry of a receiver.
  uint32_t get_write_ptr(uint32_t receiver = 0) const { return write_pointer(receiver); }
  uint32_t get_read_ptr() const { return read_pointer(); }
};

}  // namespace experimental
#endif
