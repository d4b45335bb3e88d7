#pragma once
// A part of L1 that the host reserves for a kernel and names (scratch::, KernelNames::scratchpads
// of sw/runtime), as numbers of type T. Words that no agent has written are undefined.

#include "api/debug/assert.h"
#include "api/experimental/kernel_args.h"
#include "api/internal/core_local_mem.h"
#if !defined(COMPILE_FOR_TRISC)
#include "api/dataflow/noc.h"
#endif

/// Index of the common run-time argument with its address, and its size in bytes.
struct ScratchpadBindingToken {
  uint32_t common_arg;
  uint32_t bytes;
};

template <typename T>
class Scratchpad {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = uint32_t;
  using pointer = CoreLocalMem<T>;
  using reference = T&;

  explicit Scratchpad(const ScratchpadBindingToken& token)
      : begin_(get_common_arg_val<uint32_t>(static_cast<int>(token.common_arg))),
        bytes_(token.bytes) {
    ASSERT(get_base_address() % alignof(T) == 0);
    ASSERT(bytes_ % sizeof(T) == 0);
  }

  reference operator[](uint32_t index) const {
    ASSERT(index < size());
    return begin_[index];
  }
  size_type size() const { return bytes_ / sizeof(T); }
  size_type size_in_bytes() const { return bytes_; }
  uint32_t get_base_address() const { return static_cast<uint32_t>(begin_.get_address()); }

  using iterator = pointer;
  iterator begin() const { return begin_; }
  iterator end() const { return begin_ + size(); }
  pointer local_mem() const { return begin_; }
  auto scoped_lock(uint32_t offset, uint32_t count) const {
    ASSERT(offset + count <= size());
    return (begin_ + offset).scoped_lock(count);
  }

 private:
  pointer begin_;
  uint32_t bytes_;
};

#if !defined(COMPILE_FOR_TRISC)
/// One end of a transaction on this core.
template <typename T>
struct noc_traits_t<Scratchpad<T>> {
  using Memory = noc_traits_t<CoreLocalMem<T>>;
  using src_args_type = typename Memory::src_args_type;
  using dst_args_type = typename Memory::dst_args_type;
  static uint32_t local_source(const Scratchpad<T>& pad, const src_args_type& args) {
    ASSERT(args.offset_bytes < pad.size_in_bytes());
    return Memory::local_source(pad.local_mem(), args);
  }
  static uint32_t local_destination(const Scratchpad<T>& pad, const dst_args_type& args) {
    ASSERT(args.offset_bytes < pad.size_in_bytes());
    return Memory::local_destination(pad.local_mem(), args);
  }
};
#endif
