#pragma once
// Arguments of dram_remote's kernels, with the numbers of tt-metal's microbenchmark
// 10_dram_read_remote_cb_sync, whose kernels can replace these. They are consecutive arrays with a
// word for each layer.

#include <stdint.h>

#include "kernel_args.h"

namespace tvp::kernels {

template <uint32_t kLayers>
class RemoteLayers {
 public:
  explicit RemoteLayers(uint32_t first_argument) : first_(first_argument) {}
  uint32_t operator()(uint32_t array, uint32_t layer) const {
    return get_arg_val<uint32_t>(first_ + array * kLayers + layer);
  }

 private:
  uint32_t first_;
};

}  // namespace tvp::kernels
