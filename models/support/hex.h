#pragma once

#include "foundation/hex.h"

namespace tvp::support {
using foundation::hex;
}  // namespace tvp::support
