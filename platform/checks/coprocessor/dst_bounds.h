#pragma once

#include <cstdint>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Results that T1 puts outside its part of Dst, if T1 hands parts over as DstHandover says. With
/// two parts that take turns (SEMINIT gives semaphore 1 at most 2) its part is one half after the
/// other, from the first one on, else all of Dst. DEST_TARGET_REG_CFG_MATH_Offset selects a tile,
/// and hardware adds rows up modulo 1024, so a tile beyond the part is one of those that T2 packs.
class DstBounds : public Check {
 public:
  using Check::Check;
  const char* name() const override { return "dst_bounds"; }
  const char* summary() const override { return "results that T1 puts outside its part of Dst"; }
  Probe::Kinds kinds() const override;
  void on(const ProbeEvent& event) override;

 private:
  void synchronized(const ProbeEvent& event);
  void selected(const ProbeEvent& event);
  void result(const ProbeEvent& event);
  void set_outside(bool outside);

  unsigned parts_ = 0;  ///< as SEMINIT said
  unsigned half_ = 0;
  unsigned row_ = 0;
  bool waits_ = false;       ///< T1 does, for a part
  bool is_outside_ = false;  ///< what T1 has selected, until a warning says so
};

}  // namespace tvp::checks
