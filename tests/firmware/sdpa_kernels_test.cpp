// The kernels of the SDPA reduction compile, link and fit into their cores' memories.

#include <gtest/gtest.h>

#include "firmware/kernels/sdpa/arguments.h"
#include "firmware/kernels/sdpa/buffers.h"
#include "sw/runtime/compiler/compile_cache.h"
#include "sw/runtime/compiler/kernel_compiler.h"

namespace tvp::runtime {
namespace {

namespace kernel = kernels::sdpa;

KernelRequest request(std::uint32_t processor, const std::string& name,
                      std::vector<std::uint32_t> args) {
  KernelRequest request;
  request.processor = processor;
  request.source = "firmware/kernels/sdpa/" + name + ".cpp";
  request.noc_index = processor == contract::kNcrisc ? 1 : 0;
  request.compile_args = std::move(args);
  request.fp32_dest_acc_en = true;
  for (unsigned cb = 0; cb < kernel::kBuffers; ++cb) {
    const bool fp32 = cb >= kernel::kScaleA && cb <= kernel::kNormalizer;
    request.cbs.cbs[cb] = {fp32 ? DataFormat::Float32 : DataFormat::Float16_b, Tile{8, 32}};
  }
  return request;
}

std::size_t bytes(const ElfImage& image) {
  std::size_t sum = 0;
  for (const ElfImage::Segment& segment : image.segments()) sum += segment.data.size();
  return sum;
}

TEST(SdpaKernels, CompileForTheirCores) {
  KernelCompiler compiler(KernelCompiler::default_root(), CompileCache::default_folder());
  std::vector<KernelRequest> requests;
  for (const std::uint32_t devices : {2u, 4u, 32u}) {
    const std::vector<std::uint32_t> movement = {4, 8, 4416, devices};
    requests.push_back(request(contract::kBrisc, "writer", movement));
    requests.push_back(request(contract::kNcrisc, "reader", movement));
    for (const std::uint32_t core : {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2})
      requests.push_back(request(core, "compute", {4, devices}));
  }
  for (const std::uint32_t core : {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2})
    requests.push_back(request(core, "reduce_two", {4}));
  const auto images = compiler.kernels(requests, {});
  ASSERT_EQ(images.size(), requests.size());
  for (std::size_t i = 0; i < images.size(); ++i) {
    EXPECT_GT(bytes(*images[i]), 500u) << requests[i].source;
    EXPECT_LT(bytes(*images[i]), contract::kUsualKernelSizes[requests[i].processor])
        << requests[i].source;
  }
}

TEST(ComputeKernels, CompileWithThePublicHeaders) {
  KernelCompiler compiler(KernelCompiler::default_root(), CompileCache::default_folder());
  std::vector<KernelRequest> requests;
  for (const std::uint32_t core : {contract::kTrisc0, contract::kTrisc1, contract::kTrisc2}) {
    KernelRequest request;
    request.processor = core;
    request.source = "tests/firmware/programs/add_and_exp.cpp";
    for (const unsigned cb : {0, 1, 16}) request.cbs.cbs[cb] = {DataFormat::Float16_b, Tile{}};
    requests.push_back(request);
  }
  for (const auto& image : compiler.kernels(requests, {})) EXPECT_GT(bytes(*image), 300u);
}

}  // namespace
}  // namespace tvp::runtime
