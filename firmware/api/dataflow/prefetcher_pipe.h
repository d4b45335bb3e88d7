#pragma once
// Pipes (tt-metal api/dataflow/prefetcher_pipe.h): remote buffers over several programs, each of
// which continues where the previous one stopped. The host creates them (PrefetcherPipeSpace of
// sw/runtime) and passes a number or a name of each to the kernels.

#include "dataflow/binding_tokens.h"
#if !defined(COMPILE_FOR_TRISC)
#include "dataflow/remote_dfb_end.h"

namespace experimental {

class PrefetcherPipe : public tvp::remote_dfb::End {
 public:
  using RelayView = tvp::remote_dfb::RelayView;

  explicit PrefetcherPipe(uint8_t prefetcher_pipe_id)
      : End(tvp::remote_dfb::launch_message().prefetcher_pipe_offset, prefetcher_pipe_id) {}
  explicit PrefetcherPipe(PrefetcherPipeBindingToken named)
      : PrefetcherPipe(named.prefetcher_pipe_id()) {}
  ~PrefetcherPipe() { commit(); }

  /// Stores this end's position in L1.
  void commit() const { leave_pointer(); }

  /// Sender: sets the size of later entries.
  void set_entry_size(uint32_t entry_size) {
    TVP_CHECK(sends());
    resize(entry_size, noc_index);
  }
  /// Receiver: sets the size of later entries. It has popped all earlier ones.
  void set_receiver_entry_size(uint32_t entry_size) {
    TVP_CHECK(!sends());
    resize(entry_size, noc_index);
  }
  /// Front of the ring.
  CoreLocalMem<uint32_t> get_read_ptr() const { return CoreLocalMem<uint32_t>(read_pointer()); }
};

}  // namespace experimental

namespace tvp::noc_args {
struct Receiver {
  uint32_t receiver_idx = 0;
  uint32_t offset_bytes = 0;
};
}  // namespace tvp::noc_args

/// As a destination, the next entry of one receiver.
template <>
struct noc_traits_t<experimental::PrefetcherPipe> {
  using dst_args_type = tvp::noc_args::Receiver;
  static uint64_t destination(const experimental::PrefetcherPipe& pipe, const dst_args_type& args,
                              uint8_t noc) {
    return pipe.next_entry(args.receiver_idx, noc) + args.offset_bytes;
  }
};

#endif
