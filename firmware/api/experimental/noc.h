#pragma once
// The Noc object in its earlier namespace.

#include "dataflow/noc.h"

namespace experimental {

using ::AllocatorBank;
using ::AllocatorBankType;
using ::CoreLocalMem;
using ::MulticastEndpoint;
using ::Noc;
using ::noc_traits_t;
using ::UnicastEndpoint;

}  // namespace experimental
