#pragma once

#include <cstdint>

#include "foundation/regs/noc.h"

namespace tvp::checks {

/// True for the counters of a NIU that show writes which have left or are answered.
constexpr bool counts_writes(std::uint32_t index) {
  namespace noc = regs::noc;
  return index == noc::kMstWrAckReceived || index == noc::kMstNonpostedWrReqSent ||
         index == noc::kMstPostedWrReqSent || index == noc::kMstNonpostedWrDataWordSent ||
         index == noc::kMstPostedWrDataWordSent || index >= noc::kMstReqsOutstandingId;
}

}  // namespace tvp::checks
