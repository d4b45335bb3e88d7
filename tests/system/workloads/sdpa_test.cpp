// The SDPA reduction on a ring of four chips through the C ABI: firmware, network, fabric and
// coprocessors. One simulation per process runs several reductions.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <random>

#include "sw/runtime/devices/device_library.h"
#include "sw/runtime/mesh/mesh_device.h"
#include "sw/workloads/sdpa/bf16.h"
#include "sw/workloads/sdpa/device_reduction.h"
#include "sw/workloads/sdpa/problem.h"

namespace tvp::workloads::sdpa {
namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

/// The chips, and reductions of two sizes on them.
struct Ring {
  Ring() {
    library->configure("system=quad_ring");
    mesh = std::make_unique<runtime::MeshDevice>(*library, runtime::MeshDevice::Options{});
  }
  std::unique_ptr<runtime::DeviceLibrary> library = runtime::DeviceLibrary::open(TVP_LIBRARY);
  std::unique_ptr<runtime::MeshDevice> mesh;
};
Ring& ring() {
  static auto* instance = new Ring;  // simulation kernels do not unload
  return *instance;
}

/// The result of every device; checks that they are equal bit for bit.
std::vector<float> reduce(const Partials& partials) {
  DeviceReduction reduction(*ring().mesh, partials.shape);
  reduction.load(partials);
  reduction.run();
  const std::vector<std::uint8_t> first = reduction.output_bytes(0);
  for (unsigned device = 1; device < partials.shape.devices; ++device)
    EXPECT_EQ(reduction.output_bytes(device), first) << "device " << device;
  const std::vector<Phase> phases = reduction.timeline().phases();
  for (const Phase& phase : phases) EXPECT_LT(phase.begin_ns, phase.end_ns) << phase.name;
  return reduction.output(0);
}

TEST(Sdpa, ReducesAttentionOfSeveralSeedsAndSizes) {
  // From 224 on, a partial result takes several packets; 512 is that of MLA.
  for (const std::size_t head_dim : {128, 192, 64, 96, 224, 320, 512}) {
    for (std::uint64_t seed = 11; seed <= 12; ++seed) {
      SCOPED_TRACE("head_dim " + std::to_string(head_dim) + ", seed " + std::to_string(seed));
      const Problem problem = attention_problem({4, 8, head_dim}, 64, seed);
      const Errors errors = compare(problem.golden, reduce(problem.partials));
      EXPECT_LE(errors.margin, 1) << "row " << errors.worst_row << ": " << errors.max_rel;
      EXPECT_GT(errors.max_rel, 0);
    }
  }
}

/// Rows with limits of the number format, different on every worker.
class Edges {
 public:
  Partials make() {
    for (unsigned worker = 0; worker < 8; ++worker) {
      for (unsigned device = 0; device < 4; ++device) {
        const unsigned left_out = worker % 4;
        set(worker, 0, device, kMinusInfinity, 0, 0);  // empty on all devices
        set(worker, 1, device, device == left_out ? 1.5f : kMinusInfinity,
            device == left_out ? 3 : 0,
            device == left_out ? 1 : 0);  // empty on all devices but one
        set(worker, 2, device, device == left_out ? kMinusInfinity : -2, device == left_out ? 0 : 2,
            device == left_out ? 0 : 1);                               // empty on one device
        set(worker, 3, device, 7, 1 + static_cast<float>(device), 1);  // equal maxima
        set(worker, 4, device, device == left_out ? 3e38f : -3e38f, 1, 1);
        set(worker, 5, device, static_cast<float>(device), 0x1p100f, 0x1p110f);
        set(worker, 6, device, -static_cast<float>(device), 0x1p-100f, 0x1p-110f);
        set(worker, 7, device, -20 * static_cast<float>(device ^ left_out), 1, 1);
      }
    }
    return partials_;
  }

 private:
  void set(unsigned worker, unsigned row, unsigned device, float max, float sum, float magnitude) {
    const std::size_t at = partials_.row(device, worker, row);
    partials_.max[at] = round_bf16(max);
    partials_.sum[at] = round_bf16(sum);
    for (std::size_t d = 0; d < partials_.shape.head_dim; ++d)
      partials_.numerator[at * partials_.shape.head_dim + d] =
          round_bf16(magnitude * uniform_(engine_));
  }
  Partials partials_{{4, 8, 128}};
  std::mt19937 engine_{5};
  std::uniform_real_distribution<float> uniform_{-4, 4};
};

/// The definition in double precision.
Golden merged(const Partials& p) {
  const Shape& s = p.shape;
  Golden golden{s, std::vector<double>(s.rows() * s.head_dim), std::vector<double>(s.rows(), 1.0)};
  for (std::size_t row = 0; row < s.rows(); ++row) {
    const auto at = [&](std::size_t device) { return device * s.rows() + row; };
    double max = -std::numeric_limits<double>::infinity();
    for (std::size_t d = 0; d < s.devices; ++d) max = std::max(max, double{p.max[at(d)]});
    std::vector<double> scale(s.devices, 0.0);
    double sum = 0;
    for (std::size_t d = 0; d < s.devices; ++d) {
      if (p.max[at(d)] != kMinusInfinity) scale[d] = std::exp(p.max[at(d)] - max);
      sum += scale[d] * p.sum[at(d)];
    }
    double largest = 0;
    double parts = 0;
    for (std::size_t c = 0; c < s.head_dim && sum != 0; ++c) {
      double value = 0;
      double magnitude = 0;
      for (std::size_t d = 0; d < s.devices; ++d) {
        value += scale[d] * p.numerator[at(d) * s.head_dim + c] / sum;
        magnitude += std::abs(scale[d] * p.numerator[at(d) * s.head_dim + c] / sum);
      }
      golden.output[row * s.head_dim + c] = value;
      largest = std::max(largest, std::abs(value));
      parts = std::max(parts, magnitude);
    }
    if (largest > 0) golden.amplification[row] = std::max(1.0, parts / largest);
  }
  return golden;
}

TEST(Sdpa, KeepsToTheDefinitionAtTheEdges) {
  const Partials partials = Edges().make();
  const std::vector<float> output = reduce(partials);
  const Errors errors = compare(merged(partials), output);
  EXPECT_LE(errors.margin, 1) << "row " << errors.worst_row << ": " << errors.max_rel;
  for (std::size_t worker = 0; worker < 8; ++worker)
    for (std::size_t d = 0; d < 128; ++d)
      EXPECT_EQ(output[worker * kRows * 128 + d], 0) << "a row that is empty everywhere";
}

TEST(Sdpa, RepeatsBitForBit) {
  const Problem problem = attention_problem({4, 8, 128}, 64, 21);
  EXPECT_EQ(reduce(problem.partials), reduce(problem.partials));
}

}  // namespace
}  // namespace tvp::workloads::sdpa
