#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/runtime/host_api.h"

namespace tvp::test {

/// Runs whole operations on cores of a chip: kernels that read, compute and write. Tensors are in
/// DRAM or in the cores' L1.
class OperationBench {
 public:
  using Words = std::vector<std::uint32_t>;
  using Tensor = std::shared_ptr<runtime::MeshBuffer>;

  /// `watcher`: kernels check their assertions. `timed`: they record begin and end.
  explicit OperationBench(bool watcher = false, bool timed = false,
                          const std::string& system = "single_chip");
  ~OperationBench();

  /// Creates an interleaved tensor with pages of `page_bytes` and these words.
  Tensor tensor(const Words& words, std::uint32_t page_bytes);
  /// Creates a tensor for results, with bytes that no kernel writes.
  Tensor result(std::uint32_t pages, std::uint32_t page_bytes);
  /// Creates a tensor in the core's L1, for use by a circular buffer.
  Tensor local(const Words& words) { return local(words, kCore); }
  /// Creates a tensor with equal parts in the L1 of these cores, row by row.
  Tensor local(const Words& words, const runtime::CoreRangeSet& cores);
  Words words(const Tensor& tensor);
  /// The words of a local tensor, core by core.
  Words local_words(const Tensor& tensor);
  runtime::MeshDevice& mesh() { return *mesh_; }
  void run(runtime::Program& program);
  /// The core's coordinates in kernels.
  runtime::CoreCoord noc(runtime::CoreCoord logical) const {
    return mesh_->device(0).worker_core_from_logical_core(logical);
  }

  /// Cycles from the first begin to the last end of a kernel of the last operation, over all cores:
  /// tt-metal's DEVICE KERNEL DURATION.
  std::uint64_t kernel_cycles();
  bool timed() const { return timed_; }

  static constexpr runtime::CoreCoord kCore{0, 0};

 private:
  const bool timed_;
  std::uint64_t earlier_ = 0;  ///< end of the work before the last operation
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

/// One operation: add circular buffers and kernels, then call `run`.
class Operation {
 public:
  using Words = OperationBench::Words;
  using Tensor = OperationBench::Tensor;
  using Defines = std::map<std::string, std::string>;

  /// The arguments of a kernel. The compile-time arguments are `compile`, the accessors of
  /// `tensors`, and `after`.
  struct Arguments {
    Words compile{};
    std::vector<Tensor> tensors{};
    Words after{};
    Words run{};
    std::function<Words(runtime::CoreCoord)>
        run_at{};  ///< replaces the run-time arguments, by core
    Words common{};
    Defines defines{};
    std::map<std::string, std::uint32_t> named{};
    bool fp32_dst = false;
    bool fp32_to_dst = false;  ///< for all buffers, past the sources of the matrix unit
    bool whole_dst = false;    ///< without halves that math and packers use in turn
    bool approximate = false;
    runtime::MathFidelity fidelity = runtime::MathFidelity::HiFi4;
    std::optional<runtime::NOC> noc{};
    runtime::KernelBuildOptLevel optimization = runtime::KernelBuildOptLevel::O2;
  };

  explicit Operation(OperationBench& bench) : bench_(bench) {}

  /// Selects the cores of the following buffers, kernels and semaphores. The default is (0, 0).
  Operation& on(const runtime::CoreRangeSet& cores);

  Operation& buffer(std::uint8_t cb, std::uint32_t pages, std::uint32_t page_bytes = 2048,
                    runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// A buffer with another tile shape.
  Operation& buffer(std::uint8_t cb, std::uint32_t pages, const runtime::Tile& tile,
                    runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// Several buffers in the same memory.
  Operation& shared_buffer(const std::vector<std::uint8_t>& cbs, std::uint32_t pages,
                           std::uint32_t page_bytes = 2048,
                           runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// A buffer over a local tensor, with one page by default.
  Operation& buffer(std::uint8_t cb, const Tensor& over, runtime::DataFormat format,
                    std::uint32_t page_bytes = 0);
  /// The same with another tile shape.
  Operation& buffer(std::uint8_t cb, const Tensor& over, const runtime::Tile& tile,
                    runtime::DataFormat format);
  Operation& shared_buffer(const std::vector<std::uint8_t>& cbs, const Tensor& over,
                           runtime::DataFormat format, std::uint32_t page_bytes);
  Operation& reader(const std::string& source, const Arguments& arguments);
  Operation& writer(const std::string& source, const Arguments& arguments);
  Operation& compute(const std::string& source, const Arguments& arguments);
  std::uint32_t semaphore(std::uint32_t initial);
  void run();

 private:
  void set_run_time(runtime::KernelHandle kernel, const Arguments& arguments);

  OperationBench& bench_;
  runtime::CoreRangeSet cores_{OperationBench::kCore};
  runtime::Program program_ = runtime::CreateProgram();
};

/// The address of a tensor for kernels.
inline std::uint32_t address(const OperationBench::Tensor& tensor) {
  return static_cast<std::uint32_t>(tensor->address());
}

}  // namespace tvp::test
