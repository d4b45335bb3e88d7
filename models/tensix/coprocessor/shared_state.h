#pragma once

#include "models/tensix/coprocessor/address_counters.h"
#include "models/tensix/coprocessor/config/backend_config.h"
#include "models/tensix/coprocessor/register_files.h"
#include "models/tensix/coprocessor/scalar/gprs.h"
#include "models/tensix/coprocessor/write_back.h"

namespace tvp::tensix::coprocessor {

/// The state that the units of a coprocessor share.
struct SharedState {
  BackendConfig config;
  RegisterFiles registers;
  AddressCounters adcs;
  Gprs gprs;
  WriteBack write_back;
};

}  // namespace tvp::tensix::coprocessor
