#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// A row closes after the last request that needs it.
class ClosedPage : public PagePolicy {
 public:
  bool closes(bool row_wanted) const override { return !row_wanted; }
};

}  // namespace tvp::dram
