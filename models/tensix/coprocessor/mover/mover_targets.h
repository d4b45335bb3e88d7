#pragma once

#include <cstdint>

#include "models/support/watch.h"
#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/coprocessor_client.h"
#include "models/tensix/coprocessor/frontend/issue_stage.h"
#include "models/tensix/coprocessor/mover/mover.h"

namespace tvp::tensix::coprocessor {

/// Forwards the mover's writes to configuration and instruction RAM, and its end, to the blocks
/// that they concern.
class MoverTargets : public MoverClient {
 public:
  MoverTargets(Backend& backend, IssueStage& issue, CoprocessorClient& client,
               support::WatchHub& watch_hub)
      : backend_(backend), issue_(issue), client_(client), watch_hub_(watch_hub) {}

  void mover_writes_config(unsigned word, std::uint32_t value, Cycle now) override {
    if (!backend_.configuration().write_window(word, value, now)) return;
    const unsigned order = backend_.mover().order();
    watch_hub_.changed(support::Watch::kConfig, now, order);
    issue_.touched(now, order);
  }
  void mover_writes_instruction_ram(std::uint32_t offset, const std::uint8_t* data,
                                    Cycle now) override {
    client_.write_instruction_ram(offset, data, now);
  }
  void mover_idle(Cycle now) override { issue_.touched(now, backend_.mover().order()); }

 private:
  Backend& backend_;
  IssueStage& issue_;
  CoprocessorClient& client_;
  support::WatchHub& watch_hub_;
};

}  // namespace tvp::tensix::coprocessor
