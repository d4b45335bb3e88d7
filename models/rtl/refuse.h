#pragma once

#include <string>

#include "foundation/fault.h"

namespace tvp::rtl {

/// Refuses a setting that needs a feature which the RTL lacks.
[[noreturn]] inline void refuse(const std::string& key, const std::string& text) {
  throw foundation::Fault(foundation::FaultKind::kDescription, key, text);
}

}  // namespace tvp::rtl
