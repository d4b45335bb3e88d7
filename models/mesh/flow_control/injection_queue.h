#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/mesh/flow_control/arbitration.h"
#include "models/mesh/packet_pool.h"
#include "models/support/time.h"

namespace tvp::mesh {

/// The queue of an endpoint's packets in front of its router, and the credits of the client that
/// fills it. Packets that have not begun are in one queue, or in one for each traffic class if
/// classes have priorities. The packet that is being sent is in no queue.
class InjectionQueue {
 public:
  /// `credits`: capacity in packets, 0 for no limit.
  void init(unsigned credits, Arbitration arbitration,
            const std::array<std::uint8_t, kTrafficClasses>& weights);

  unsigned credits() const { return credits_; }
  void lift_limit();
  void take_credit() {
    if (has_limit_) --credits_;
  }
  void return_credit() {
    if (has_limit_) ++credits_;
  }

  bool empty() const { return being_sent_ == kNoPacket && waiting_ == 0; }
  /// The packet whose flits leave now or next.
  std::uint32_t front() const;
  void push_back(PacketPool& pool, std::uint32_t number);
  /// Inserts the packet before those that have not begun.
  void push_front(PacketPool& pool, std::uint32_t number);
  /// Takes the next flit of the first packet.
  Flit take_flit(PacketPool& pool, support::Cycle now);
  /// Stops sending the current packet, which is then in no queue.
  void interrupt() { being_sent_ = kNoPacket; }
  /// Removes the packets that have not begun and satisfy `goes(packet)`.
  template <typename Goes>
  std::vector<std::uint32_t> remove_if(PacketPool& pool, const Goes& goes);

  /// Numbers the injections and retries of the endpoint, for the order of the calendar.
  std::uint32_t next_sequence() { return sequence_++; }

 private:
  struct Queue {
    std::uint32_t first = kNoPacket;
    std::uint32_t last = kNoPacket;
  };
  unsigned class_of(const MeshPacket& packet) const { return by_class_ ? packet.traffic_class : 0; }

  unsigned credits_ = 0;
  bool has_limit_ = true;
  bool by_class_ = false;
  bool is_weighted_ = false;
  std::uint32_t being_sent_ = kNoPacket;
  std::array<Queue, kTrafficClasses> queues_;
  unsigned waiting_ = 0;  ///< one bit for each non-empty queue
  ClassTurn turn_;
  std::uint32_t sequence_ = 0;
};

template <typename Goes>
std::vector<std::uint32_t> InjectionQueue::remove_if(PacketPool& pool, const Goes& goes) {
  std::vector<std::uint32_t> removed;
  for (unsigned number = 0; number < kTrafficClasses; ++number) {
    Queue& queue = queues_[number];
    std::uint32_t before = kNoPacket;
    for (std::uint32_t i = queue.first; i != kNoPacket; i = pool[i].next) {
      if (!goes(pool[i].packet)) {
        before = i;
        continue;
      }
      (before == kNoPacket ? queue.first : pool[before].next) = pool[i].next;
      removed.push_back(i);
    }
    queue.last = before;
    if (queue.first == kNoPacket) waiting_ &= ~(1U << number);
  }
  return removed;
}

}  // namespace tvp::mesh
