#pragma once

#include <string>

#include "foundation/fault.h"

namespace tvp::rtl {

/// A setting that asks for what the RTL does not have.
[[noreturn]] inline void refuse(const std::string& key, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, key, text);
}

}  // namespace tvp::rtl
