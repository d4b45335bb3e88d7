#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/support/probe.h"
#include "tests/mutation/kernel_mutation.h"

namespace tvp::mutation {

/// A proof from the calls alone that a change makes no difference in a program that ends with the
/// right result; "" if there is none.
/// * order: waits for two objects are swapped, or two hand-overs, or a wait comes before a
/// hand-over
///   that was before it. The pages that each call covers remain covered. Circular buffers are
///   queues between sequential cores, so the program waits forever at each timing or at none.
/// * set-up: the calls configure units, or one hands over Dst, which they do not use. A thread's
/// units take their configuration in its order, so
///   timing has no part in the result.
std::string order_proof(const KernelMutation& change);

/// Proofs from the events of a run (`record.events`) that a change makes no difference, however
/// long transfers and other cores take. Equal results prove nothing.
class Events {
 public:
  /// Reads the file of `record.events`.
  explicit Events(const std::filesystem::path& file);
  /// For tests.
  Events() = default;
  void add(const std::string& tile, const support::ProbeEvent& event);

  /// The call of cb_reserve_back that `without` lacks never waits: the circular buffers at which
  /// `without` looks less often for room hold all pages that the program pushes.
  bool has_room_without(const Events& without) const;
  /// No tile writes twice to a place of another tile in one program, so it never needs to wait for
  /// room there.
  bool writes_targets_once() const { return writes_targets_once_; }
  /// The calls of cb_pop_front that `without` lacks change nothing. Their circular buffers hold all
  /// pages that the program pushes. No core looks at the number of pages after the first pop.
  bool has_idle_pops(const Events& without) const;
  /// Nothing writes to the source of a write before a core has looked at the counters of its NIU.
  /// If the core lets others go on before that look, nothing writes there until the program ends.
  /// The run must record all stores of cores (`keep_stores`).
  bool keeps_sources() const { return keeps_sources_; }

 private:
  struct Buffer {
    std::uint64_t pages = 0;         ///< 0: no program has announced it
    std::uint64_t pushed = 0;        ///< since the counts were reset
    std::uint64_t most = 0;          ///< the largest `pushed` of the program
    bool was_short = false;          ///< in an earlier program, `most` was larger than `pages`
    std::uint64_t looks = 0;         ///< at the count of popped pages
    std::uint64_t popped = 0;        ///< since the counts were reset
    std::uint64_t pops = 0;          ///< pages of all programs
    bool is_used_after_pop = false;  ///< a core has looked at the count of pushed pages since
    bool is_short() const { return was_short || most > pages; }
  };
  struct Source {
    support::BusMaster engine, core;
    std::uint64_t begin = 0, end = 0;
    bool is_given_away = false;  ///< other agents may go on
  };
  void sends(std::vector<Source>& sources, const support::ProbeEvent& event);
  void writes(const std::vector<Source>& sources, const support::ProbeEvent& event);
  void serves(const std::string& tile, const support::ProbeEvent& event);

  std::map<std::pair<std::string, unsigned>, Buffer> buffers_;  ///< place: tile and number
  std::map<std::string, std::vector<Source>> sources_;          ///< place: tile
  bool keeps_sources_ = true;
  struct Target {
    unsigned x = 0, y = 0;  ///< the sender
    std::uint64_t begin = 0, end = 0;
  };
  std::map<std::string, std::vector<Target>> targets_;  ///< place: tile
  bool writes_targets_once_ = true;
};

}  // namespace tvp::mutation
