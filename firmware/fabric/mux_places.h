#pragma once
// What the muxes of this folder are told when they are compiled, and how their idle loops are
// written.

#include <stdint.h>

#include <utility>

#include "dataflow/dataflow_api.h"
#include "firmware/contract/fabric/mux.h"
#include "firmware/contract/fabric/router.h"

namespace tvp::fabric::mux {

using namespace tvp::contract::fabric;

constexpr uint32_t kMaxPayload = get_compile_time_arg_val(kMuxArgMaxPayloadBytes);
constexpr uint32_t kClients = get_compile_time_arg_val(kMuxArgClients);
constexpr MuxLayout kLayout = mux_layout(get_compile_time_arg_val(kMuxArgBase), kMaxPayload,
                                         kClients, get_compile_time_arg_val(kMuxArgSlots));
constexpr EndpointLayout kRouter = {get_compile_time_arg_val(kMuxArgRouterBase),
                                    get_compile_time_arg_val(kMuxArgRouterSenderChannels),
                                    get_compile_time_arg_val(kMuxArgRouterSenderSlots),
                                    slot_bytes(kMaxPayload)};
/// Each channel has one client, and the mux ends with the last of them.
constexpr bool kEndsWithClients = get_compile_time_arg_val(kMuxArgEndsWithClients) != 0;
static_assert(kClients >= 1 && kClients <= kMuxMaxClients);

FORCE_INLINE volatile uint32_t& word(uint32_t address) {
  return *reinterpret_cast<volatile uint32_t*>(address);
}

/// Keeps what an idle iteration does not do out of its way: it then has one backward jump, and can
/// be recognized as a poll.
FORCE_INLINE bool work(bool there_is) { return __builtin_expect(there_is, false); }

/// f.operator()<i>() for each client, unrolled, so that an idle iteration has one backward jump.
template <typename F>
FORCE_INLINE void each_client(F&& f) {
  [&]<uint32_t... kIndex>(std::integer_sequence<uint32_t, kIndex...>)
      __attribute__((always_inline)) {
    (f.template operator()<kIndex>(), ...);
  }
  (std::make_integer_sequence<uint32_t, kClients>{});
}

}  // namespace tvp::fabric::mux
