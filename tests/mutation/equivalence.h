#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/support/probe.h"

namespace tvp::mutation {

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
  /// Nothing writes to the source of a write before a core has looked at the counters of its NIU.
  /// If the core lets others go on before that look, nothing writes there until the program ends.
  /// The run must record all stores of cores (`keep_stores`).
  bool keeps_sources() const { return keeps_sources_; }

 private:
  struct Buffer {
    std::uint64_t pages = 0;   ///< 0: no program has announced it
    std::uint64_t pushed = 0;  ///< since the counts were reset
    std::uint64_t most = 0;    ///< the largest `pushed`
    std::uint64_t looks = 0;   ///< at the count of popped pages
  };
  struct Source {
    support::BusMaster engine, core;
    std::uint64_t begin = 0, end = 0;
    bool is_given_away = false;  ///< other agents may go on
  };
  void sends(std::vector<Source>& sources, const support::ProbeEvent& event);
  void writes(const std::vector<Source>& sources, const support::ProbeEvent& event);

  std::map<std::pair<std::string, unsigned>, Buffer> buffers_;  ///< place: tile and number
  std::map<std::string, std::vector<Source>> sources_;          ///< place: tile
  bool keeps_sources_ = true;
};

}  // namespace tvp::mutation
