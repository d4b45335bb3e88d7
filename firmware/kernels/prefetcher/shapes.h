#pragma once

// The tensors of a layer, from the common runtime arguments.

#include "firmware/kernels/prefetcher/arguments.h"
#include "kernel_args.h"

namespace tvp::kernels::prefetcher {

inline uint32_t common(uint32_t which) { return get_common_arg_val<uint32_t>(which); }

/// A tensor, whose words are read when needed.
class TensorShape {
 public:
  explicit TensorShape(uint32_t tensor)
      : words_(reinterpret_cast<const uint32_t*>(get_common_arg_addr(kShapes)) +
               tensor * kShapeWords) {}
  uint32_t operator[](Shape word) const { return words_[word]; }
  /// Bytes of a block in a receiver.
  uint32_t part_bytes() const { return words_[kBlockRows] * words_[kWidth] * words_[kTileBytes]; }

 private:
  const uint32_t* words_;
};

}  // namespace tvp::kernels::prefetcher
