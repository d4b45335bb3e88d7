#pragma once

#include "models/support/probe.h"

namespace tvp::tensix::coprocessor {

using support::Offered;

}  // namespace tvp::tensix::coprocessor
