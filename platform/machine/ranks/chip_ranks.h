#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "foundation/fault.h"
#include "models/ethernet/link.h"
#include "models/support/calendar.h"
#include "platform/machine/held_fault_policy.h"
#include "platform/machine/ranks/chip_placement.h"
#include "platform/machine/ranks/rank_call.h"
#include "platform/machine/ranks/rank_link_channel.h"
#include "platform/ranks/ranks.h"

namespace tvp::platform {

/// Distributes the chips of a machine among ranks. Each rank has a machine with some of the chips.
///
/// Rank 0 has the host. It calls other ranks for accesses of their chips. Calls without a result
/// are collected and sent with the next other one.
///
/// In clock(), all ranks run the same windows. After each window they exchange messages of links,
/// the first fault, warnings (to rank 0) and the time of the next event. From these times, each
/// rank computes the same start of the next window.
class ChipRanks {
 public:
  /// The fault that ended a window in a chip.
  struct Stop {
    std::size_t place = 0;  ///< the chip in the description; the first one counts
    support::Cycle now = 0;
    foundation::Fault fault;
  };
  /// Warnings of the chip at a place of the description.
  struct Warnings {
    std::size_t place = 0;
    std::vector<HeldFaultPolicy::Kept> kept;
  };

  ChipRanks(Ranks& ranks, const SystemDescription& system, const std::string& placement);
  ~ChipRanks();
  ChipRanks(const ChipRanks&) = delete;
  ChipRanks& operator=(const ChipRanks&) = delete;

  unsigned size() const { return ranks_.size(); }
  unsigned rank() const { return ranks_.rank(); }
  bool is_host() const { return ranks_.rank() == 0; }
  /// False after the loss of a rank: calls are no longer possible.
  bool is_whole() const { return !ranks_.is_broken(); }
  /// The work of this rank, for the report.
  nlohmann::ordered_json to_json() const;
  const ChipPlacement& placement() const { return placement_; }
  bool is_mine(std::size_t place) const { return placement_.rank_of(place) == rank(); }
  /// The rank of the chip with this number; the own rank if there is no such chip.
  unsigned owner_of(unsigned chip) const;

  /// Joins a link to a chip of another rank, of which `end` is here.
  void join(std::size_t number, ethernet::Link& link, unsigned end, unsigned other_rank,
            const foundation::Period& clock);
  /// Supplies and takes the warnings of the own chips.
  void set_warnings(std::function<std::vector<Warnings>()> take,
                    std::function<void(std::vector<Warnings>)> note);

  // Rank 0.
  /// Sends a call without a result, with the next other one.
  void post(unsigned rank, RankCall call, const Message& arguments = {});
  void send_posted();
  /// Throws what the rank throws.
  Message ask(unsigned rank, RankCall call, const Message& arguments = {});
  /// Asks all other ranks, which work at the same time.
  std::vector<Message> ask_all(RankCall call, const Message& arguments = {});
  /// The host has changed chips of another rank.
  void changed() { is_changed_ = true; }
  /// Learns the next events of other ranks if the host has changed any chips.
  void sync();

  // Other ranks.
  /// Answers a call; `failure` is what it has thrown, or null.
  void answer(const Message& result, const foundation::Fault* failure);

  // All ranks.
  /// The next event of the other ranks.
  support::Cycle others_next() const { return others_next_; }
  void set_others_next(support::Cycle next) { others_next_ = next; }
  /// After a window. Returns the stop that comes first, of any rank.
  std::optional<Stop> exchange(const std::optional<Stop>& mine, support::Cycle next);

 private:
  Message received_answer(unsigned rank);
  void flush(unsigned rank);
  void put_warnings(Message& message);
  static std::vector<Warnings> warnings_in(Message& message);

  Ranks& ranks_;
  const std::vector<unsigned> ids_;
  const ChipPlacement placement_;
  std::vector<Message> posted_;  ///< by rank
  std::vector<std::unique_ptr<RankLinkChannel>> channels_;
  std::vector<ethernet::Link*> links_;  ///< all links by number; null: joins no other rank
  std::function<std::vector<Warnings>()> take_warnings_;
  std::function<void(std::vector<Warnings>)> note_warnings_;
  support::Cycle others_next_ = support::kNever;
  std::uint64_t windows_ = 0;
  std::uint64_t calls_ = 0;  ///< with an answer
  bool is_changed_ = true;   ///< the next events of other ranks are not known
};

void put_fault(Message& message, const foundation::Fault& fault);
foundation::Fault fault_in(Message& message);

}  // namespace tvp::platform
