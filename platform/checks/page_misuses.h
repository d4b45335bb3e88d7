#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/page_uses.h"

namespace tvp::checks {

/// What the cores of a tile do with pages of circular buffers that are not theirs, once for each
/// buffer and place in their code. Silicon does it without a word.
class PageMisuses : public Check, public PageUses::Listener {
 public:
  explicit PageMisuses(const TileContext& tile);
  const char* name() const override { return "page_misuses"; }
  const char* summary() const override {
    return "uses of pages of circular buffers that others have not handed over";
  }
  Probe::Kinds kinds() const override { return 0; }
  void on(const ProbeEvent& /*event*/) override {}
  void misused(const PageUses::Misuse& misuse) override;

 private:
  void report(const PageUses::Misuse& misuse);
  using Told = std::tuple<PageUses::Misuse::Kind, BusMaster, std::uint32_t,
                          unsigned>;  ///< what, who, where, and with which buffer
  std::vector<Told> told_;
};

}  // namespace tvp::checks
