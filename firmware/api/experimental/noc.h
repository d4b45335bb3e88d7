#pragma once
// The Noc object in its earlier namespace.

#include "dataflow/noc_modes.h"

namespace experimental {

using ::AllocatorBank;
using ::AllocatorBankType;
using ::CoreLocalMem;
using ::MulticastEndpoint;
using ::UnicastEndpoint;

using Noc = tvp::NocByModes;

}  // namespace experimental
