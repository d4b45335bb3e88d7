#include "foundation/fault.h"

#include <utility>

namespace tvp::foundation {

Fault::Fault(FaultKind kind, std::string where, const std::string& message)
    : std::runtime_error(where.empty() ? message : where + ": " + message),
      kind_(kind),
      where_(std::move(where)),
      message_(message) {}

Fault::Fault(const Fault&) = default;
Fault& Fault::operator=(const Fault&) = default;
Fault::~Fault() = default;

}  // namespace tvp::foundation
