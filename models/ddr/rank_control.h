#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/ddr/ca_bus.h"

namespace tvp::ddr {

/// How a barrier of the ranks of a channel is made of words on the CA bus.
enum class BarrierScheme : std::uint8_t {
  kController,  ///< the controller collects the requests and releases all with one broadcast word
  kBroadcasts,  ///< every rank's arrival is broadcast to all others: one message a rank
};

/// Control messages between the ranks of a channel. A rank cannot drive the CA bus: it raises its
/// request line, the controller reads the message over a side path of fixed delay (assumed) and
/// speaks it on the CA bus as PIM words, to the ranks whose chip selects it asserts. A message is a
/// header word (kind, source, length) and a word for every two bytes.
///
/// Calls are made in order of `earliest`. Messages between channels do not exist: a CA bus is of
/// one channel.
class RankControl {
 public:
  static constexpr unsigned kBytesAWord = 2;

  struct Message {
    unsigned source = 0;
    std::vector<std::uint8_t> data;
    MemCycle delivered = 0;  ///< last word understood
  };
  /// Ranks that wait for each other, and how many of them are there. Several may be under way on
  /// one bus; their words carry which one it is.
  struct Gathering {
    std::uint32_t ranks = 0;
    std::uint32_t arrived = 0;
    MemCycle latest = 0;  ///< of the barrier under way: latest word or request so far
  };
  struct Stats {
    std::uint64_t messages = 0;
    std::uint64_t broadcasts = 0;  ///< of these, to all other ranks
    std::uint64_t bytes = 0;
    std::uint64_t barriers = 0;
  };

  /// `request_cycles`: request line to the controller's first slot; `mailbox_bytes`: longest
  /// message. `where` names the channel in faults.
  RankControl(CaBus& bus, MemCycle request_cycles, unsigned mailbox_bytes, std::string where,
              foundation::FaultPolicy& faults);

  /// To the ranks whose bits are set in `ranks`. Returns when the last word is understood. A fault
  /// when a rank does not exist, the source is among them, or the message is longer than a mailbox.
  MemCycle send(unsigned source, std::uint32_t ranks, const std::uint8_t* data, std::size_t bytes,
                MemCycle earliest);
  /// The same without the bytes, for whoever moves them: only words and times.
  MemCycle carry(unsigned source, std::uint32_t ranks, std::size_t bytes, MemCycle earliest);
  MemCycle broadcast(unsigned source, const std::uint8_t* data, std::size_t bytes,
                     MemCycle earliest);
  /// The oldest message that `rank` has got by `now`.
  std::optional<Message> receive(unsigned rank, MemCycle now);

  /// `rank` is at the barrier. When it is the last, returns the cycle at which all may go on.
  std::optional<MemCycle> arrive(unsigned rank, BarrierScheme scheme, MemCycle earliest);

  /// The same of some of the ranks.
  std::optional<MemCycle> arrive(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                                 MemCycle earliest);
  /// Its first half: when the controller knows that all are there. With kBroadcasts the ranks know
  /// as well.
  std::optional<MemCycle> gather(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                                 MemCycle earliest);
  /// One word to these ranks: they may go on when it is understood, which is returned.
  MemCycle release(std::uint32_t ranks, MemCycle earliest);

  unsigned ranks() const { return bus_.ranks(); }
  const Stats& stats() const { return stats_; }

 private:
  bool fail(const std::string& text);
  bool sound(unsigned source, std::uint32_t ranks, std::size_t bytes);
  std::uint32_t all_but(unsigned rank) const { return ((1U << ranks()) - 1) & ~(1U << rank); }

  CaBus& bus_;
  const MemCycle request_cycles_;
  const unsigned mailbox_bytes_;
  std::string where_;
  foundation::FaultPolicy& faults_;
  std::vector<std::deque<Message>> mailboxes_;
  Gathering all_;  ///< of all ranks
  Stats stats_;
};

}  // namespace tvp::ddr
