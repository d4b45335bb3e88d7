#pragma once

#include <cstdint>

#include "platform/checks/check.h"

namespace tvp::checks {

/// Warns if T1 puts results outside its part of Dst, provided that T1 hands parts over as
/// DstHandover expects. If two parts take turns (SEMINIT gives semaphore 1 a maximum of 2), the
/// part alternates between the halves of Dst, starting with the first one. Otherwise it is all of
/// Dst. DEST_TARGET_REG_CFG_MATH_Offset selects a tile, and hardware adds rows modulo 1024. A tile
/// beyond the part is therefore one that T2 may be packing.
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

  unsigned parts_ = 0;  ///< the maximum of semaphore 1 (SEMINIT)
  unsigned half_ = 0;
  unsigned row_ = 0;
  bool waits_ = false;       ///< T1 has waited for a part since SEMINIT
  bool is_outside_ = false;  ///< T1's selected row is outside its part and not yet reported
};

}  // namespace tvp::checks
