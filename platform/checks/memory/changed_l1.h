#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about kernels that overwrite code in L1, the jump by which BRISC leaves reset, or data of
/// the host for the program (arguments and the table of circular buffers). No kernel does so on
/// purpose. The effect shows in another core's firmware, in another kernel or in the next program,
/// far from the wrong address. The check compares the bytes at the end of the program and for each
/// report.
class ChangedL1 : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "changed_l1"; }
  const char* summary() const override {
    return "code, arguments and tables of circular buffers that a kernel overwrites";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;
  std::vector<foundation::Fault> found_so_far(bool is_idle) const override;

 private:
  static constexpr std::uint32_t kJumpBytes = 4;
  struct Given {
    std::uint32_t address = 0;
    unsigned number = 0;  ///< index in TileContext::given
    std::vector<std::uint8_t> bytes{};
  };
  /// The first finding; "" if nothing has changed.
  std::string changed() const;
  std::string changed_code() const;
  std::string changed_given() const;
  /// The text of a finding: a kernel has overwritten `what` at this address.
  std::string overwritten(std::uint32_t address, const std::string& what) const;
  /// True if an agent other than a core of the tile wrote there last.
  bool is_foreign(std::uint32_t address) const;
  std::string writer_of(std::uint32_t address) const;

  bool runs_ = false;
  std::vector<std::uint8_t> jump_;
  std::vector<Given> given_;
};

}  // namespace tvp::checks
