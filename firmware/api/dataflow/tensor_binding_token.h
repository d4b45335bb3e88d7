#pragma once
// A tensor that the host names for a kernel (tensor::, KernelNames of sw/runtime). It has the
// offset of its TensorAccessorArgs and the byte offset of its address among the common run-time
// arguments. Compute cores can also use it.

#include <stdint.h>

#include "dataflow/tensor_accessor_args.h"
#include "internal/risc_attribs.h"
#include "kernel_args.h"

namespace tensor_accessor {
template <uint32_t CTA_OFFSET, uint32_t ADDR_CRTA_OFFSET>
struct TensorAccessorBindingToken {
  using args_t = TensorAccessorArgs<CTA_OFFSET>;
  static constexpr args_t args{};
  static constexpr uint32_t cta_offset = CTA_OFFSET;
  static constexpr uint32_t addr_crta_offset = ADDR_CRTA_OFFSET;
  static FORCE_INLINE uint32_t address() {
    return get_common_arg_val<uint32_t>(ADDR_CRTA_OFFSET / sizeof(uint32_t));
  }
};
/// Represents a tensor without a name from the host, if a kernel may be compiled without it
/// (tensor::get_token_if_present). No code that uses it is reached.
struct NullTensorBindingToken {};
/// Name since summer 2026.
template <uint32_t CTA_OFFSET, uint32_t ADDR_CRTA_OFFSET>
using TensorBindingToken = TensorAccessorBindingToken<CTA_OFFSET, ADDR_CRTA_OFFSET>;
}  // namespace tensor_accessor
