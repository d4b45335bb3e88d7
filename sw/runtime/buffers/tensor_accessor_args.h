#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sw/runtime/metal_classes.h"

namespace tvp::runtime {

/// Words for a kernel's TensorAccessorArgs<offset>, as in tt-metal's class of that name. The host
/// appends them to the kernel's compile-time arguments. They describe where the pages of a tensor
/// are (kernel_api 1.1).
///
/// The first word has flags (foundation/contract/tensor_accessor.h) with the aligned page size. The
/// size has a word of its own if the kernels of the tree in $TT_METAL_HOME count one (spring 2026
/// and later). A sharded buffer also has rank, banks, and the shapes of the tensor and of a shard
/// in pages. The banks' NoC coordinates follow, two a word: x << 8 | y, or for banks of DRAM their
/// number << 8.
class TensorAccessorArgs {
 public:
  /// Arguments for a buffer, with its page size. A buffer created from shards is a tensor of one
  /// dimension with a page for each. Throws Fault(kDescription) if the size of a page does not fit
  /// into a word.
  TensorAccessorArgs(const Buffer& buffer);                  // NOLINT: as tt-metal's
  TensorAccessorArgs(const Buffer* buffer);                  // NOLINT
  TensorAccessorArgs(const std::shared_ptr<Buffer>& buffer)  // NOLINT
      : TensorAccessorArgs(buffer.get()) {}

  // Arguments without a buffer and without a page size, which the kernel passes to its accessor.
  static TensorAccessorArgs create_dram_interleaved();
  static TensorAccessorArgs create_l1_interleaved();

  void append_to(std::vector<std::uint32_t>& compile_time_args) const;
  /// All words are compile-time arguments; there are no common arguments.
  void append_to(std::vector<std::uint32_t>& compile_time_args, std::vector<std::uint32_t>&) const {
    append_to(compile_time_args);
  }
  const std::vector<std::uint32_t>& get_compile_time_args() const { return words_; }
  /// Empty: all words are compile-time arguments.
  std::vector<std::uint32_t> get_common_runtime_args() const { return {}; }

 private:
  explicit TensorAccessorArgs(std::vector<std::uint32_t> words) : words_(std::move(words)) {}

  std::vector<std::uint32_t> words_;
};

}  // namespace tvp::runtime
