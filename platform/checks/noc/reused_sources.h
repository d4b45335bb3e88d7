#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/core_access_range.h"

namespace tvp::checks {

/// Warns about a store of a core to data that a write may still send: no core has read a write
/// counter of the NIU since the command. In the model a NIU may have read the data
/// already; on hardware other traffic can delay it. A store of the value that is there changes
/// nothing.
///
/// A write of another tile there is wrong as well if this tile has let it go on by a signal. The
/// signal must come after a look at the counters, or after a sign of life of the target of the
/// first write.
class ReusedSources : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "reused_sources"; }
  const char* summary() const override {
    return "stores to data that a write may still send, without a flush";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  static constexpr std::size_t kMost = 32;  ///< if there are more sources, the oldest is dropped
  /// Later stores are in time in practice: a delay of 500 cycles hides the hang of tt-metal's issue
  /// 27979.
  static constexpr Cycle kLongest = 500;
  using Place = std::pair<std::uint8_t, std::uint8_t>;  ///< x, y of NoC 0
  struct Source {
    ProbeEvent write;
    bool has_arrived = false;    ///< its target has sent something since
    std::vector<Place> given{};  ///< tiles that got a signal since
  };
  void command(const ProbeEvent& event);
  void signals(const ProbeEvent& event);
  void requested(const ProbeEvent& event);
  void stored(const ProbeEvent& event);
  bool changes(const ProbeEvent& store) const;
  void report(const ProbeEvent& write, const ProbeEvent& store);
  void report_request(const ProbeEvent& write, const ProbeEvent& request);
  bool is_reported(std::uint32_t write, std::uint32_t second);
  void warn_of(const ProbeEvent& write, const std::string& what, const std::string& line);
  void ask();

  CoreAccessRange range_{tile_};
  std::vector<Source> writes_;           ///< commands whose source is in use
  std::vector<std::uint64_t> reported_;  ///< pc of the write, pc of the store
};

}  // namespace tvp::checks
