#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "platform/checks/check.h"
#include "platform/checks/record/signalled_writes.h"

namespace tvp::checks {

/// Warns about a signal to another tile than the destination of data, if the sender does not know
/// that the data has arrived and the signalled tile reads it. The warning names the sender.
class EarlySignals : public Check {
 public:
  explicit EarlySignals(const TileContext& tile);
  const char* name() const override { return "early_signals"; }
  const char* summary() const override {
    return "signals to a tile that reads data which may not have arrived elsewhere";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  void report(const SignalledWrites::Found& found, const ProbeEvent& read);

  SignalledWrites::Tile* writes_ = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> reported_;  ///< pc of write, pc of signal
};

}  // namespace tvp::checks
