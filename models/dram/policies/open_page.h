#pragma once

#include "models/dram/policies/page_policy.h"

namespace tvp::dram {

/// A row stays open until a request needs another row of the bank.
class OpenPage : public PagePolicy {
 public:
  bool closes(bool) const override { return false; }
};

}  // namespace tvp::dram
