#include "sw/workloads/dram_loopback/dram_loopback.h"

#include <random>
#include <vector>

#include "sw/runtime/errors.h"
#include "sw/runtime/host_api.h"

namespace tvp::workloads {
namespace {

using namespace tvp::runtime;

constexpr std::uint8_t kCb = 0;
constexpr std::uint32_t kAlignment = 32;

}  // namespace

void DramLoopback::adjust(const DeviceLibrary&, MeshDevice::Options& options) const {
  options.dprint = options.dprint || config_.dprint;
}

void DramLoopback::run_on(MeshDevice& mesh, std::uint64_t seed, Result& result) {
  const std::uint32_t page = config_.page_bytes;
  if (page % kAlignment != 0)
    bad_use("dram_loopback.page_bytes", std::to_string(page) + ": expected a multiple of " +
                                            std::to_string(kAlignment) +
                                            ", which reads of DRAM keep to");
  const std::uint32_t pages = config_.pages;
  const InterleavedBufferConfig shape{
      .size = std::uint64_t{page} * pages, .page_size = page, .buffer_type = BufferType::DRAM};
  const auto source = MeshBuffer::create(mesh, shape);
  const auto destination = MeshBuffer::create(mesh, shape);
  std::vector<std::uint8_t> content(shape.size);
  std::mt19937_64 random(seed);
  for (std::uint8_t& byte : content) byte = static_cast<std::uint8_t>(random());
  source->write(0, content);
  std::vector<std::uint8_t> blank(shape.size, 0xA5);
  destination->write(0, blank);

  const CoreCoord core{config_.core_x, config_.core_y};
  Program program = CreateProgram();
  CircularBufferConfig cb(page * config_.buffered_pages, {{kCb, DataFormat::UInt32}});
  CreateCircularBuffer(program, core, cb.set_page_size(kCb, page));
  std::vector<std::uint32_t> compile_args = {kCb, page};
  TensorAccessorArgs(*source).append_to(compile_args);  // both buffers have one shape
  const KernelHandle reader = CreateKernel(program, "firmware/kernels/loopback/reader.cpp", core,
                                           ReaderDataMovementConfig(compile_args));
  const KernelHandle writer = CreateKernel(program, "firmware/kernels/loopback/writer.cpp", core,
                                           WriterDataMovementConfig(compile_args));
  SetRuntimeArgs(program, reader, core, {static_cast<std::uint32_t>(source->address()), pages});
  SetRuntimeArgs(program, writer, core,
                 {static_cast<std::uint32_t>(destination->address()), pages});

  mesh.run(0, program);

  const auto times = mesh.run_times(0, mesh.device(0).worker(core));
  const auto cycles = static_cast<double>(times.done - times.go);
  const std::vector<std::uint8_t> arrived = destination->read(0);
  std::uint64_t wrong = 0;
  for (std::size_t i = 0; i < content.size(); ++i)
    if (content[i] != arrived[i]) ++wrong;

  result.passed = wrong == 0;
  const std::string count = std::to_string(wrong) + " of " + std::to_string(content.size());
  if (!result.passed)
    result.reason =
        count + " bytes differ from what was written; " + destination->difference(0, content);
  result.phases.push_back({"copy", static_cast<double>(times.go), static_cast<double>(times.done)});
  result.metrics.push_back({"kernel_cycles", cycles, "cycles"});
  result.metrics.push_back(
      {"bytes_per_cycle", static_cast<double>(content.size()) / cycles, "bytes/cycle"});
}

}  // namespace tvp::workloads
