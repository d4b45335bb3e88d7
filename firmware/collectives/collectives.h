#pragma once
// The collectives, composed of passes over the groups of each level: reductions from the inside
// out, gathers and broadcasts from the outside in. With one level they are the flat algorithms.

#include <cstdint>
#include <type_traits>

#include "firmware/collectives/arguments.h"
#include "firmware/collectives/as_written.h"
#include "firmware/collectives/exchange.h"
#include "firmware/collectives/in_switch.h"
#include "firmware/collectives/in_switch_phases.h"
#include "firmware/collectives/reductions.h"
#include "firmware/collectives/ring.h"
#include "firmware/collectives/tree.h"

namespace tvp::firmware::collectives {

/// Transport is pim's API or a test's: DMA, messages, barrier and clock of one unit.
template <typename Reduction, typename Transport>
class Collectives {
 public:
  Collectives(Transport& transport, Memory& memory, const Arguments& arguments)
      : transport_(transport), memory_(memory), arguments_(arguments) {
    levels_.count = arguments.level_count;
    for (std::uint32_t l = 0; l < levels_.count; ++l) levels_.sizes[l] = arguments.level_sizes[l];
    levels_.rings = arguments.rings;
    levels_.units = arguments.units;
    ranks_ = levels_.ranks();
    while (arguments.units[rank_] != transport_.unit()) ++rank_;
  }

  void run(Times& times) {
    // Such a program only reduces, so that it fits instruction memory.
    if constexpr (kSwitchPhases) return run_rings(times);
    switch (static_cast<Kind>(arguments_.kind)) {
      case Kind::kAllReduce:
      case Kind::kReduceScatter:
      case Kind::kAllGather:
        return run_rings(times);
      case Kind::kBroadcast:
        return run_broadcast(times);
      case Kind::kAllToAll:
        return run_all_to_all(times);
    }
  }

 private:
  using Owners = typename Ring<Transport>::Owners;
  using Switch = std::conditional_t<kSwitchPhases, InSwitchPhases<Transport>, InSwitch<Transport>>;

  void run_rings(Times& times) {
    const Cut cut(arguments_.bytes, ranks_);
    const Place input{arguments_.input, 0};
    const Place output{arguments_.output, 0};
    const Place own{arguments_.output, cut.chunk(rank_).begin};
    const bool barriers = arguments_.barriers != 0;
    Ring<Transport> rings[kMaxLevels] = {{transport_, memory_, 0, barriers},
                                         {transport_, memory_, 1, barriers},
                                         {transport_, memory_, 2, barriers},
                                         {transport_, memory_, 3, barriers}};
    start(times);
    const Kind kind = static_cast<Kind>(arguments_.kind);
    if (kind == Kind::kAllReduce && arguments_.as_written != 0) {
      Link<Transport> link(transport_, memory_, 0, !barriers);
      all_reduce_as_written<Reduction>(transport_, memory_, link, levels_.group(0, rank_),
                                       phases(0), input, output, arguments_.bytes);
    } else if (kind == Kind::kAllReduce) {
      all_reduce(rings, cut, input, output, times);
    } else if (kind == Kind::kReduceScatter) {
      reduce_scatter(rings, cut, input, Place{arguments_.scratch, 0}, own, Owners::kByRank);
    } else {
      copy(arguments_.input, output.of(cut.chunk(rank_)), cut.chunk(rank_).bytes);
      all_gather(rings, cut, output, Owners::kByRank);
    }
    times.end = transport_.cycles();
  }

  /// The owners of chunks between the two halves are free to choose: they are those that need the
  /// fewest messages. The switch sends the results of the outermost level to all chips in the beats
  /// in which it computes them.
  void all_reduce(Ring<Transport>* rings, const Cut& cut, Place input, Place output, Times& times) {
    if constexpr (kSwitchHasOp<Reduction::op>) {
      if (arguments_.switch_level != kNoLevel) {
        Switch in_switch(transport_, memory_, arguments_.switch_level);
        if constexpr (kSwitchPhases) in_switch.set_phases(phases(arguments_.switch_level));
        in_switch.join(levels_.group(arguments_.switch_level, rank_));
        return all_reduce_in_switch(rings, in_switch, cut, input, output, times);
      }
    }
    reduce_scatter(rings, cut, input, output, output, Owners::kInReverse);
    times.scattered = transport_.cycles();
    all_gather(rings, cut, output, Owners::kInReverse);
  }

