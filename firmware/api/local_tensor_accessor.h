#pragma once
// The part of a tensor in this core's L1 as numbers of type T: its shard, or its pages of an
// interleaved tensor. Data-movement and compute cores can use it. Accesses beyond its end are not
// checked.

#include <stdint.h>

#include <array>
#include <tuple>

#include "api/dataflow/tensor_binding_token.h"
#include "api/debug/assert.h"
#include "api/internal/core_local_mem.h"
#if !defined(COMPILE_FOR_TRISC)
#include "api/dataflow/noc.h"
#endif

template <typename T>
class LocalTensorAccessor {
 public:
  template <uint32_t CTA_OFFSET, uint32_t ADDR_CRTA_OFFSET>
  explicit LocalTensorAccessor(
      tensor_accessor::TensorAccessorBindingToken<CTA_OFFSET, ADDR_CRTA_OFFSET> tensor)
      : LocalTensorAccessor(tensor.address()) {
    static_assert(!decltype(tensor)::args_t::is_dram,
                  "LocalTensorAccessor: the tensor is in DRAM, and no core's L1 holds any of it");
  }
  explicit LocalTensorAccessor(tensor_accessor::NullTensorBindingToken)
      : LocalTensorAccessor(uint32_t{0}) {}
  explicit LocalTensorAccessor(uint32_t bank_base_address) : memory_(bank_base_address) {
    ASSERT(bank_base_address % alignof(T) == 0);
  }

  T& operator[](uint32_t index) const { return memory_[index]; }
  uint32_t get_bank_base_address() const { return static_cast<uint32_t>(memory_.get_address()); }
  CoreLocalMem<T> local_mem() const { return memory_; }

 private:
  CoreLocalMem<T> memory_;
};

/// Accessors of several tensors, all of one type.
template <typename T, typename... Tokens>
std::array<LocalTensorAccessor<T>, sizeof...(Tokens)> make_local_tensor_accessors(
    const std::tuple<Tokens...>& tensors) {
  return std::apply(
      [](const auto&... each) {
        return std::array<LocalTensorAccessor<T>, sizeof...(Tokens)>{
            LocalTensorAccessor<T>(each)...};
      },
      tensors);
}

#if !defined(COMPILE_FOR_TRISC)
/// One end of a transaction on this core.
template <typename T>
struct noc_traits_t<LocalTensorAccessor<T>> {
  using Memory = noc_traits_t<CoreLocalMem<T>>;
  using src_args_type = typename Memory::src_args_type;
  using dst_args_type = typename Memory::dst_args_type;
  static uint32_t local_source(const LocalTensorAccessor<T>& part, const src_args_type& args) {
    return Memory::local_source(part.local_mem(), args);
  }
  static uint32_t local_destination(const LocalTensorAccessor<T>& part, const dst_args_type& args) {
    return Memory::local_destination(part.local_mem(), args);
  }
};
#endif
