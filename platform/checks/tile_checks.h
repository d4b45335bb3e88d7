#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "models/support/probe.h"
#include "platform/checks/check.h"

namespace tvp::checks {

/// The checks of one tile behind its probe. A check that fails (throws anything but a fault of the
/// firmware) sees no more events, and the run goes on.
class TileChecks : public Probe::Listener {
 public:
  /// What to do when a check has failed, with its name and the reason.
  using Failed = std::function<void(const std::string& name, const std::string& reason)>;

  TileChecks(std::unique_ptr<TileContext> context, std::vector<std::unique_ptr<Check>> checks,
             Failed failed);
  TileChecks(const TileChecks&) = delete;
  TileChecks& operator=(const TileChecks&) = delete;

  Probe& probe() { return probe_; }
  void on(const ProbeEvent& event) override;
  void program_ends();
  /// From now on.
  void disable(const std::string& name);

 private:
  void choose();
  template <typename Call>
  void guard(Check& check, const Call& call);

  const std::unique_ptr<TileContext> context_;
  std::vector<std::unique_ptr<Check>> checks_;
  std::vector<const Check*> disabled_;
  std::array<std::vector<Check*>, ProbeEvent::kKinds> by_kind_;
  Failed failed_;
  Probe probe_;
};

}  // namespace tvp::checks
