#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tvp::runtime {

/// Names that a kernel uses in the place of numbers: `get_arg(args::count)`,
/// `DataflowBuffer(dfb::input)`, `Semaphore(sem::done)`, `TensorAccessor(ta::weights)`, which newer
/// ones call tensor::weights. Kernels of 2026 are written so (tt-metal experimental/kernel_args.h);
/// the constants come from here.
struct KernelNames {
  std::vector<std::string> runtime_args{};  ///< args::, of the first run-time arguments in order
  std::vector<std::string> common_runtime_args{};       ///< args::, likewise
  std::map<std::string, std::uint32_t> compile_args{};  ///< args::, numbers
  std::map<std::string, std::uint32_t> buffers{};       ///< dfb::, indices of circular buffers
  std::map<std::string, std::uint32_t> semaphores{};    ///< sem::, ids
  std::map<std::string, std::uint8_t> pipes{};  ///< pipe::, what AttachPrefetcherPipe returned
  /// ta::, where in the compile-time arguments the tensor's TensorAccessorArgs begin. Its address
  /// is a common run-time argument behind the named ones, in this order.
  std::vector<std::pair<std::string, std::uint32_t>> tensors{};
  /// tensor::, several of `tensors` as one tuple each, in this order.
  std::vector<std::pair<std::string, std::vector<std::string>>> tensor_sequences{};
  /// scratch::, bytes of L1 each. Where they begin are common run-time arguments behind those of
  /// the tensors, in this order.
  std::vector<std::pair<std::string, std::uint32_t>> scratchpads{};

  bool empty() const;
  /// Returns the header that the kernel's source includes. get_vararg() and get_common_vararg()
  /// return the run-time arguments after the named ones. Throws Fault(kDescription) for a name that
  /// is not a C++ identifier or that has two meanings. `kernel` is the kernel's name for messages.
  std::string header(const std::string& kernel) const;
};

}  // namespace tvp::runtime
