// Transfers over the NoC: DRAM to L1 to DRAM, and between cores.

#include "tests/compare/bench.h"
#include "tests/compare/case.h"

namespace tvp::compare {

using namespace runtime;

namespace {

Bytes draw_bytes(std::size_t size, Random& random) {
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Copies pages of DRAM through one core's L1.
Bytes loopback(Bench& bench, Random& random, std::uint32_t page, std::uint32_t pages) {
  const InterleavedBufferConfig shape{
      .size = std::uint64_t{page} * pages, .page_size = page, .buffer_type = BufferType::DRAM};
  const auto source = MeshBuffer::create(bench.mesh(), shape);
  const auto destination = MeshBuffer::create(bench.mesh(), shape);
  source->write(0, draw_bytes(shape.size, random));
  destination->write(0, Bytes(shape.size, 0xA5));
  const CoreCoord core{0, 0};
  Program program = CreateProgram();
  CircularBufferConfig cb(2 * page, {{std::uint8_t{0}, DataFormat::UInt32}});
  CreateCircularBuffer(program, core, cb.set_page_size(0, page));
  const std::vector<std::uint32_t> compile_args = {0, page, 2};
  const auto reader = CreateKernel(program, "firmware/kernels/loopback/reader.cpp", core,
                                   ReaderDataMovementConfig(compile_args));
  const auto writer = CreateKernel(program, "firmware/kernels/loopback/writer.cpp", core,
                                   WriterDataMovementConfig(compile_args));
  SetRuntimeArgs(program, reader, core, {static_cast<std::uint32_t>(source->address()), pages});
  SetRuntimeArgs(program, writer, core,
                 {static_cast<std::uint32_t>(destination->address()), pages});
  bench.mesh().run(0, program);
  return destination->read(0);
}

constexpr const char* kExchange = R"(
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  const uint32_t source = get_arg_val<uint32_t>(0), target = get_arg_val<uint32_t>(1);
  const uint32_t bytes = get_arg_val<uint32_t>(2);
  const uint32_t x = get_arg_val<uint32_t>(3), y = get_arg_val<uint32_t>(4);
  const uint32_t arrivals = get_semaphore(0);
  auto* count = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(arrivals);
  noc_async_write(source, get_noc_addr(x, y, target), bytes);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(x, y, arrivals), 1);
  noc_async_atomic_barrier();
  noc_semaphore_wait(count, 1);
  noc_async_read(get_noc_addr(x, y, source + 32), target + bytes, bytes - 32);
  noc_async_read_barrier();
}
)";

/// Two cores write to each other and then read from each other.
Bytes exchange(Bench& bench, Random& random, std::uint32_t bytes, CoreCoord other) {
  const CoreCoord cores[] = {{0, 0}, other};
  const CoreRangeSet both{
      std::vector<CoreRange>{CoreRange{cores[0], cores[0]}, CoreRange{other, other}}};
  const auto source =
      MeshBuffer::create(bench.mesh(), ShardedBufferConfig{.cores = both, .shard_bytes = bytes});
  const auto target = MeshBuffer::create(
      bench.mesh(), ShardedBufferConfig{.cores = both, .shard_bytes = 2 * bytes});
  Program program = CreateProgram();
  CreateSemaphore(program, both, 0);
  for (unsigned i = 0; i < 2; ++i) {
    source->write_shard(0, cores[i], draw_bytes(bytes, random));
    target->write_shard(0, cores[i], Bytes(2 * bytes, 0xA5));
    const auto kernel =
        CreateKernel(program, bench.file_of(kExchange), cores[i], DataMovementConfig{});
    const CoreCoord peer = bench.mesh().device(0).worker_core_from_logical_core(cores[1 - i]);
    SetRuntimeArgs(program, kernel, cores[i],
                   {static_cast<std::uint32_t>(source->address()),
                    static_cast<std::uint32_t>(target->address()), bytes, peer.x, peer.y});
  }
  bench.mesh().run(0, program);
  return target->read(0);
}

}  // namespace

std::vector<Case> movement_cases() {
  std::vector<Case> cases;
  for (const std::uint32_t page : {32U, 96U, 2048U, 8192U}) {
    for (const std::uint32_t pages : {1U, 13U, 40U}) {
      cases.push_back(
          {"dram_loopback." + std::to_string(page) + "x" + std::to_string(pages),
           [=](Bench& bench, Random& random) { return loopback(bench, random, page, pages); }});
    }
  }
  for (const std::uint32_t bytes : {64U, 1024U, 8192U, 20000U & ~31U}) {
    for (const CoreCoord other : {CoreCoord{1, 0}, CoreCoord{0, 1}, CoreCoord{7, 7}}) {
      cases.push_back(
          {"noc_exchange." + std::to_string(bytes) + "." + other.str(),
           [=](Bench& bench, Random& random) { return exchange(bench, random, bytes, other); }});
    }
  }
  return cases;
}

}  // namespace tvp::compare
