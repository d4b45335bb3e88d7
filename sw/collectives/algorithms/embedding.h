#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sw/collectives/schedule/program_builder.h"
#include "sw/collectives/schedule/schedule.h"

namespace tvp::collectives {

/// The memories of a group's schedule at one of the ranks: chunk i of the group begins i chunks of
/// the group after the given place.
struct Memories {
  Place input;
  Place output;
  Place scratch;
};

/// Puts the schedule of a group of ranks into a larger one. A chunk of the group is `scale` chunks
/// of the whole. Longer messages than one chunk do not fit two slots of a connection, so they are
/// stored before they are sent on, in a lane of their own.
class Embedding {
 public:
  Embedding(ProgramBuilder& builder, const Schedule& group, std::uint32_t scale);

  /// The number of lanes and channels that it uses, from the given first ones on.
  std::uint32_t lanes() const { return 2 * group_lanes_; }
  std::uint16_t channels() const { return channels_; }
  /// Chunks of scratch in the whole schedule, including those for stored messages.
  std::uint32_t scratch() const { return (group_.scratch + 2 * longest_ * group_lanes_) * scale_; }

  /// `ranks[r]` is the group's rank r.
  void append(const std::vector<std::uint32_t>& ranks, std::uint32_t first_lane,
              std::uint16_t first_channel,
              const std::function<Memories(std::uint32_t group_rank)>& memories);

 private:
  struct Where {
    const std::vector<std::uint32_t>& ranks;
    std::uint32_t group_rank;
    std::uint32_t first_lane;
    std::uint16_t first_channel;
    Memories memories;
  };
  void append_rank(const Where& where);
  void append_step(const Where& where, std::uint32_t lane, Step step);
  Place place(const Where& where, const Place& of_group) const;
  std::uint32_t rank(const Where& where, std::uint32_t of_group) const;
  static RankSet set(const Where& where, const RankSet& of_group);

  ProgramBuilder& builder_;
  const Schedule& group_;
  const std::uint32_t scale_;
  std::uint32_t group_lanes_ = 1;
  std::uint32_t longest_ = 1;  ///< message, in chunks of the group
  std::uint16_t channels_ = 1;
  std::vector<std::uint32_t> stored_;  ///< messages so far, by lane of the current rank
};

}  // namespace tvp::collectives
