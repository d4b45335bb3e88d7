#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/dram_buffers.h"
#include "platform/checks/record/kernel_arguments.h"

namespace tvp::checks {

/// Warns about reads and writes of a tile's cores beyond the buffers in DRAM, once for each place
/// in the code until the buffers change. Silicon does not report them. The check also records the
/// writers of the buffers.
class DramAccesses : public Check {
 public:
  explicit DramAccesses(const TileContext& tile) : Check(tile), arguments_(tile) {}
  const char* name() const override { return "dram_accesses"; }
  const char* summary() const override { return "reads and writes beyond the buffers in DRAM"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  void announced(const ProbeEvent& event);
  /// True if the kernel's arguments contain the address of the buffer before the accessed one, and
  /// not that of the accessed one.
  bool went_on(BusMaster core, const DramBuffers::Found& found);
  bool is_stored(const ProbeEvent& access, const DramBuffers::Found& found);
  static std::string not_given(const DramBuffers::Found& found);
  std::string sender_of_nothing(const ProbeEvent& access);
  void note_written(const ProbeEvent& access);
  std::uint64_t sample_of(const ProbeEvent& access) const;
  void warn_of_rival(const ProbeEvent& access, const DramBuffers::Command& rival);
  bool is_reported(const ProbeEvent& access);
  void warn_of(const ProbeEvent& access, const std::string& beyond);

  KernelArguments arguments_;
  std::vector<std::pair<BusMaster, std::uint32_t>> reported_;  ///< core and pc
  std::uint64_t reported_at_ = 0;  ///< DramBuffers::changes() at the last report
};

}  // namespace tvp::checks
