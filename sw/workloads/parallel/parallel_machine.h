#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sw/collectives/execution/chip_executor.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/workloads/parallel/small_matrix.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::parallel {

/// The operations of all kinds of parallelism. Matrices lie over the devices of a mesh in tiles of
/// BF16. Firmware multiplies them on all devices at the same time and runs the collectives between
/// devices. The class records the time of each part.
class ParallelMachine {
 public:
  using Matrix = std::unique_ptr<runtime::sharding::DistributedBuffer>;

  /// `algorithm` of the collectives; empty: ring, or pairwise for all_to_all.
  ParallelMachine(runtime::MeshDevice& mesh, std::string algorithm);

  std::uint32_t devices() const { return executor_.ranks(); }
  /// Cut along dimension 0 or 1 of rows and columns, device by device; or the same on all.
  Matrix cut(std::uint32_t rows, std::uint32_t columns, int dim) const;
  Matrix repeated(std::uint32_t rows, std::uint32_t columns) const;
  Matrix cut(const SmallMatrix& content, int dim) const;
  Matrix repeated(const SmallMatrix& content) const;

  /// On each device, of its shards: product = left * right, where left and right are as long as
  /// that takes. `active`: by device; empty: all.
  void multiply(const std::string& part, const Matrix& left, const Matrix& right,
                const Matrix& product, bool relu, const std::vector<bool>& active = {});
  /// Chunks are shards, in the order of the devices; the host puts them into the collective's
  /// memories and takes them out, in no simulated time. Throws Fault(kDescription) when the
  /// algorithm has no such collective.
  void collective(const std::string& part, collectives::Primitive primitive, const Matrix& from,
                  const Matrix& to, bool average = false);
  /// Each device's shard to the next one, but for the last.
  void pass_on(const std::string& part, const Matrix& from, const Matrix& to);

  /// Ends what runs on the ethernet cores.
  void finish() { executor_.finish(); }

  /// Times of the parts, products and collectives apart.
  void report(Result& result) const;

 private:
  struct Part {
    std::string name;
    double begin_ns;
    double end_ns;
    bool communicates;
  };

  runtime::Program product_program(const Matrix& left, const Matrix& right, const Matrix& product,
                                   bool relu) const;
  void run(const std::string& part, const collectives::Schedule& schedule, const Matrix& from,
           const Matrix& to);

  runtime::MeshDevice& mesh_;
  collectives::ChipExecutor executor_;
  std::string algorithm_;
  std::vector<Part> parts_;
};

}  // namespace tvp::workloads::parallel