  void all_reduce_in_switch(Ring<Transport>* rings, Switch& in_switch, const Cut& cut, Place input,
                            Place output, Times& times) {
    const std::uint32_t at = arguments_.switch_level;
    const bool outermost = at + 1 == levels_.count;
    for (std::uint32_t level = 0; level < levels_.count; ++level) {
      const Place from = level == 0 ? input : output;
      if (level != at) {
        rings[level].join(levels_.group(level, rank_), phases(level));
        rings[level].template reduce_scatter<Reduction>(cut, from, output, Owners::kInReverse);
      } else if (outermost) {
        in_switch.template all_reduce<Reduction>(cut, from, output);
      } else {
        in_switch.template reduce_scatter<Reduction>(cut, from, output);
      }
    }
    times.scattered = transport_.cycles();
    for (std::uint32_t level = levels_.count; level-- > 0;) {
      if (level != at) {
        rings[level].join(levels_.group(level, rank_), phases(level));
        rings[level].all_gather(cut, output, Owners::kInReverse);
      } else if (!outermost) {
        in_switch.all_gather(cut, output);
      }
    }
  }

  /// Partial results are at `between`, those of all levels at `to`.
  void reduce_scatter(Ring<Transport>* rings, const Cut& cut, Place from, Place between, Place to,
                      Owners owners) {
    for (std::uint32_t level = 0; level < levels_.count; ++level) {
      rings[level].join(levels_.group(level, rank_), phases(level));
      rings[level].template reduce_scatter<Reduction>(
          cut, level == 0 ? from : between, level + 1 == levels_.count ? to : between, owners);
    }
  }

  void all_gather(Ring<Transport>* rings, const Cut& cut, Place place, Owners owners) {
    for (std::uint32_t level = levels_.count; level-- > 0;) {
      rings[level].join(levels_.group(level, rank_), phases(level));
      rings[level].all_gather(cut, place, owners);
    }
  }

  void run_broadcast(Times& times) {
    const std::uint32_t bytes = arguments_.bytes;
    Tree<Transport> tree(transport_, memory_, static_cast<TreeShape>(arguments_.tree_shape),
                         static_cast<TreeFlow>(arguments_.tree_flow));
    const bool has_switch = arguments_.switch_level != kNoLevel;
    InSwitch<Transport> in_switch(transport_, memory_, has_switch ? arguments_.switch_level : 1);
    start(times);
    const Place output{arguments_.output, 0};
    const Place from = rank_ == arguments_.root ? Place{arguments_.input, 0} : output;
    if (arguments_.phase_counts[0] != 0) {
      tree.broadcast_in_phases(phases(0), levels_.units, rank_ == arguments_.root, from, output,
                               bytes);
    }
    for (std::uint32_t level = levels_.count; level-- > 0 && arguments_.phase_counts[0] == 0;) {
      const Group group = levels_.group(level, rank_);
      // The root's groups first: others join when their digits below are those of the root.
      if (rank_ % group.stride != arguments_.root % group.stride) continue;
      const std::uint32_t root = arguments_.root / group.stride % group.size;
      if (level == arguments_.switch_level) {
        in_switch.join(group);
        in_switch.broadcast(root, from, output, bytes);
      } else {
        tree.broadcast(group, root, from, output, bytes);
      }
    }
    if (rank_ == arguments_.root) copy(arguments_.input, arguments_.output, bytes);
    times.end = transport_.cycles();
  }

  void run_all_to_all(Times& times) {
    const Cut cut(arguments_.bytes, ranks_);
    Exchange<Transport> exchange(transport_, memory_);
    start(times);
    const std::uint32_t area = cut.largest() * ranks_;
    Blocks from(Blocks::Form::kInput, arguments_.input, cut, rank_);
    std::uint32_t first_grant = 0;
    for (std::uint32_t level = 0; level < levels_.count; ++level) {
      const Group group = levels_.group(level, rank_);
      const bool last = level + 1 == levels_.count;
      const Blocks to(last ? Blocks::Form::kOutput : Blocks::Form::kScratch,
                      last ? arguments_.output : arguments_.scratch + level % 2 * area, cut, rank_);
      exchange.swap(group, rank_, first_grant, cut, from, to, phases(level));
      from = to;
      first_grant += group.size;
    }
    times.end = transport_.cycles();
  }

  Phases phases(std::uint32_t level) const {
    const Phase* first = arguments_.phases;
    for (std::uint32_t l = 0; l < level; ++l) first += arguments_.phase_counts[l];
    return {first, arguments_.phase_counts[level]};
  }

  /// All windows are set: no unit sends before all units have passed this barrier.
  void start(Times& times) {
    transport_.barrier();
    times.begin = transport_.cycles();
    times.scattered = times.begin;
  }

  void copy(std::uint32_t from, std::uint32_t to, std::uint32_t bytes) {
    for (std::uint32_t done = 0; done < bytes; done += kSliceBytes) {
      const std::uint32_t part = bytes - done < kSliceBytes ? bytes - done : kSliceBytes;
      transport_.dma_wait(transport_.dma_read_async(memory_.staging[0], from + done, part));
      transport_.dma_wait(transport_.dma_write_async(to + done, memory_.staging[0], part));
    }
  }

  Transport& transport_;
  Memory& memory_;
  const Arguments& arguments_;
  Levels levels_;
  std::uint32_t ranks_ = 1;
  std::uint32_t rank_ = 0;
};

}  // namespace tvp::firmware::collectives
