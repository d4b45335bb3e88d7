// Sender: writes blocks from the ring to the receivers, to each its columns of every row.

#include "firmware/kernels/prefetcher/credits.h"
#include "firmware/kernels/prefetcher/fifo.h"
#include "firmware/kernels/prefetcher/gate.h"
#include "firmware/kernels/prefetcher/shapes.h"
#include "firmware/kernels/prefetcher/stopwatch.h"

using namespace tvp::kernels::prefetcher;

namespace {

constexpr bool kSkips = get_compile_time_arg_val(kSkipCounters) != 0;
constexpr bool kIds = get_compile_time_arg_val(kWriteIds) != 0;
constexpr bool kStreams = get_compile_time_arg_val(kStreamCredits) != 0;
constexpr bool kIsCompact = get_compile_time_arg_val(kCompact) != 0;
constexpr bool kPauses = get_compile_time_arg_val(kPausable) != 0;
/// True for features that the API does not have.
constexpr bool kOwnWay = kIds || kStreams || kIsCompact;

using Credits = std::conditional_t<kStreams, StreamedCredits, CountedCredits>;

uint32_t no_block = 0;
uint32_t no_room = 0;
uint32_t not_sent = 0;
uint32_t paused = 0;
[[maybe_unused]] PrefetcherGate gate;
uint32_t paused_id = 0;  ///< with kIds: id of a block whose writes may still be leaving

RemoteSenderCBInterface& remote() { return get_remote_sender_cb_interface(kRemote); }

/// Writes that may still be leaving when a pause begins; their block keeps its place.
void await_leaving() {
  if (kIds && paused_id != 0) noc_async_write_flushed_with_trid(paused_id);
}

/// Waits until all receivers have room.
void wait_for_room(const RemoteSenderCBInterface& cb, uint32_t bytes) {
  for (uint32_t i = 0; i < cb.num_receivers; ++i) {
    while (!Credits::has_room(cb, i, bytes / tvp::contract::kRemoteCbUnit)) {
      if constexpr (kPauses) wait_while_paused(gate, paused, await_leaving);
    }
  }
}

void begin(const TensorShape& shape) {
  if constexpr (!kOwnWay) {
    experimental::resize_remote_sender_cb_interface<true>(kRemote, shape.part_bytes(), noc_index);
  } else {
    RemoteSenderCBInterface& cb = remote();
    const uint32_t skipped = begin_tensor<kIsCompact>(cb, cb.fifo_wr_ptr, shape.part_bytes());
    if (skipped == 0) return;
    // A register that counts room cannot go below zero.
    wait_for_room(cb, skipped);
    for (uint32_t i = 0; i < cb.num_receivers; ++i)
      Credits::sent(cb, i, tvp::remote_cb::receiver_xy(cb, i, noc_index), skipped);
  }
}

void reserve() {
  if constexpr (!kOwnWay && !kPauses) {
    experimental::remote_cb_reserve_back(kRemote, 1);
  } else {
    wait_for_room(remote(), tvp::remote_cb::extent(remote(), remote().fifo_wr_ptr, 1));
  }
}

/// Pushes like the API, but with other counters.
void push_own_way(const TensorShape& shape, uint32_t from) {
  RemoteSenderCBInterface& cb = remote();
  const uint32_t packet = shape[kPacketBytes];
  const uint32_t packets = shape[kPackets];
  const uint32_t rows = shape[kBlockRows];
  const uint32_t row = packet * packets * cb.num_receivers;
  const uint32_t begin = cb.fifo_wr_ptr;
  const uint32_t bytes = advance<kIsCompact>(cb, cb.fifo_wr_ptr, shape.part_bytes());
  for (uint32_t i = 0; i < cb.num_receivers; ++i) {
    const uint32_t xy = tvp::remote_cb::receiver_xy(cb, i, noc_index);
    noc_async_write_one_packet_set_state<kSkips>(get_noc_addr_helper(xy, 0), packet);
    uint32_t to = begin;
    uint32_t from_row = from + i * packet * packets;
    for (uint32_t h = 0; h < rows; ++h, from_row += row) {
      uint32_t part = from_row;
      for (uint32_t w = 0; w < packets; ++w, part += packet, to += packet)
        ncrisc_noc_write_with_state<kSkips, !kIds>(noc_index, write_cmd_buf, part, to);
    }
    Credits::sent(cb, i, xy, bytes);
  }
}

void push(const TensorShape& shape, uint32_t from) {
  if constexpr (!kOwnWay) {
    experimental::remote_cb_push_back_and_write_pages<kSkips>(kRemote, from, 1, shape[kBlockRows],
                                                              shape[kPackets], shape[kPacketBytes]);
  } else {
    push_own_way(shape, from);
  }
}

/// Waits until the counted writes have left L1.
void flush() {
  if constexpr (kSkips) {
    noc_async_posted_writes_flushed();
  } else {
    noc_async_writes_flushed();
  }
}

/// Frees the place of the block with this transaction id when its writes have left.
void release(uint32_t id) {
  timed(not_sent, [&] { noc_async_write_flushed_with_trid(id); });
  cb_pop_front(kBlocks, 1);
}

}  // namespace

