#pragma once
// WAYPOINT("CWFW") stores four characters that show where a core is, in its slot of the mailbox
// (kernel_api 7.2). It costs a store, so it is active only with WATCHER_ENABLED.

#include <stdint.h>

#include "foundation/contract/mailboxes.h"
#include "internal/firmware_globals.h"

#if !defined(PROCESSOR_INDEX)
#define PROCESSOR_INDEX 0
#endif

namespace tvp::debug {

// The slot of an ERISC is the first one of its tile.
constexpr uint32_t kSlot = PROCESSOR_INDEX == tvp::contract::kErisc ? 0 : PROCESSOR_INDEX;

constexpr uint32_t waypoint_word(const char* text) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4 && text[i] != 0; ++i)
    word |= static_cast<uint32_t>(static_cast<uint8_t>(text[i])) << (8 * i);
  return word;
}

/// Packs up to four characters.
template <char... kCharacters>
constexpr uint32_t waypoint_of() {
  static_assert(sizeof...(kCharacters) <= 4, "a waypoint has four characters");
  constexpr char kText[] = {kCharacters..., 0};
  return waypoint_word(kText);
}

template <uint32_t kWord>
FORCE_INLINE void set_waypoint() {
  *reinterpret_cast<volatile uint32_t*>(
      const_cast<char*>(mailboxes()->watcher.waypoint[kSlot].text)) = kWord;
}

}  // namespace tvp::debug

#if defined(WATCHER_ENABLED)
#define WAYPOINT(text) ::tvp::debug::set_waypoint<::tvp::debug::waypoint_word(text)>()
// Name in kernels of early 2024.
#define DEBUG_STATUS(...) ::tvp::debug::set_waypoint<::tvp::debug::waypoint_of<__VA_ARGS__>()>()
#else
#define WAYPOINT(text) ((void)0)
#define DEBUG_STATUS(...) ((void)0)
#endif
