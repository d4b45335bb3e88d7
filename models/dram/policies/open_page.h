#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// Rows stay open until another one of the bank is wanted.
class OpenPage : public PagePolicy {
 public:
  bool closes(bool) const override { return false; }
};

}  // namespace tvp::dram