void kernel_main() {
  volatile uint32_t* stats = stats_at(get_arg_val<uint32_t>(kSenderStats));
  stats[kWriterBegin] = c_tensix_core::read_wall_clock_l();
  const uint32_t control = get_arg_val<uint32_t>(kControl);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  const uint32_t blocks = common(kRingSize);
  if constexpr (kPauses) gate.begin(control, PrefetcherGate::End::kWriter);
  Credits::init(remote());

  const uint32_t ring = get_read_ptr(kBlocks);
  const uint32_t slot_bytes = get_local_cb_interface(kBlocks).fifo_page_size;
  const uint32_t places = common(kPlaces);
  uint32_t slot = 0;
  uint32_t id_under_way =
      0;  // id of the previous block, with kIds; its place in the ring is still in use
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
      const TensorShape shape(tensor);
      begin(shape);
      for (uint32_t block = 0; block < blocks; ++block) {
        if constexpr (kPauses) {
          paused_id = id_under_way;
          wait_while_paused(gate, paused, await_leaving);
        }
        // Frees the place for the reader when there is no other work.
        if (kIds && id_under_way != 0 && !cb_pages_available_at_front(kBlocks, 2)) {
          release(id_under_way);
          id_under_way = 0;
        }
        if constexpr (kPauses) {
          paused_id = id_under_way;
          const auto has_block = [&] {
            return cb_pages_available_at_front(kBlocks, id_under_way != 0 ? 2 : 1);
          };
          wait_with_pauses(gate, no_block, paused, has_block, await_leaving);
          const uint32_t before = paused;
          timed(no_room, [] { reserve(); });
          no_room -= paused - before;
        } else {
          timed(no_block, [&] { cb_wait_front(kBlocks, id_under_way != 0 ? 2 : 1); });
          timed(no_room, [] { reserve(); });
        }
        if constexpr (kIds) noc_async_write_set_trid(slot + 1);
        push(shape, ring + slot * slot_bytes);
        if constexpr (kIds) {
          if (id_under_way != 0) release(id_under_way);
          id_under_way = slot + 1;
        } else {
          timed(not_sent, [] { flush(); });
          cb_pop_front(kBlocks, 1);
        }
        slot = slot + 1 == places ? 0 : slot + 1;
      }
    }
  }
  if constexpr (kIds) {
    release(id_under_way);
    noc_async_write_set_trid(0);
  } else {
    // Does not wait for reads, because the reader's reads use the same NoC.
    noc_async_posted_writes_flushed();
    noc_async_write_barrier();
    noc_async_atomic_barrier();
  }
  experimental::update_remote_cb_config_in_l1(kRemote);
  stats[kWriterNoBlock] = no_block;
  stats[kWriterNoRoom] = no_room;
  stats[kWriterNotSent] = not_sent;
  stats[kWriterPaused] = paused;
  if constexpr (kPauses) gate.end();
  stats[kWriterEnd] = c_tensix_core::read_wall_clock_l();
}
