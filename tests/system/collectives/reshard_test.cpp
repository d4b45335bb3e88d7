// ccl::reshard: kernels and packets of the devices change the distribution of a tensor.

#include "sw/collectives/library/reshard.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <vector>

#include "sw/runtime/distributed.h"
#include "sw/runtime/host_api.h"
#include "sw/runtime/sharding/sharding_error.h"
#include "tests/support/fault_of.h"

namespace tvp::collectives {
namespace {

using runtime::sharding::DistributedBuffer;
using runtime::sharding::ShardTensorToMesh;
using runtime::sharding::TensorShape;

/// One system of four chips in a ring for all tests.
class Reshard : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    library_ = runtime::DeviceLibrary::open(TVP_LIBRARY);
    library_->configure("system=quad_ring");
    mesh_ = std::make_unique<runtime::MeshDevice>(*library_, runtime::MeshDevice::Options{});
    ranks_ = std::make_unique<Communicator>(*mesh_);
  }
  static void TearDownTestSuite() {
    ranks_.reset();
    mesh_.reset();
    library_.reset();
  }
  static std::vector<std::uint8_t> content(const TensorShape& shape, std::uint64_t datum) {
    std::vector<std::uint8_t> bytes(runtime::sharding::volume(shape) * datum);
    std::uint32_t state = 7;
    for (std::uint8_t& byte : bytes) {
      state = state * 1664525 + 1013904223;
      byte = static_cast<std::uint8_t>(state >> 24);
    }
    return bytes;
  }
  static ccl::Tensor cut(const TensorShape& shape, int dim, std::uint64_t datum = 2) {
    ccl::Tensor tensor =
        DistributedBuffer::create(*mesh_, ShardTensorToMesh(*mesh_, dim), shape, datum);
    tensor->write(content(shape, datum));
    return tensor;
  }
  /// Each device has what the host would have written to it.
  static void expect_cut(const ccl::Tensor& tensor, int dim, std::uint64_t datum = 2) {
    const TensorShape shape = tensor->partition().global_shape();
    const ccl::Tensor golden = cut(shape, dim, datum);
    EXPECT_EQ(tensor->partition().local_shape(), golden->partition().local_shape());
    for (std::uint32_t i = 0; i < mesh_->num_devices(); ++i) {
      const runtime::MeshCoordinate at{i / mesh_->shape().columns, i % mesh_->shape().columns};
      EXPECT_EQ(tensor->read_shard(at), golden->read_shard(at)) << i;
    }
  }
  /// With an algorithm, so that no costs are measured before.
  static ccl::Tensor reshard(const ccl::Tensor& input, std::optional<int> to_dim) {
    return ccl::reshard(*ranks_, input, to_dim, {.algorithm = to_dim ? "pairwise" : "ring"});
  }
  static std::string refusal(const ccl::Tensor& input, std::optional<int> to_dim) {
    return test::fault_of([&] { reshard(input, to_dim); });
  }

  static inline std::unique_ptr<runtime::DeviceLibrary> library_;
  static inline std::unique_ptr<runtime::MeshDevice> mesh_;
  static inline std::unique_ptr<Communicator> ranks_;
};

TEST_F(Reshard, RowsBecomeColumnsAndRowsAgain) {
  const ccl::Tensor rows = cut({64, 256}, 0);
  const std::uint64_t before = library_->time_ps();
  const ccl::Tensor columns = reshard(rows, 1);
  EXPECT_GT(library_->time_ps(), before);
  expect_cut(columns, 1);
  expect_cut(reshard(columns, 0), 0);
  expect_cut(rows, 0);  // the input stays
}

TEST_F(Reshard, AllDevicesGetTheWhole) {
  for (const int dim : {0, 1}) {
    const TensorShape shape{32, 128};
    const ccl::Tensor whole = reshard(cut(shape, dim, 4), std::nullopt);
    for (std::uint32_t i = 0; i < mesh_->num_devices(); ++i)
      EXPECT_EQ(whole->read_shard({i / mesh_->shape().columns, i % mesh_->shape().columns}),
                content(shape, 4))
          << dim << " " << i;
  }
}

/// The outermost dimension is the first that is not 1.
TEST_F(Reshard, TensorsOfMoreDimensions) {
  const ccl::Tensor batches = cut({1, 8, 4, 64}, 1);
  const ccl::Tensor columns = reshard(batches, -1);
  expect_cut(columns, 3);
  expect_cut(reshard(columns, 1), 1);
}

TEST_F(Reshard, OtherDistributionsAreRefused) {
  const auto says = [](const std::string& text, const char* what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  says(refusal(cut({64, 256}, 0), 0), "sharding: shard-order");
  says(refusal(cut({8, 8, 64}, 1), 0), "sharding: strided-rows");
  says(refusal(cut({8, 8, 64}, 0), 1), "sharding: strided-rows");
  says(refusal(cut({64, 96}, 0), 1), "sharding: page-size");
  says(refusal(cut({64, 32}, 0), 1), "sharding: page-size");
  says(refusal(cut({64, 258}, 0), 1), "sharding: uneven-shards");
  says(refusal(cut({63, 256}, 0), 1), "sharding: uneven-shards");
  says(refusal(cut({64, 256}, 0), 2), "sharding: no-such-dimension");
  says(refusal(nullptr, 1), "the tensor is null");
}

}  // namespace
}  // namespace tvp::collectives
