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

/// Runs whole operations, kernels that read, compute and write, on cores of a chip, with tensors in
/// its DRAM or in the cores' L1.
class OperationBench {
 public:
  using Words = std::vector<std::uint32_t>;
  using Tensor = std::shared_ptr<runtime::MeshBuffer>;

  /// `watcher`: kernels check what they assert. `timed`: they leave when they began and ended.
  explicit OperationBench(bool watcher = false, bool timed = false,
                          const std::string& system = "single_chip");
  ~OperationBench();

  /// Interleaved over all banks: pages of `page_bytes`, with these words.
  Tensor tensor(const Words& words, std::uint32_t page_bytes);
  /// The same for a result: bytes that no kernel would leave.
  Tensor result(std::uint32_t pages, std::uint32_t page_bytes);
  /// In the core's L1, for a circular buffer to lie over.
  Tensor local(const Words& words) { return local(words, kCore); }
  /// One equal part after the other in the L1 of each of these cores, row by row.
  Tensor local(const Words& words, const runtime::CoreRangeSet& cores);
  Words words(const Tensor& tensor);
  /// The words of a local tensor, core after core.
  Words local_words(const Tensor& tensor);
  runtime::MeshDevice& mesh() { return *mesh_; }
  void run(runtime::Program& program);
  /// As kernels name it.
  runtime::CoreCoord noc(runtime::CoreCoord logical) const {
    return mesh_->device(0).worker_core_from_logical_core(logical);
  }

  /// From the first begin to the last end of a kernel of the last operation, over all of its cores,
  /// in cycles: tt-metal's DEVICE KERNEL DURATION.
  std::uint64_t kernel_cycles();
  bool timed() const { return timed_; }

  static constexpr runtime::CoreCoord kCore{0, 0};

 private:
  const bool timed_;
  std::uint64_t earlier_ = 0;  ///< end of what ran before the last operation
  std::unique_ptr<runtime::DeviceLibrary> library_;
  std::unique_ptr<runtime::MeshDevice> mesh_;
};

/// One operation: circular buffers and kernels, then `run`.
class Operation {
 public:
  using Words = OperationBench::Words;
  using Tensor = OperationBench::Tensor;
  using Defines = std::map<std::string, std::string>;

  /// The arguments of a kernel. The compile-time arguments are `compile`, the accessors of
  /// `tensors` one after the other, and `after`.
  struct Arguments {
    Words compile{};
    std::vector<Tensor> tensors{};
    Words after{};
    Words run{};
    std::function<Words(runtime::CoreCoord)> run_at{};  ///< instead, by core
    Words common{};
    Defines defines{};
    std::map<std::string, std::uint32_t> named{};
    bool fp32_dst = false;
    bool fp32_to_dst = false;  ///< of all buffers, past the sources of the matrix unit
    bool whole_dst = false;    ///< that math and packers take turns at
    bool approximate = false;
    runtime::MathFidelity fidelity = runtime::MathFidelity::HiFi4;
    std::optional<runtime::NOC> noc{};
    runtime::KernelBuildOptLevel optimization = runtime::KernelBuildOptLevel::O2;
  };

  explicit Operation(OperationBench& bench) : bench_(bench) {}

  /// Where the buffers, kernels and semaphores are that follow: core (0, 0) unless it is said.
  Operation& on(const runtime::CoreRangeSet& cores);

  Operation& buffer(std::uint8_t cb, std::uint32_t pages, std::uint32_t page_bytes = 2048,
                    runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// A buffer of tiles of another shape.
  Operation& buffer(std::uint8_t cb, std::uint32_t pages, const runtime::Tile& tile,
                    runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// Several on the same bytes.
  Operation& shared_buffer(const std::vector<std::uint8_t>& cbs, std::uint32_t pages,
                           std::uint32_t page_bytes = 2048,
                           runtime::DataFormat format = runtime::DataFormat::Float16_b);
  /// One that lies over a local tensor, of one page if it is not said how large they are.
  Operation& buffer(std::uint8_t cb, const Tensor& over, runtime::DataFormat format,
                    std::uint32_t page_bytes = 0);
  /// The same, of tiles of another shape.
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

/// Where a tensor begins, as kernels are told.
inline std::uint32_t address(const OperationBench::Tensor& tensor) {
  return static_cast<std::uint32_t>(tensor->address());
}

}  // namespace tvp::test
