#pragma once
// Arguments by name: constants of one of these types, which a host's tools make for a kernel.

#include <stdint.h>

#include "firmware/api/kernel_args.h"

/// Marks the entry of a kernel whose parameters are its arguments by name (sw/runtime,
/// KernelSignature); kernel_main() is made from it.
#define TT_KERNEL FORCE_INLINE

namespace experimental {

/// A run-time argument, one that all cores share, and a number.
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
