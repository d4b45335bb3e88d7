#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/dram_buffers.h"

namespace tvp::checks {

/// Reads and writes of a tile's cores beyond the buffers in DRAM, once for each place in their code
/// as long as the buffers are the same. Silicon does it without a word. It also notes in the
/// buffers who writes them.
class DramAccesses : public Check {
 public:
  explicit DramAccesses(const TileContext& tile);
  const char* name() const override { return "dram_accesses"; }
  const char* summary() const override { return "reads and writes beyond the buffers in DRAM"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct KnownCore {
    TileContext::Core core;
    std::vector<std::uint32_t> given{};  ///< arguments, in ascending order if `is_sorted`
    bool is_sorted = true;
    std::vector<std::uint64_t> stored{};  ///< buffers whose address its kernel finds in L1
  };
  KnownCore* known(BusMaster core);
  void announced(const ProbeEvent& event);
  /// The kernel was given the buffer before, and not the one in which it is.
  static bool went_on(KnownCore& by, const DramBuffers::Found& found);
  bool is_stored(KnownCore& by, const ProbeEvent& access, const DramBuffers::Found& found) const;
  static std::string not_given(const DramBuffers::Found& found);
  std::string sender_of_nothing(const ProbeEvent& access);
  void note_written(const ProbeEvent& access);
  bool is_reported(const ProbeEvent& access);
  void warn_of(const ProbeEvent& access, const std::string& beyond);

  std::vector<KnownCore> cores_;
  std::vector<std::pair<BusMaster, std::uint32_t>> reported_;  ///< core and pc
  std::uint64_t reported_at_ = 0;                              ///< changes of the buffers
};

}  // namespace tvp::checks
