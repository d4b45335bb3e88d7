#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/support/probe.h"
#include "platform/checks/check.h"
#include "platform/checks/record/tile_record.h"

namespace tvp::checks {

/// The checks of one tile behind its probe. A check that fails (throws anything but a fault of the
/// firmware) sees no more events, and the run goes on.
class TileChecks : public Probe::Listener, public CheckGuard {
 public:
  using Make = std::function<std::vector<std::unique_ptr<Check>>(const TileContext&)>;
  /// Receives the name of a check that has failed, and the reason.
  using Failed = std::function<void(const std::string& name, const std::string& reason)>;

  TileChecks(const TileContext& context, const Make& make, Failed failed);
  TileChecks(const TileChecks&) = delete;
  TileChecks& operator=(const TileChecks&) = delete;

  Probe& probe() { return probe_; }
  /// Null: nobody looks at the tile's L1.
  TileRecord* record() const { return record_.get(); }
  void on(const ProbeEvent& event) override;
  void run(const Check& check, const std::function<void()>& call) override;
  bool awaits(std::uint32_t first, std::uint32_t last) const override {
    return record_->page_uses.awaits(first, last);
  }
  /// The program before is over, and one with these circular buffers, if any, starts next.
  void hold(std::span<const PageUses::Buffer> buffers);
  /// See Check::given; false if the tile has no such core.
  bool give(unsigned number, std::span<const std::uint32_t> words);
  const std::string& where() const { return context_.where; }
  /// From now on.
  void disable(const std::string& name);

 private:
  bool is_on(const Check& check) const;
  void choose();
  /// Null: the record of L1. Returns false if the check has failed, and is disabled.
  template <typename Call>
  bool guard(const Check* check, const Call& call);

  Probe probe_;
  TileContext context_;
  std::unique_ptr<TileRecord> record_;
  bool keeps_record_ = true;
  Probe::Kinds record_kinds_ = 0;
  std::vector<std::unique_ptr<Check>> checks_;
  std::vector<const Check*> disabled_;
  std::array<std::vector<Check*>, ProbeEvent::kKinds> by_kind_;
  Failed failed_;
};

}  // namespace tvp::checks
