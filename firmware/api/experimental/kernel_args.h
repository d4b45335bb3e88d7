#pragma once
// Arguments by name: constants of one of these types, which a host's tools make for a kernel.

#include <stdint.h>

#include "firmware/api/kernel_args.h"

/// Marks a kernel's entry whose parameters are its named arguments (sw/runtime, KernelSignature).
/// kernel_main() is generated from it.
#define TT_KERNEL FORCE_INLINE

namespace tvp::names {
/// A name as a template argument. dfb::get_token_if_present<"input">() is the constant of that
/// name, or null if the host gives the kernel none.
template <uint32_t kSize>
struct Name {
  char text[kSize];
  constexpr Name(const char (&from)[kSize]) {
    for (uint32_t i = 0; i < kSize; ++i) text[i] = from[i];
  }
  template <uint32_t kOther>
  constexpr bool operator==(const Name<kOther>& other) const {
    if (kSize != kOther) return false;
    for (uint32_t i = 0; i < kSize; ++i)
      if (text[i] != other.text[i]) return false;
    return true;
  }
};
[[noreturn, gnu::error("the kernel uses a name that the host does not give it")]] void
no_such_name();
/// A null `Token`.
template <typename Token>
struct Absent {
  constexpr bool operator==(decltype(nullptr)) const { return true; }
  constexpr explicit operator bool() const { return false; }
  FORCE_INLINE Token operator*() const { no_such_name(); }
};
}  // namespace tvp::names

namespace experimental {

/// A run-time argument, an argument common to all cores, and a number.
template <typename T>
struct RtaArg {
  uint32_t byte_offset;
};
template <typename T>
struct CrtaArg {
  uint32_t byte_offset;
};
template <typename T>
struct CtaVal {
  T value;
};

template <typename T>
inline T get_arg(RtaArg<T> arg) {
  return get_arg_val<T>(static_cast<int>(arg.byte_offset / sizeof(uint32_t)));
}
template <typename T>
inline T get_arg(CrtaArg<T> arg) {
  return get_common_arg_val<T>(static_cast<int>(arg.byte_offset / sizeof(uint32_t)));
}
template <typename T>
constexpr T get_arg(CtaVal<T> arg) {
  return arg.value;
}

}  // namespace experimental
