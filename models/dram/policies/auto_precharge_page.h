#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// Every column command closes its row by auto-precharge, also if other requests want the row.
class AutoPrechargePage : public PagePolicy {
 public:
  bool closes(bool) const override { return true; }
};

}  // namespace tvp::dram
