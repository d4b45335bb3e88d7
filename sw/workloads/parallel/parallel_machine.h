#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sw/collectives/execution/chip_executor.h"
#include "sw/runtime/sharding/distributed_buffer.h"
#include "sw/workloads/parallel/small_matrix.h"
#include "sw/workloads/workload.h"

namespace tvp::workloads::parallel {

/// The operations of all kinds of parallelism. Matrices are distributed over the devices of a mesh
/// in tiles of BF16. Firmware multiplies them on all devices at the same time and runs the
/// collectives between devices. The class records the time of each part.
class ParallelMachine {
 public:
  using Matrix = std::unique_ptr<runtime::sharding::DistributedBuffer>;

  /// `algorithm` is that of the collectives. Empty: ring, or pairwise for all_to_all.
  ParallelMachine(runtime::MeshDevice& mesh, std::string algorithm);

  std::uint32_t devices() const { return executor_.ranks(); }
  /// A matrix that is cut along dimension 0 or 1, device by device, or equal on all devices.
  Matrix cut(std::uint32_t rows, std::uint32_t columns, int dim) const;
  Matrix repeated(std::uint32_t rows, std::uint32_t columns) const;
  Matrix cut(const SmallMatrix& content, int dim) const;
  Matrix repeated(const SmallMatrix& content) const;

  /// Computes product = left * right from the shards on each device. Left and right have the
  /// necessary sizes. `active` selects devices; empty: all.
  void multiply(const std::string& part, const Matrix& left, const Matrix& right,
                const Matrix& product, bool relu, const std::vector<bool>& active = {});
  /// The operands of multiply().
  struct Product {
    std::string part;
    const Matrix& left;
    const Matrix& right;
    const Matrix& product;
    bool relu = false;
    std::vector<bool> active = {};
  };
  /// The next collective or pass_on() starts together with this product, which runs on a core of
  /// its own.
  void begin_beside(Product product) { beside_.emplace(std::move(product)); }
  /// Runs a collective whose chunks are shards, in the order of the devices. The host copies them
  /// to and from the collective's memories in no simulated time. Throws Fault(kDescription) if the
  /// algorithm has no such collective.
  void collective(const std::string& part, collectives::Primitive primitive, const Matrix& from,
                  const Matrix& to, bool average = false);
  /// Sends each device's shard to the next one, except the last.
  void pass_on(const std::string& part, const Matrix& from, const Matrix& to);

  /// Ends the programs of the ethernet cores.
  void finish() { executor_.finish(); }

  /// Reports the times of the parts, separately for products and collectives, and the time of
  /// collectives beside which no product runs.
  void report(Result& result) const;

 private:
  struct Part {
    std::string name;
    double begin_ns;
    double end_ns;
    bool communicates;
  };

  /// Adds the kernels of a product to a program.
  static void add_product(runtime::Program& program, const Product& product,
                          runtime::CoreCoord core);
  Part product_times(const Product& product, runtime::CoreCoord core);
  double exposed_ns() const;
  void run(const std::string& part, const collectives::Schedule& schedule, const Matrix& from,
           const Matrix& to);

  runtime::MeshDevice& mesh_;
  collectives::ChipExecutor executor_;
  std::string algorithm_;
  std::vector<Part> parts_;
  std::optional<Product> beside_;
};

}  // namespace tvp::workloads::parallel
