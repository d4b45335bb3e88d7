#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tvp::runtime {

/// Names that a kernel uses in place of numbers: `get_arg(args::count)`,
/// `DataflowBuffer(dfb::input)`, `Semaphore(sem::done)`, `TensorAccessor(ta::weights)` (or
/// tensor::weights). They follow kernels of 2026 (tt-metal experimental/kernel_args.h).
struct KernelNames {
  std::vector<std::string> runtime_args{};  ///< args::, the first run-time arguments in order
  std::vector<std::string> common_runtime_args{};       ///< args::, the first common ones in order
  std::map<std::string, std::uint32_t> compile_args{};  ///< args::, with values
  std::map<std::string, std::uint32_t> buffers{};       ///< dfb::, with indices of circular buffers
  std::map<std::string, std::uint32_t> semaphores{};    ///< sem::, with ids
  std::map<std::string, std::uint8_t> pipes{};  ///< pipe::, with results of AttachPrefetcherPipe
  /// ta::, with the offset of the tensor's TensorAccessorArgs in the compile-time arguments. Its
  /// address is a common run-time argument after the named ones, in this order.
  std::vector<std::pair<std::string, std::uint32_t>> tensors{};
  /// tensor::, several of `tensors` as one tuple, in this order.
  std::vector<std::pair<std::string, std::vector<std::string>>> tensor_sequences{};
  /// scratch::, with bytes of L1. Their addresses are common run-time arguments after those of the
  /// tensors, in this order.
  std::vector<std::pair<std::string, std::uint32_t>> scratchpads{};

  bool empty() const;
  /// Returns the header that the kernel's source includes. get_vararg() and get_common_vararg()
  /// return the run-time arguments after the named ones. Throws Fault(kDescription) for a name that
  /// is not a C++ identifier or that has two meanings. `kernel` is the kernel's name for messages.
  std::string header(const std::string& kernel) const;
};

}  // namespace tvp::runtime
