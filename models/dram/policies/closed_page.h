#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// Rows close with the last request that wants them.
class ClosedPage : public PagePolicy {
 public:
  bool closes(bool row_wanted) const override { return !row_wanted; }
};

}  // namespace tvp::dram
