#pragma once
// Run-time and compile-time arguments (kernel_api 1.1).

#include <stdint.h>

#include "compile_time_args.h"
#include "debug/assert.h"
#include "internal/firmware_globals.h"

FORCE_INLINE uintptr_t get_arg_addr(int arg_idx) {
  return reinterpret_cast<uintptr_t>(&rta_l1_base[arg_idx]);
}
FORCE_INLINE uintptr_t get_common_arg_addr(int arg_idx) {
  return reinterpret_cast<uintptr_t>(&crta_l1_base[arg_idx]);
}
// With the watcher the host stores the number of arguments before them.
template <typename T>
FORCE_INLINE T get_arg_val(int arg_idx) {
  static_assert(sizeof(T) == 4, "an argument is a word");
  TVP_CHECK_OF(static_cast<uint32_t>(arg_idx), ArgumentBeyond,
               static_cast<uint32_t>(arg_idx) < rta_l1_base[-1]);
  return *reinterpret_cast<volatile T*>(get_arg_addr(arg_idx));
}
template <typename T>
FORCE_INLINE T get_common_arg_val(int arg_idx) {
  static_assert(sizeof(T) == 4, "an argument is a word");
  TVP_CHECK_OF(static_cast<uint32_t>(arg_idx), CommonArgumentBeyond,
               static_cast<uint32_t>(arg_idx) < crta_l1_base[-1]);
  return *reinterpret_cast<volatile T*>(get_common_arg_addr(arg_idx));
}

FORCE_INLINE uint8_t get_absolute_logical_x() { return my_logical_x_; }
FORCE_INLINE uint8_t get_absolute_logical_y() { return my_logical_y_; }
FORCE_INLINE uint8_t get_relative_logical_x() { return my_relative_x_; }
FORCE_INLINE uint8_t get_relative_logical_y() { return my_relative_y_; }

// Returns the index of the next argument and advances it by `amount`.
FORCE_INLINE uint32_t increment_arg_idx(size_t& arg_idx, size_t amount = 1) {
  const size_t index = arg_idx;
  arg_idx += amount;
  return index;
}
