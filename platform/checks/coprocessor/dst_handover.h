#pragma once

#include <cstdint>
#include <string>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Steps that are missing where T1 hands parts of Dst over to T2 with semaphore 1, as tt-metal's
/// firmware does. T1 waits until a part is free (tile_regs_acquire) and posts when it has written
/// it (tile_regs_commit). T2 waits until there is one (tile_regs_wait) and gets when it has packed
/// it (tile_regs_release). Firmware that has done so since it initialized the semaphore must not
/// leave out a step, even if the step would not have waited. Other firmware is not judged.
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
    bool waits = false;       ///< as it has to, ever
    bool has_waited = false;  ///< since its last step
  };

  void program_ends() const;
  void synchronized(const ProbeEvent& event);
  void waited(const ProbeEvent& event);
  void commit(const ProbeEvent& event);
  void packs(const ProbeEvent& event);
  void result(const ProbeEvent& event);
  bool looks_at_results() const;
  void warn_of_acquire(const ProbeEvent& event) const;
  void warn_of_wait(const ProbeEvent& event) const;
  void warn_coprocessor(const std::string& text) const;

  std::uint32_t value_ = 0;  ///< of the semaphore
  bool posted_ = false;      ///< the last post was of T1
  bool taken_ = false;       ///< and the last get of T2
  Thread t1_, t2_;
  bool result_too_early_ = false;  ///< between a commit and the wait behind it
  bool result_ = false;            ///< and behind that
  bool asks_for_math_ = false;
  support::Offered last_pack_{};
  Cycle last_pack_at_ = kNever;
};

}  // namespace tvp::checks
