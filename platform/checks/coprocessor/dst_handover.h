#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns about missing steps when T1 hands parts of Dst over to T2 with semaphore 1, as tt-metal's
/// firmware does. T1 waits until a part is free (tile_regs_acquire) and posts when it has written
/// the part (tile_regs_commit). T2 waits until a part is written (tile_regs_wait) and gets when it
/// has packed the part (tile_regs_release). Firmware that has made these steps since it initialized
/// the semaphore must not leave out one, even if the step would not have waited. The check ignores
/// other firmware.
class DstHandover : public Check {
 public:
  static constexpr unsigned kSemaphore = 1;

  using Check::Check;
  const char* name() const override { return "dst_handover"; }
  const char* summary() const override {
    return "parts of Dst that T1 and T2 use without a wait, or that T2 never releases";
  }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  struct Thread {
    bool waits = false;       ///< the thread has ever waited for its part
    bool has_waited = false;  ///< the thread has waited since its last step
  };

  void program_ends();
  void synchronized(const ProbeEvent& event);
  void waited(const ProbeEvent& event);
  void commit(const ProbeEvent& event);
  void packs(const ProbeEvent& event);
  void result(const ProbeEvent& event);
  bool looks_at_results() const;
  void warn_of_acquire(const ProbeEvent& event) const;
  void warn_of_wait(const ProbeEvent& event) const;
  void warn_coprocessor(const std::string& text) const;

  std::uint32_t value_ = 0;  ///< value of the semaphore
  bool posted_ = false;      ///< T1 made the last post
  bool taken_ = false;       ///< T2 made the last get
  Thread t1_, t2_;
  bool result_too_early_ = false;  ///< T1 made a result between its commit and its next wait
  bool result_ = false;            ///< T1 made a result after this wait
  bool asks_for_math_ = false;
  support::Offered last_pack_{};
  Cycle last_pack_at_ = kNever;
};

}  // namespace tvp::checks
