#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/page_uses.h"

namespace tvp::checks {

/// Warns about uses of pages of circular buffers that a core does not own, once for each buffer and
/// place in the code. Silicon does not notice them.
class PageMisuses : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "page_misuses"; }
  const char* summary() const override {
    return "uses of pages of circular buffers that others have not handed over";
  }
  Probe::Kinds kinds() const override { return tile_.is_tensix() ? TileRecord::kinds() : 0; }
  Probe::Kinds kinds_of_findings() const override { return TileRecord::kinds(); }
  void on(const ProbeEvent& /*event*/) override {
    for (const PageUses::Misuse& misuse : tile_.record->found().misuses) report(misuse);
  }

 private:
  void report(const PageUses::Misuse& misuse);
  /// Kind, core, pc and buffer.
  using Place = std::tuple<PageUses::Misuse::Kind, BusMaster, std::uint32_t, unsigned>;
  std::vector<Place> reported_;
};

}  // namespace tvp::checks
