#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/support/tile_scheduler.h"
#include "models/support/time.h"
#include "models/support/tournament_tree.h"

namespace tvp::support {

/// Rank of an event among those of one cycle. All fields are properties of the modelled machine,
/// never of the order in which the simulator creates events. `sequence` counts the events of one
/// source.
struct EventKey {
  std::uint8_t phase = 0;   ///< step within the cycle (see Phase)
  std::uint16_t block = 0;  ///< node of the chip (y * 10 + x), link number, ...
  std::uint8_t port = 0;
  std::uint8_t vc = 0;
  std::uint16_t source = 0;
  std::uint32_t sequence = 0;

  /// Key for one comparison: phase, block, port, VC, source, then the low 24 bits of the sequence.
  std::uint64_t packed() const {
    return (std::uint64_t{phase} & 0xF) << 60 | (std::uint64_t{block} & 0xFFF) << 48 |
           (std::uint64_t{port} & 0xF) << 44 | (std::uint64_t{vc} & 0xF) << 40 |
           (std::uint64_t{source} & 0xFFFF) << 24 | (std::uint64_t{sequence} & 0xFFFFFF);
  }
};

/// Steps of one cycle, in order.
enum class Phase : std::uint8_t {
  kLink = 0,     ///< a message of another chip arrives
  kNetwork = 1,  ///< a packet moves inside the NoC
  kInject = 2,   ///< a NIU passes a packet to the network
  kOther = 3,
};

/// The target that the calendar calls for a due event. Blocks own their targets.
class EventTarget {
 public:
  virtual ~EventTarget() = default;
  /// `token` is the value that was passed to post().
  virtual void fire(Cycle now, std::uint64_t token) = 0;
};

/// The order of everything on one chip: single network events, and tiles, each of which may run
/// ahead up to its horizon.
///
/// The horizon of tile X is the earliest of three times. The first is the first activity of any
/// other tile plus the shortest path from it to a tile. The second is the first network event plus
/// the shortest time from a network event to a delivery. The third is the end of the window. A
/// delivery wakes an agent of X, so its own arrivals are in X's own order. An agent without a port
/// to the network, for example a core, reaches it through one that has a port (its NIU).
class Calendar {
 public:
  struct Lookahead {
    Cycle tile_to_tile = 1;   ///< least time from an action of a tile to an effect in another one
    Cycle event_to_tile = 1;  ///< least time from a pending event to an effect in a tile
    /// Additional cycles if the agent has no port (TileScheduler::add_portless).
    Cycle portless_more = 0;
  };

  explicit Calendar(Lookahead lookahead) : lookahead_(lookahead) {}

  /// Registers a tile and returns its index. The order of registration breaks ties.
  unsigned add_tile(TileScheduler& tile);

  /// Posts an event. `when` must not be before the current cycle. If a tile posts it inside its
  /// run, the tile's own horizon shrinks, since a response could come back.
  void post(Cycle when, const EventKey& key, EventTarget& target, std::uint64_t token);

  /// Call it after anything outside the tile's own run has woken one of its agents.
  void tile_woken(unsigned tile_index);

  /// Runs everything before `end`, or before the cycle to which cut() lowers it.
  void run_until(Cycle end);
  /// Called inside run_until(): nothing at or after `end` runs any more, except what the running
  /// agent has begun.
  void cut(Cycle end);

  /// Lets sleeping agents of a tile (or of all tiles) catch up to the current cycle, for an
  /// observer that does not act in the tile. It wakes no agent and does not count as pending.
  void settle(unsigned tile_index);
  void settle();

  /// Earliest pending cycle; kNever if the chip is idle.
  Cycle next() const;

  /// Cycle of the step in progress. It never decreases, and no event may be posted before it.
  Cycle now() const { return now_; }

  /// Lockstep: horizons of one cycle, so every step of every tile is in global order. Same results,
  /// slower.
  void set_lockstep(bool on) { lockstep_ = on; }
  bool lockstep() const { return lockstep_; }

  std::uint64_t events_fired() const { return events_fired_; }
  std::uint64_t tile_activations() const { return tile_activations_; }

 private:
  struct Entry {
    Cycle when;
    std::uint64_t key;
    EventTarget* target;
    std::uint64_t token;
  };
  static bool later(const Entry& a, const Entry& b) {
    return a.when != b.when ? a.when > b.when : a.key > b.key;
  }

  void set_keys(unsigned index);
  void run_tile(unsigned index);

  Lookahead lookahead_;
  bool lockstep_ = false;
  Cycle now_ = 0;
  Cycle end_ = 0;  ///< argument of the current run_until()
  std::vector<Entry> heap_;
  std::vector<TileScheduler*> tiles_;
  std::vector<unsigned> settled_;  ///< since the last run; their keys are still kNever
  TileScheduler* running_ = nullptr;
  TournamentTree next_;  ///< next() of the tiles
  TournamentTree
      reach_;  ///< start of their reach to other tiles, minus tile_to_tile, if it differs
  std::uint64_t events_fired_ = 0;
  std::uint64_t tile_activations_ = 0;
};

}  // namespace tvp::support
