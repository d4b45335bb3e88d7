#pragma once

#include "models/support/mmio.h"
#include "models/support/watch.h"
#include "models/tensix/coprocessor/backend.h"
#include "models/tensix/coprocessor/frontend/issue_stage.h"
#include "models/tensix/coprocessor/shared_state.h"

namespace tvp::tensix::coprocessor {

/// The coprocessor's registers in the tile's address map: GPRs, configuration, MOP configuration,
/// semaphores, and the FIFOs into which RISC-V cores push instructions.
class RegisterWindows {
 public:
  RegisterWindows(SharedState& state, Backend& backend, IssueStage& issue,
                  support::WatchHub& watch_hub);

  support::MmioDevice& gprs() { return gprs_; }
  support::MmioDevice& config() { return config_; }
  support::MmioDevice& mop_config() { return mop_config_; }
  /// Uses the low 24 bits of the address.
  support::MmioDevice& push() { return push_; }
  /// SemaphoreAccess[i] of a T core.
  void access_semaphore(unsigned i, support::MmioAccess& access);

 private:
  /// `kPure`: reads have no side effects.
  template <void (RegisterWindows::*kAccess)(support::MmioAccess&), bool kPure = false>
  class Window : public support::MmioDevice {
   public:
    explicit Window(RegisterWindows& owner) : owner_(owner) {}
    void access(support::MmioAccess& access) override { (owner_.*kAccess)(access); }
    bool peek(support::MmioAccess& access) override {
      if constexpr (kPure) (owner_.*kAccess)(access);
      return kPure && !access.unmapped && !access.blocked;
    }

   private:
    RegisterWindows& owner_;
  };

  void access_gprs(support::MmioAccess& access);
  void access_config(support::MmioAccess& access);
  void access_mop_config(support::MmioAccess& access);
  void access_push(support::MmioAccess& access);

  SharedState& state_;
  Backend& backend_;
  IssueStage& issue_;
  support::WatchHub& watch_hub_;

  Window<&RegisterWindows::access_gprs, true> gprs_{*this};
  Window<&RegisterWindows::access_config, true> config_{*this};
  Window<&RegisterWindows::access_mop_config> mop_config_{*this};
  Window<&RegisterWindows::access_push> push_{*this};
};

}  // namespace tvp::tensix::coprocessor
