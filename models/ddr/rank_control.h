#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/ddr/ca_bus.h"

namespace tvp::ddr {

/// The way in which words on the CA bus form a barrier of the ranks of a channel.
enum class BarrierScheme : std::uint8_t {
  /// The controller collects the requests and releases all ranks with one broadcast word.
  kController,
  kBroadcasts,  ///< every arrival is broadcast to all other ranks: one message for each rank
};

/// Control messages between the ranks of a channel. A rank cannot drive the CA bus. It raises its
/// request line, and the controller reads the message over a side path with a fixed delay
/// (assumed). The controller then sends it on the CA bus as PIM words to the ranks whose chip
/// selects it asserts. A message is a header word (kind, source, length) and a word for every two
/// bytes.
///
/// Calls come in order of `earliest`. Messages stay within a channel, since a CA bus belongs to one
/// channel.
class RankControl {
 public:
  static constexpr unsigned kBytesAWord = 2;

  struct Message {
    unsigned source = 0;
    std::vector<std::uint8_t> data;
    MemCycle delivered = 0;  ///< cycle at which the rank has decoded the last word
  };
  /// The ranks of a barrier and its arrivals. Several barriers may be in progress on one bus; their
  /// words carry the number.
  struct Gathering {
    std::uint32_t ranks = 0;
    std::uint32_t arrived = 0;
    MemCycle latest = 0;                       ///< latest word or request of the current barrier
    unsigned place = ExternalCaBus::kNoPlace;  ///< in an external controller
  };
  struct Stats {
    std::uint64_t messages = 0;    ///< mailbox messages, arrivals that are broadcast, and releases
    std::uint64_t broadcasts = 0;  ///< messages that went to all other ranks
    std::uint64_t bytes = 0;       ///< without header words; arrivals and releases have no others
    std::uint64_t barriers = 0;
    std::vector<std::uint64_t> deliveries;  ///< index: rank; messages that it has received
  };

  /// `request_cycles`: from the request line to the controller's first slot. `mailbox_bytes`:
  /// longest message. `where` names the channel in faults.
  RankControl(CaBus& bus, MemCycle request_cycles, unsigned mailbox_bytes, std::string where,
              foundation::FaultPolicy& faults);

  /// Sends a message to the ranks whose bits are set in `ranks`. Returns the cycle at which they
  /// have decoded the last word. Raises a fault if a rank does not exist, the source is among them,
  /// or the message is longer than a mailbox.
  MemCycle send(unsigned source, std::uint32_t ranks, const std::uint8_t* data, std::size_t bytes,
                MemCycle earliest);
  /// Like send(), but for callers that move the bytes elsewhere: only words and times.
  MemCycle carry(unsigned source, std::uint32_t ranks, std::size_t bytes, MemCycle earliest);
  MemCycle broadcast(unsigned source, const std::uint8_t* data, std::size_t bytes,
                     MemCycle earliest);
  /// The oldest message that `rank` has received by `now`.
  std::optional<Message> receive(unsigned rank, MemCycle now);

  /// `rank` arrives at the barrier. For the last rank, returns the cycle at which all may continue.
  std::optional<MemCycle> arrive(unsigned rank, BarrierScheme scheme, MemCycle earliest);

  /// The same for a barrier of some ranks.
  std::optional<MemCycle> arrive(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                                 MemCycle earliest);
  /// First half of arrive(): returns the cycle at which the controller knows that all have arrived.
  /// With kBroadcasts the ranks know it too.
  std::optional<MemCycle> gather(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                                 MemCycle earliest);
  /// Sends one word to these ranks. Returns the cycle at which they have decoded it and may
  /// continue.
  MemCycle release(std::uint32_t ranks, MemCycle earliest);

  /// Counts the words of a barrier that an external controller sends: one for each arrival
  /// (kBroadcasts), or one for the release.
  void count_arrival(const Gathering& gathering, unsigned rank, BarrierScheme scheme);
  void count_release(const Gathering& gathering, BarrierScheme scheme);

  unsigned ranks() const { return bus_.ranks(); }
  const Stats& stats() const { return stats_; }

 private:
  bool fail(const std::string& text);
  /// Counts a message to these ranks. `others`: all ranks that it could have gone to.
  void count(std::uint32_t ranks, std::uint32_t others, std::size_t bytes);
  bool sound(unsigned source, std::uint32_t ranks, std::size_t bytes);
  std::optional<MemCycle> hear(Gathering& gathering, unsigned rank, BarrierScheme scheme,
                               bool releases, MemCycle earliest);
  std::uint32_t all_ranks() const { return (1U << ranks()) - 1; }
  std::uint32_t all_but(unsigned rank) const { return all_ranks() & ~(1U << rank); }

  CaBus& bus_;
  const MemCycle request_cycles_;
  const unsigned mailbox_bytes_;
  std::string where_;
  foundation::FaultPolicy& faults_;
  std::vector<std::deque<Message>> mailboxes_;
  Gathering all_;  ///< barrier of all ranks
  Stats stats_;
};

}  // namespace tvp::ddr
