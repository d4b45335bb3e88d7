// Receiver: activations travel around the ring. A core sends its own shard, then forwards the
// shards that arrive. It frees a place for its neighbor when the unpackers have taken the shard and
// it was forwarded.

#include "api/dataflow/dataflow_api.h"
#include "firmware/kernels/prefetcher/shapes.h"

using namespace tvp::kernels::prefetcher;

namespace {

/// Places for shards, used one after the other.
class Places {
 public:
  Places(uint32_t first, uint32_t bytes, uint32_t count)
      : first_(first), end_(first + bytes * count), bytes_(bytes), next_(first) {}
  uint32_t take() {
    const uint32_t place = next_;
    next_ += bytes_;
    if (next_ == end_) next_ = first_;
    return place;
  }

 private:
  uint32_t first_, end_, bytes_, next_;
};

/// The exchange between neighbors of a ring: shards go in one direction, credits for freed tiles in
/// the other. All cores wait for the work that follows an arrival, so everything else is done
/// before it.
class Ring {
 public:
  Ring()
      : arrived_(reinterpret_cast<volatile uint32_t*>(get_semaphore(kArrived))),
        taken_(reinterpret_cast<volatile uint32_t*>(get_semaphore(kTaken))),
        next_(get_noc_addr(get_arg_val<uint32_t>(kNextX), get_arg_val<uint32_t>(kNextY), 0)),
        next_arrived_(next_ + get_semaphore(kArrived)),
        previous_taken_(get_noc_addr(get_arg_val<uint32_t>(kPreviousX),
                                     get_arg_val<uint32_t>(kPreviousY), get_semaphore(kTaken))),
        shard_tiles_(common(kShardTiles)),
        sent_to_(get_write_ptr(kGathered), shard_bytes(), common(kGatheredShards)),
        received_in_(get_write_ptr(kGathered), shard_bytes(), common(kGatheredShards)),
        awaited_(0 - shard_tiles_ * common(kGatheredShards)) {}

  /// Sends a shard of `bytes` to the next core when that has room.
  void send(uint32_t from, uint32_t bytes) {
    awaited_ += shard_tiles_;
    if (static_cast<int32_t>(awaited_) > 0) noc_semaphore_wait_min(taken_, awaited_);
    noc_async_write(from, next_ + sent_to_.take(), bytes);
    noc_semaphore_inc(next_arrived_, 1);
  }
  /// Waits for a shard and pushes it to the unpackers. Returns its address.
  uint32_t receive() {
    // Reserves two places before waiting for the next shard. Otherwise the cores could wait for
    // each other in a circle.
    cb_reserve_back(kGathered, 2 * shard_tiles_);
    const uint32_t free = pushed_ - tvp::cb::occupied(kGathered);
    noc_async_writes_flushed();
    if (free != given_back_) {
      noc_semaphore_inc(previous_taken_, free - given_back_);
      given_back_ = free;
    }
    noc_semaphore_wait_min(arrived_, ++received_);
    cb_push_back(kGathered, shard_tiles_);
    pushed_ += shard_tiles_;
    return received_in_.take();
  }

  /// Waits for a shard and forwards it. For a core between two others of the ring.
  void pass_on(uint32_t bytes) {
    noc_semaphore_wait_min(arrived_, ++received_);
    send(received_in_.take(), bytes);
    // The place is free when the shard has left.
    noc_async_writes_flushed();
    noc_semaphore_inc(previous_taken_, shard_tiles_);
  }

 private:
  uint32_t shard_bytes() const { return shard_tiles_ * get_tile_size(kGathered); }

  volatile uint32_t* arrived_;
  volatile uint32_t* taken_;
  uint64_t next_, next_arrived_, previous_taken_;
  uint32_t shard_tiles_;
  Places sent_to_, received_in_;
  uint32_t awaited_;  ///< tiles that the next core must have taken
  uint32_t received_ = 0, pushed_ = 0, given_back_ = 0;
};

}  // namespace

void kernel_main() {
  Ring ring;
  const bool is_hop = get_arg_val<uint32_t>(kIsHop) != 0;
  const uint32_t own = get_read_ptr(kActivation);
  const uint32_t tile = get_tile_size(kActivation);
  const uint32_t cores = common(kRingSize);
  const uint32_t layers = common(kLayers);
  const uint32_t tensors = common(kTensors);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    for (uint32_t tensor = 0; tensor < tensors; ++tensor) {
      const uint32_t bytes = TensorShape(tensor)[kBlockRows] * common(kRowTiles) * tile;
      uint32_t from = own;
      for (uint32_t step = 0; step + 1 < cores; ++step) {
        if (is_hop) {
          ring.pass_on(bytes);
          continue;
        }
        ring.send(from, bytes);
        from = ring.receive();
      }
    }
  }
  noc_async_full_barrier();
}
